// SPDX-License-Identifier: Apache-2.0
#include "curate/given_ids.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace headrace::curate {

Result<std::vector<std::uint64_t>> read_given_ids(ParquetReader& reader, const std::string& path,
                                                  std::string_view column) {
  std::vector<std::uint64_t> ids;
  std::vector<double> nulls;  // integers are read with 0 for null
  HEADRACE_RETURN_IF_ERROR(reader.read_numbers(column, &nulls));
  const auto null =
      std::find_if(nulls.begin(), nulls.end(), [](double id) { return std::isnan(id); });
  if (null != nulls.end()) {
    return invalid_argument("{}: row {} has no id: each row needs the id of its document", path,
                            null - nulls.begin());
  }
  const std::vector<ColumnInfo> columns = reader.columns();
  const bool is_signed = std::any_of(columns.begin(), columns.end(), [&](const ColumnInfo& info) {
    return info.name == column && info.type == ColumnType::kInt64;
  });
  if (!is_signed) {
    HEADRACE_RETURN_IF_ERROR(reader.read_uint64(column, &ids));
    return ids;
  }
  std::vector<std::int64_t> numbers;
  HEADRACE_RETURN_IF_ERROR(reader.read_int64(column, &numbers));
  for (const std::int64_t number : numbers) {
    if (number < 0) return invalid_argument("{}: the id {} is below 0", path, number);
    ids.push_back(static_cast<std::uint64_t>(number));
  }
  return ids;
}

}  // namespace headrace::curate
