// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "shard/shard_output.h"
#include "shard/tfrecord_shard.h"

namespace headrace::shard {
namespace {

template <class T>
void append(std::string* out, T value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class TfrecordWriter final : public FieldWriter {
 public:
  TfrecordWriter(Schema schema, ShardOutput output)
      : schema_(std::move(schema)), output_(std::move(output)) {}

  Result<void> add(FieldValues values) override {
    example_.clear();
    record_.clear();
    append_example(schema_, values, &example_);
    append_tfrecord(example_, &record_);
    return output_.add_sample(record_);
  }

  Result<ShardEntry> finish() override { return output_.finish(); }

 private:
  const Schema schema_;
  ShardOutput output_;
  std::string example_;  // reused
  std::string record_;
};

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
  constexpr std::uint32_t kMask = 0xa282ead8;
  return std::rotr(crc32c(bytes), 15) + kMask;
}

void append_tfrecord(std::string_view bytes, std::string* out) {
  const std::uint64_t length = bytes.size();
  append(out, length);
  append(out, masked_crc32c({reinterpret_cast<const char*>(&length), sizeof(length)}));
  out->append(bytes);
  append(out, masked_crc32c(bytes));
}

Result<std::unique_ptr<FieldWriter>> create_tfrecord_writer(const std::string& prefix,
                                                            const Schema& schema,
                                                            const FieldOptions&) {
  for (const Field& field : schema.fields()) {
    if (field.type != FieldType::kFloat64) continue;
    return unsupported(
        "{}.tfrecord, field '{}': tf.train.Example has no float64; float32 would "
        "lose digits, bytes keep them",
        prefix, field.name);
  }
  HEADRACE_ASSIGN_OR_RETURN(ShardOutput output, ShardOutput::create(prefix + ".tfrecord"));
  return std::unique_ptr<FieldWriter>(new TfrecordWriter(schema, std::move(output)));
}

}  // namespace headrace::shard
