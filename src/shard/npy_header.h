// SPDX-License-Identifier: Apache-2.0
// The header of NumPy's .npy files: of arrays inside WebDataset shards, and of token files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"

namespace headrace::shard {

struct NpyHeader {
  std::string descr;                // "<i4"
  std::vector<std::int64_t> shape;  // empty: a single value
  std::size_t bytes = 0;            // of the header; the values lie behind
};

// "" for strings and bytes, which NumPy's files hold otherwise.
std::string_view npy_descr(FieldType type);
std::optional<FieldType> npy_type(std::string_view descr);

// Version 1.0, padded to 64 bytes.
std::string format_npy_header(FieldType type, const std::vector<std::int64_t>& shape);
bool is_npy(std::string_view bytes);
// The Status says what is wrong, without a file. Refuses Fortran order and big-endian numbers.
Result<NpyHeader> parse_npy_header(std::string_view bytes);

}  // namespace headrace::shard
