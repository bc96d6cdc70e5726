// SPDX-License-Identifier: Apache-2.0
// The index database beside a MindRecord shard (NAME.db, SQLite): where every row lies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

// A record as a range of a page, its length prefix included.
struct MindRecordPlace {
  std::uint64_t page = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct MindRecordRow {
  MindRecordPlace raw;
  std::uint64_t group = 0;
  MindRecordPlace blob;
};

// Writes the database of one shard. Single-threaded.
class MindRecordIndexWriter {
 public:
  // `fields`: those with index values. `path` is a temporary name; the name of the main file goes
  // into the database.
  static Result<std::unique_ptr<MindRecordIndexWriter>> create(const std::string& path,
                                                               const std::string& main_name,
                                                               const std::vector<Field>& fields);
  virtual ~MindRecordIndexWriter() = default;
  // `values`: of the index fields, in their order.
  virtual Result<void> add(const MindRecordRow& row, FieldValues values) = 0;
  virtual Result<void> close() = 0;
};

// The rows of the database `path`, which has to be that of the file `main_name`.
Result<std::vector<MindRecordRow>> read_mindrecord_index(const std::string& path,
                                                         const std::string& main_name);

}  // namespace headrace::shard
