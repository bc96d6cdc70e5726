// SPDX-License-Identifier: Apache-2.0
// The meta of documents whose format has no JSON of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace headrace::read {

// Appends members to one JSON object: those that `keep` names, or all of them. `json` is "" where
// there was none. Single-threaded.
class MetaWriter {
 public:
  explicit MetaWriter(const ReadOptions& options)
      : keep_all_(options.keep_all), keep_(options.keep) {}

  void start(std::string* json) {
    json_ = json;
    json_->clear();
  }
  // Bytes that are not UTF-8 are taken for Latin-1, as in header lines of old.
  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, std::uint64_t number);
  void finish() {
    if (!json_->empty()) *json_ += '}';
  }

 private:
  bool begin(std::string_view name);

  bool keep_all_;
  std::vector<std::string> keep_;
  std::string* json_ = nullptr;
};

}  // namespace headrace::read
