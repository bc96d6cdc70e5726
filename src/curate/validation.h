// SPDX-License-Identifier: Apache-2.0
// Which documents are held out for validation (`mix.validation`).
//
// The side of a document follows from the seed and from the name of its source document alone: what
// it is called, never what else is in the corpus. So parts of one source document are never on both
// sides, a corpus that grows moves nothing from one side to the other, and one that is copied
// elsewhere has the same sides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "base/counter_rng.h"
#include "curate/context.h"

namespace headrace::curate {

// Part of the format; see docs/formats/leak.md.
inline constexpr const char* kSplitFolder = "split";
inline constexpr const char* kSplitLeaksFolder = "split/leaks";
inline constexpr const char* kSplitIndexFile = "split/index.bin";
std::string split_file(std::size_t part);
std::string split_leaks_file(std::size_t part);

// Decides sides. Thread-safe.
class ValidationSides {
 public:
  explicit ValidationSides(const Context& context);

  // Of all rows of a part; reads their other fields where a field names the source document.
  Result<std::vector<bool>> of_part(std::size_t part) const;

  // Of what sides depend on besides the documents.
  std::string fingerprint() const;

 private:
  // The name of a file in its source: the path below the folder that its glob starts from.
  std::string name_of(const InputFile& file) const;
  std::string key_of(std::uint64_t id) const;
  bool holds_out(const std::string& key) const;

  const Context& context_;
  const ValidationSpec& spec_;
  CounterRng rng_;
  std::vector<std::string> names_;  // by input file
  std::vector<bool> in_pieces_;     // by input file: its documents are pieces of one
};

// The sides as the split stage wrote them: rows of the part that are held out. None where the
// recipe asks for no validation or the stage is not finished.
Result<std::vector<bool>> load_sides(const Context& context, std::size_t part);

// "raw/**/*.jsonl" and "raw/news/1.jsonl" → "news/1.jsonl". Of several patterns the one that starts
// deepest.
std::string name_below(const std::vector<std::string>& patterns, const std::string& path);

}  // namespace headrace::curate
