// SPDX-License-Identifier: Apache-2.0
#include "read/internal/arrow_check.h"

namespace headrace::read {
namespace {

std::shared_ptr<arrow::DataType> as_bytes(arrow::Type::type type) {
  switch (type) {
    case arrow::Type::STRING:
      return arrow::binary();
    case arrow::Type::LARGE_STRING:
      return arrow::large_binary();
    case arrow::Type::STRING_VIEW:
      return arrow::binary_view();
    default:
      return nullptr;
  }
}

// What a value outside of its type's range is in any case.
std::shared_ptr<arrow::DataType> as_number(arrow::Type::type type) {
  switch (type) {
    case arrow::Type::TIME32:
      return arrow::int32();
    case arrow::Type::DATE64:
    case arrow::Type::TIME64:
      return arrow::int64();
    default:
      return nullptr;
  }
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::RecordBatch>> check_batch(const arrow::RecordBatch& batch) {
  arrow::FieldVector fields = batch.schema()->fields();
  arrow::ArrayVector columns = batch.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (const auto bytes = as_bytes(columns[i]->type_id()); bytes != nullptr) {
      ARROW_ASSIGN_OR_RAISE(columns[i], columns[i]->View(bytes));
      fields[i] = fields[i]->WithType(bytes);
    }
    std::shared_ptr<arrow::Array> checked = columns[i];
    if (const auto number = as_number(checked->type_id()); number != nullptr) {
      ARROW_ASSIGN_OR_RAISE(checked, checked->View(number));
    }
    ARROW_RETURN_NOT_OK(checked->ValidateFull());
  }
  auto sound = arrow::RecordBatch::Make(arrow::schema(fields), batch.num_rows(), columns);
  ARROW_RETURN_NOT_OK(sound->Validate());
  return sound;
}

}  // namespace headrace::read
