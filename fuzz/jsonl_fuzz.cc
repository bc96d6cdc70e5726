// SPDX-License-Identifier: Apache-2.0
// Any bytes as lines of JSON. Besides crashes it looks for three lies: a record that is taken
// although simdjson's own parser refuses its line (or the other way round), a `meta` that is not
// JSON, and lines that come out differently when they are indexed together and one by one.
#include <cstdint>
#include <cstdlib>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "read/internal/json_record.h"
#include "read/internal/json_text.h"

namespace {

using headrace::read::JsonRecords;
using headrace::read::RecordState;

struct Outcome {
  RecordState state = RecordState::kNotJson;
  std::string text;
  std::string meta;
  bool operator==(const Outcome&) const = default;
};

Outcome parse(JsonRecords& records, std::string_view line) {
  Outcome outcome;
  outcome.state = records.record(line, &outcome.text, &outcome.meta);
  if (outcome.state != RecordState::kDocument) outcome.text = outcome.meta = "";
  return outcome;
}

void check(bool holds) {
  if (!holds) std::abort();
}

void check_against_dom(std::string_view line, const Outcome& outcome) {
  static simdjson::dom::parser parser;
  if (outcome.state == RecordState::kBlank || outcome.state == RecordState::kUnpairedSurrogate) {
    return;
  }
  const simdjson::error_code error = parser.parse(std::string(line)).error();
  // Numbers that no machine type holds are JSON all the same.
  if (error == simdjson::NUMBER_ERROR) return;
  // The two limits on depth differ by a level or two.
  if (error == simdjson::DEPTH_ERROR) return;
  check((error == simdjson::SUCCESS) == (outcome.state != RecordState::kNotJson));
  if (!outcome.meta.empty()) check(parser.parse(outcome.meta).error() == simdjson::SUCCESS);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view block(reinterpret_cast<const char*>(data), size);
  headrace::read::ReadOptions options;
  if (size > 0 && data[0] == 'n') options.text_field = "a.b";
  if (size > 0 && data[0] == 'k') {
    options.keep_all = false;
    options.keep = {"n", "a.b"};
  }
  std::vector<std::string_view> lines;
  for (std::string_view rest = block; !rest.empty();) {
    const std::size_t at = rest.find('\n');
    lines.push_back(rest.substr(0, at));
    rest.remove_prefix(at == rest.npos ? rest.size() : at + 1);
  }
  JsonRecords together(options);
  JsonRecords apart(options);
  const bool indexed = together.index(block);
  for (const std::string_view line : lines) {
    Outcome alone;
    const bool good = apart.index(line);
    if (good) {
      alone = parse(apart, line);
      check_against_dom(line, alone);
    }
    if (indexed) {
      check(good);
      check(parse(together, line) == alone);
    }
    headrace::read::is_cut_off_object(line);
  }
  return 0;
}
