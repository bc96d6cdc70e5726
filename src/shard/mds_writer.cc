// SPDX-License-Identifier: Apache-2.0
// The offsets stand in front of the samples and their number is known at the end, so a writer holds
// its shard in memory, as Streaming's own does.
#include <cstring>
#include <limits>
#include <utility>
#include <zstd.h>

#include "base/error.h"
#include "base/hash.h"
#include "shard/mds_shard.h"
#include "shard/shard_output.h"

namespace headrace::shard {
namespace {

constexpr int kZstdLevel = 3;  // Streaming's own

void append_u32(std::string* bytes, std::uint64_t value) {
  const auto narrow = static_cast<std::uint32_t>(value);
  bytes->append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
}

// The head of an array whose length is not in its encoding: a byte of its number of dimensions and
// the width of their lengths, the lengths.
void append_shape(std::string* bytes, std::uint64_t length) {
  const unsigned code = length <= 0xff ? 0 : length <= 0xffff ? 1 : length <= 0xffffffff ? 2 : 3;
  bytes->push_back(static_cast<char>((1U << 2) | code));
  bytes->append(reinterpret_cast<const char*>(&length), std::size_t{1} << code);
}

class MdsWriter final : public FieldWriter {
 public:
  MdsWriter(std::string prefix, Schema schema, const FieldOptions& options, ShardOutput output)
      : path_(std::move(prefix) + ".mds"),
        schema_(std::move(schema)),
        compressed_(!options.compression.empty()),
        config_(format_mds_config(schema_, options.compression)),
        output_(std::move(output)) {}

  Result<void> add(FieldValues values) override {
    sample_.clear();
    body_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Field& field = schema_.at(i);
      const std::string_view value = values[i];
      if (is_null(value)) return invalid_argument("field '{}': MDS has no null", field.name);
      const std::size_t begin = body_.size();
      const bool fixed = field.fixed_bytes() > 0;
      if (!fixed && field.is_array()) {
        if (value.empty()) {
          return invalid_argument("field '{}': an empty array, which MDS cannot hold", field.name);
        }
        append_shape(&body_, value.size() / type_width(field.type));
      }
      body_.append(value);
      if (!fixed) append_u32(&sample_, body_.size() - begin);
    }
    sample_ += body_;
    if (sample_.empty()) return invalid_argument("a sample without a byte, which MDS cannot hold");
    // Whatever the number of samples: the offset behind the last one has to fit.
    const std::uint64_t file_bytes =
        8 + 4 * (ends_.size() + 1) + config_.size() + samples_.size() + sample_.size();
    if (file_bytes > std::numeric_limits<std::uint32_t>::max()) {
      return resource_exhausted(
          "{}: {} bytes and more are over the 4 GiB that the 32-bit offsets "
          "of MDS reach; write smaller shards",
          path_, file_bytes);
    }
    samples_ += sample_;
    ends_.push_back(samples_.size());
    return {};
  }

  Result<ShardEntry> finish() override {
    std::string head;
    append_u32(&head, ends_.size());
    const std::uint64_t first = 4 + 4 * (ends_.size() + 1) + config_.size();
    append_u32(&head, first);
    for (const std::uint64_t end : ends_) append_u32(&head, first + end);
    head += config_;
    if (compressed_) {
      HEADRACE_RETURN_IF_ERROR(write_compressed(head + samples_));
    } else {
      HEADRACE_RETURN_IF_ERROR(output_.add_between(head));
      std::uint64_t begin = 0;
      for (const std::uint64_t end : ends_) {
        HEADRACE_RETURN_IF_ERROR(
            output_.add_sample(std::string_view(samples_).substr(begin, end - begin)));
        begin = end;
      }
    }
    return output_.finish();
  }

 private:
  Result<void> write_compressed(const std::string& raw) {
    std::string bytes(ZSTD_compressBound(raw.size()), '\0');
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       &ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
    // A reader of the whole file has no sidecar's sample to check: the frame carries its own.
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    const std::size_t size =
        ZSTD_compress2(context.get(), bytes.data(), bytes.size(), raw.data(), raw.size());
    if (ZSTD_isError(size)) {
      return internal_error("{}: compressing it: {}", path_, ZSTD_getErrorName(size));
    }
    bytes.resize(size);
    return output_.add_between(bytes);
  }

  const std::string path_;
  const Schema schema_;
  const bool compressed_;
  const std::string config_;
  ShardOutput output_;
  std::string samples_;
  std::vector<std::uint64_t> ends_;
  std::string sample_;  // reused
  std::string body_;
};

}  // namespace

Result<std::unique_ptr<FieldWriter>> create_mds_writer(const std::string& prefix,
                                                       const Schema& schema,
                                                       const FieldOptions& options) {
  if (!options.compression.empty() && options.compression != "zstd") {
    return unsupported("{}.mds: compression '{}'; zstd or none", prefix, options.compression);
  }
  for (const Field& field : schema.fields()) {
    if (field.shape.size() > 1 && field.fixed_bytes() == 0) {
      return unsupported("{}.mds, field '{}': arrays of several lengths need all of them fixed",
                         prefix, field.name);
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(
      ShardOutput output,
      ShardOutput::create(prefix + (options.compression.empty() ? ".mds" : ".mds.zstd")));
  return std::unique_ptr<FieldWriter>(new MdsWriter(prefix, schema, options, std::move(output)));
}

}  // namespace headrace::shard
