// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/quote.h"
#include "shard/npy_header.h"
#include "shard/shard_output.h"
#include "shard/tar.h"
#include "shard/webdataset_shard.h"

namespace headrace::shard {
namespace {

constexpr std::size_t kMostKeyBytes = 1024;

class WebDatasetWriter final : public FieldWriter {
 public:
  WebDatasetWriter(const std::string& prefix, Schema schema, ShardOutput output)
      : schema_(std::move(schema)),
        key_field_(schema_.find(kKeyField)),
        stem_(file_name(prefix)),
        output_(std::move(output)) {
    std::replace(stem_.begin(), stem_.end(), '.', '_');
    for (const Field& field : schema_.fields()) extensions_.push_back(member_extension(field));
  }

  Result<void> add(FieldValues values) override {
    std::string key = key_field_ ? std::string(values[*key_field_])
                                 : fmt::format("{}-{:08}", stem_, keys_.size());
    HEADRACE_RETURN_IF_ERROR(check_key(key));
    sample_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == key_field_ || is_null(values[i])) continue;
      name_ = key;
      name_ += '.';
      name_ += extensions_[i];
      const Field& field = schema_.at(i);
      if (type_width(field.type) == 0) {
        append_tar_member(name_, values[i], &sample_);
      } else {
        array_ = format_npy_header(field.type, shape_of(field, values[i]));
        array_ += values[i];
        append_tar_member(name_, array_, &sample_);
      }
    }
    if (sample_.empty()) return invalid_argument("a sample without a field, which tar cannot hold");
    HEADRACE_RETURN_IF_ERROR(output_.add_sample(sample_));
    keys_.insert(std::move(key));
    return {};
  }

  Result<ShardEntry> finish() override {
    HEADRACE_RETURN_IF_ERROR(output_.add_between(tar_end(output_.bytes())));
    return output_.finish();
  }

 private:
  // What readers cut elsewhere, skip or merge with a neighbour.
  Result<void> check_key(const std::string& key) const {
    const auto refused = [&](std::string_view why) {
      return invalid_argument("key '{}': {}", excerpt(key), why);
    };
    if (key.empty() || key.size() > kMostKeyBytes) {
      return refused(fmt::format("of {} bytes; from 1 to {}", key.size(), kMostKeyBytes));
    }
    if (key.find('.') != std::string::npos) {
      return refused("a dot, where readers end the key; replace it");
    }
    if (key.front() == '/' || key.back() == '/' || key.find("//") != std::string::npos ||
        key.find_first_of(std::string_view("\0\n", 2)) != std::string::npos) {
      return refused("not the path of a file in an archive");
    }
    if (!split_member_name(key + ".x")) return refused("readers take it for metadata and skip it");
    if (keys_.contains(key)) return refused("it stands twice in the shard");
    return {};
  }

  static std::vector<std::int64_t> shape_of(const Field& field, std::string_view value) {
    std::vector<std::int64_t> shape = field.shape;
    auto elements = static_cast<std::int64_t>(value.size() / type_width(field.type));
    for (const std::int64_t length : shape) elements /= length == -1 ? 1 : length;
    for (std::int64_t& length : shape) {
      if (length == -1) length = elements;
    }
    return shape;
  }

  const Schema schema_;
  const std::optional<std::size_t> key_field_;
  std::string stem_;
  std::vector<std::string> extensions_;
  ShardOutput output_;
  std::unordered_set<std::string> keys_;
  std::string sample_;  // reused
  std::string name_;
  std::string array_;
};

}  // namespace

Result<std::unique_ptr<FieldWriter>> create_webdataset_writer(const std::string& prefix,
                                                              const Schema& schema,
                                                              const FieldOptions&) {
  for (const Field& field : schema.fields()) {
    if (field.name == kKeyField) {
      if (field.type == FieldType::kString) continue;
      return invalid_argument("{}.tar: the field '{}' is the name of a sample: a string", prefix,
                              kKeyField);
    }
    const auto read = extension_field(member_extension(field));
    if (!read || read->name != field.name) {
      return unsupported(
          "{}.tar, field '{}': readers of WebDataset make another name of it; lower "
          "case and digits stay",
          prefix, field.name);
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(ShardOutput output, ShardOutput::create(prefix + ".tar"));
  return std::unique_ptr<FieldWriter>(new WebDatasetWriter(prefix, schema, std::move(output)));
}

}  // namespace headrace::shard
