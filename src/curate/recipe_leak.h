// SPDX-License-Identifier: Apache-2.0
// What a recipe says of leaks: the section `leak` (held-out sets that no document may hold) and
// `mix.validation` (documents that are held out themselves).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace headrace::curate {

class Faults;

// Files of held-out items that are counted under one name.
struct LeakSet {
  std::string name;                // "" = the name of each file is that of its set
  std::vector<std::string> paths;  // globs
  // Where the parts of an item stand in a record, as dotted paths; all empty = the layouts that
  // the leak room knows.
  std::string id;
  std::string question;
  std::vector<std::string> options;
  std::string answer;
  std::string passage;
  bool report_only = false;  // hits are counted and shown, and touch no document
  int line = 0;              // in the recipe, for messages

  bool has_fields() const {
    return !question.empty() || !options.empty() || !answer.empty() || !passage.empty();
  }
};

// What becomes of a document that holds an item.
enum class LeakVerdict : std::uint8_t { kDrop, kFlag, kRemoveSpan };

struct LeakSpec {
  std::vector<LeakSet> against;
  LeakVerdict verdict = LeakVerdict::kDrop;
  std::uint64_t sample = 100'000;  // documents that tell which n-grams are common
  int line = 0;

  bool is_report_only(std::string_view set) const;
};

// What parts of a corpus are never on both sides.
enum class SourceDocument : std::uint8_t {
  kSource,  // a file whose documents are pieces of it (paragraphs, lines), else each record
  kFile,
  kField,  // records with the same value of a field
};

struct ValidationSpec {
  double share = 0;  // of the source documents
  SourceDocument by = SourceDocument::kSource;
  std::string field;        // of kField: a dotted path into a record's other fields
  bool drop_leaks = true;   // training documents that hold validation text go
  bool check_leaks = true;  // else nobody looks for them
  std::uint64_t sample = 100'000;
};

std::optional<LeakSpec> read_leak(const YAML::Node& node, Faults& faults);
std::optional<ValidationSpec> read_validation(const YAML::Node& node, Faults& faults);

const char* name_of(LeakVerdict verdict);

}  // namespace headrace::curate
