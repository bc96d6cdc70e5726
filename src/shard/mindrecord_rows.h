// SPDX-License-Identifier: Apache-2.0
// Rows of MindRecord as their two records: the raw one (a msgpack map of the single values) and the
// blob (bytes and arrays). Without the u64 length in front. Byte layout:
// docs/formats/mindrecord.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

class MindRecordRows {
 public:
  MindRecordRows() = default;
  // `packed`: integer arrays by the widths of their elements, as files of version "3.0" have them.
  MindRecordRows(Schema schema, bool packed);
  // Types that MindRecord lacks, by name.
  static Result<void> check(const Schema& schema);

  const Schema& schema() const { return schema_; }
  const std::vector<std::size_t>& raw_fields() const { return raw_; }
  const std::vector<std::size_t>& blob_fields() const { return blob_; }

  // Append. `saved`: bytes that packing spared; less than 0 where it cost some.
  void encode_raw(FieldValues values, std::string* record) const;
  void encode_blob(FieldValues values, std::string* record, std::int64_t* saved) const;

  // Append values to `sample`. The Status says what is wrong, without file and place.
  Result<void> decode_raw(std::string_view record, FieldBuffer* sample) const;
  Result<void> decode_blob(std::string_view record, FieldBuffer* sample) const;

 private:
  bool is_packed(const Field& field) const;
  void encode_field(std::size_t field, std::string_view value, std::string* record,
                    std::int64_t* saved) const;
  Result<void> decode_field(std::size_t field, std::string_view bytes, FieldBuffer* sample) const;

  Schema schema_;
  bool packed_ = true;
  std::vector<std::size_t> raw_;
  std::vector<std::size_t> blob_;
};

}  // namespace headrace::shard
