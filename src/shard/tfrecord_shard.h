// SPDX-License-Identifier: Apache-2.0
// The two directions of a TFRecord shard, and tf.train.Example.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

Result<std::unique_ptr<FieldWriter>> create_tfrecord_writer(const std::string& prefix,
                                                            const Schema& schema,
                                                            const FieldOptions& options);
Result<std::unique_ptr<FieldReader>> open_tfrecord_reader(const std::string& path,
                                                          const FieldReadOptions& options);

// TFRecord's own form of a CRC32C, so that records may hold records.
std::uint32_t masked_crc32c(std::string_view bytes);
// Length, its checksum, the bytes, their checksum.
void append_tfrecord(std::string_view bytes, std::string* out);

// Features by their names in order: the same values give the same bytes. Nulls are left out.
void append_example(const Schema& schema, FieldValues values, std::string* out);
// Appends the values to `sample`; what the schema does not name is passed over, what is not there
// is null. The Status says what is wrong, without a file.
Result<void> parse_example(const Schema& schema, std::string_view bytes, FieldBuffer* sample);
// The features as they are: bytes, int64[-1], float32[-1].
Result<Schema> example_schema(std::string_view bytes);

}  // namespace headrace::shard
