// SPDX-License-Identifier: Apache-2.0
// Ids in a Parquet file that this program did not write: scores of others, answers of workers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "record/parquet_table.h"

namespace headrace::curate {

// A column of 64-bit integers, signed or not, as a notebook writes them. An error for a row without
// an id and for one below 0.
Result<std::vector<std::uint64_t>> read_given_ids(ParquetReader& reader, const std::string& path,
                                                  std::string_view column = "id");

}  // namespace headrace::curate
