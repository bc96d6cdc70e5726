// SPDX-License-Identifier: Apache-2.0
// The header of a MindRecord shard: a length and one line of JSON, before the pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

struct MindRecordPage {
  bool blob = false;
  // Of a blob page its row group; of a raw page what MindSpore writes and nobody reads.
  std::uint64_t type_id = 0;
  std::uint64_t first_row = 0;  // of a blob page, as the next
  std::uint64_t end_row = 0;
  struct Group {
    std::uint64_t id;
    std::uint64_t offset;
  };
  std::vector<Group> groups;  // of a raw page
  std::uint64_t bytes = 0;    // that are used
};

struct MindRecordHeader {
  std::uint64_t header_bytes = 0;
  std::uint64_t page_bytes = 0;
  std::uint64_t saved_bytes = 0;
  std::vector<std::string> index_fields;
  std::vector<MindRecordPage> pages;
  std::string description;
  Schema schema;
  std::vector<std::string> set_names;
  std::uint64_t shard_number = 0;
  std::string version = "3.0";

  std::uint64_t rows() const;
  std::uint64_t page_offset(std::uint64_t page) const { return header_bytes + page * page_bytes; }
};

// The bytes that the file begins with: the length (u64), the JSON.
std::string format_mindrecord_header(const MindRecordHeader& header);
// `json`: without the length. `path` names the file in errors.
Result<MindRecordHeader> parse_mindrecord_header(std::string_view json, const std::string& path);

}  // namespace headrace::shard
