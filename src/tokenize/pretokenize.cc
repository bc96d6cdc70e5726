// SPDX-License-Identifier: Apache-2.0
// Patterns as files spell them → the splitter that does what they say.
//
// Patterns are compared character for character: nothing here understands regular expressions, and
// one that is not listed is refused rather than run on an engine with other rules than theirs.
#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.h"
#include "tokenize/scan.h"

namespace headrace::tokenize {
namespace {

using Patterns = std::span<const std::string>;

struct KnownPattern {
  std::string_view pattern;
  std::unique_ptr<Splitter> (*make)();
};

constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt2Grouped =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen35 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kO200k =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kTekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// The file has real CR and LF characters in its classes; other conversions have the escapes.
constexpr std::array<std::string_view, 2> kDeepseekFirst = {R"(\p{N}{1,3})",
                                                            "[一-龥぀-ゟ゠-ヿ]+"};
constexpr std::string_view kDeepseekMain =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

const KnownPattern kKnown[] = {
    {kGpt2, [] { return make_gpt2_splitter(); }},
    {kGpt2Grouped, [] { return make_gpt2_splitter(); }},
    {kLlama3, [] { return make_cl100k_splitter({.digits = 3}); }},
    {kQwen2, [] { return make_cl100k_splitter({.digits = 1}); }},
    {kQwen35, [] { return make_cl100k_splitter({.digits = 1, .marks_in_words = true}); }},
    {kO200k, [] { return make_o200k_splitter({}); }},
    {kTekken, [] { return make_o200k_splitter({.digits = 1, .contractions = false}); }},
};

const KnownPattern* find_known(std::string_view pattern) {
  const auto* found = std::ranges::find(kKnown, pattern, &KnownPattern::pattern);
  return found == std::end(kKnown) ? nullptr : found;
}

// The pattern with real CR and LF characters written as their escapes.
std::string with_escaped_newlines(std::string_view pattern) {
  std::string escaped;
  for (const char c : pattern) {
    if (c == '\r') {
      escaped += "\\r";
    } else if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

class WholeSplitter final : public Splitter {
 public:
  std::size_t split(std::string_view text, std::size_t begin,
                    std::span<std::uint32_t> ends) const override {
    if (begin == text.size() || ends.empty()) return 0;
    ends[0] = static_cast<std::uint32_t>(text.size());
    return 1;
  }
};

}  // namespace

std::unique_ptr<Splitter> make_whole_splitter() { return std::make_unique<WholeSplitter>(); }

Result<std::unique_ptr<Splitter>> splitter_for_pattern(const std::string& pattern) {
  const KnownPattern* known = find_known(with_escaped_newlines(pattern));
  if (known == nullptr) {
    return unsupported(
        "split pattern {}: not one of the known ones (GPT-2, Llama-3, Qwen, o200k, tekken, "
        "DeepSeek-V3)",
        pattern);
  }
  return known->make();
}

Result<std::unique_ptr<Splitter>> splitter_for_patterns(Patterns patterns) {
  if (patterns.size() == 1) return splitter_for_pattern(patterns[0]);
  if (patterns.size() == 3 && patterns[0] == kDeepseekFirst[0] &&
      patterns[1] == kDeepseekFirst[1] && with_escaped_newlines(patterns[2]) == kDeepseekMain) {
    return make_deepseek_splitter();
  }
  std::string all;
  for (const std::string& pattern : patterns) all += (all.empty() ? "" : "  then  ") + pattern;
  return unsupported("a sequence of {} Split steps: {}: only DeepSeek-V3's is known",
                     patterns.size(), all);
}

bool covers_every_text(const std::string& pattern) {
  return find_known(with_escaped_newlines(pattern)) != nullptr;
}

}  // namespace headrace::tokenize
