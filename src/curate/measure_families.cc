// SPDX-License-Identifier: Apache-2.0
#include "curate/measure_families.h"

#include <utility>

namespace headrace::curate {
namespace {

// Families by the words in a measure's name, first match first.
constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
    {"stop", "Words"},
    {"dup_", "Repetition"},
    {"repe", "Repetition"},
    {"top_", "Repetition"},
    {"unique", "Repetition"},
    {"distinct", "Repetition"},
    {"_run", "Repetition"},
    {"compression", "Repetition"},
    {"entropy", "Repetition"},
    {"flagged", "Boilerplate and damage"},
    {"phrases", "Boilerplate and damage"},
    {"lorem", "Boilerplate and damage"},
    {"curly", "Boilerplate and damage"},
    {"url", "Boilerplate and damage"},
    {"encoded", "Boilerplate and damage"},
    {"mojibake", "Boilerplate and damage"},
    {"replacement", "Boilerplate and damage"},
    {"control", "Boilerplate and damage"},
    {"sentence", "Sentences"},
    {"line", "Lines and paragraphs"},
    {"paragraph", "Lines and paragraphs"},
    {"word", "Words"},
    {"_share", "Characters"},
    {"", "Lengths and counts"}};

}  // namespace

std::string_view family_of(std::string_view measure) {
  for (const auto& [word, family] : kFamilies) {
    if (measure.find(word) != std::string_view::npos) return family;
  }
  return "";
}

}  // namespace headrace::curate
