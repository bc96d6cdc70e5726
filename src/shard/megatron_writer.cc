// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "io/file.h"
#include "shard/megatron_index.h"
#include "shard/megatron_shard.h"

namespace headrace::shard {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

class MegatronWriter final : public ShardWriter {
 public:
  MegatronWriter(std::string prefix, std::uint32_t width, io::AtomicFile main)
      : prefix_(std::move(prefix)), width_(width), main_(std::move(main)) {}

  ~MegatronWriter() override {
    for (const std::string& path : committed_) (void)io::remove_all(path);
  }

  Result<void> add(const Sample& sample) override {
    if (!main_) return invalid_argument("{}.bin: add() after finish()", prefix_);
    HEADRACE_RETURN_IF_ERROR(check(sample));
    encoded_.resize(sample.tokens.size() * width_);
    if (width_ == 4) {
      std::memcpy(encoded_.data(), sample.tokens.data(), encoded_.size());
    } else {
      for (std::size_t i = 0; i < sample.tokens.size(); ++i) {
        const auto token = static_cast<std::uint16_t>(sample.tokens[i]);
        std::memcpy(encoded_.data() + 2 * i, &token, 2);
      }
    }
    HEADRACE_RETURN_IF_ERROR(main_->write(encoded_));
    index_.add_sample(encoded_, sample.document_starts);
    sequence_tokens_.push_back(static_cast<std::uint32_t>(sample.tokens.size()));
    return {};
  }

  // The sidecar gets its name last: where it stands, the shard is whole.
  Result<ShardEntry> finish() override {
    if (!main_) return invalid_argument("{}.bin: finish() was called before", prefix_);
    ShardEntry entry;
    entry.path = file_name(prefix_ + ".bin");
    entry.samples = sequence_tokens_.size();
    entry.tokens = index_.main_bytes() / width_;

    std::vector<io::AtomicFile> side_files;
    const std::vector<std::pair<std::string, std::string>> contents = {
        {prefix_ + ".idx", format_megatron_index(width_, sequence_tokens_)},
        {sidecar_path(prefix_ + ".bin"), index_.format()}};
    entry.files.push_back({entry.path, main_->bytes_written(), to_hex(main_->digest())});
    for (const auto& [path, bytes] : contents) {
      HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
      HEADRACE_RETURN_IF_ERROR(file.write(bytes));
      entry.files.push_back({file_name(path), bytes.size(), to_hex(file.digest())});
      side_files.push_back(std::move(file));
    }

    HEADRACE_RETURN_IF_ERROR(commit(*main_, prefix_ + ".bin"));
    for (std::size_t i = 0; i < contents.size(); ++i) {
      HEADRACE_RETURN_IF_ERROR(commit(side_files[i], contents[i].first));
    }
    committed_.clear();
    main_.reset();
    return entry;
  }

 private:
  Result<void> commit(io::AtomicFile& file, const std::string& path) {
    HEADRACE_RETURN_IF_ERROR(file.commit());
    committed_.push_back(path);
    return {};
  }

  Status refused(std::string what) const {
    return invalid_argument("{}.bin, sample {}: {}", prefix_, sequence_tokens_.size(), what);
  }

  Result<void> check(const Sample& sample) const {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
    const std::size_t count = sample.tokens.size();
    if (count == 0) return refused("no tokens; leave empty samples out");
    if (count > std::numeric_limits<std::int32_t>::max() || count * width_ > kMaxBytes) {
      return refused(fmt::format("{} tokens are more than a sample of the format can hold", count));
    }
    const std::uint32_t largest = width_ == 2 ? std::numeric_limits<std::uint16_t>::max()
                                              : std::numeric_limits<std::int32_t>::max();
    const auto wide = std::find_if(sample.tokens.begin(), sample.tokens.end(),
                                   [&](std::uint32_t token) { return token > largest; });
    if (wide != sample.tokens.end()) {
      return refused(fmt::format("token {} at place {} does not fit {}", *wide,
                                 wide - sample.tokens.begin(),
                                 width_ == 2 ? "uint16; use token type int32" : "int32"));
    }
    const auto& starts = sample.document_starts;
    const bool ascending =
        std::adjacent_find(starts.begin(), starts.end(), std::greater_equal<>()) == starts.end();
    if (starts.empty() || starts.front() != 0 || starts.back() >= count || !ascending) {
      return refused("document starts must ascend from 0 and lie inside the sample");
    }
    return {};
  }

  const std::string prefix_;
  const std::uint32_t width_;
  std::optional<io::AtomicFile> main_;
  SidecarBuilder index_;
  std::vector<std::uint32_t> sequence_tokens_;
  std::string encoded_;                 // reused
  std::vector<std::string> committed_;  // removed if finish() ends in the middle
};

}  // namespace

Result<std::unique_ptr<ShardWriter>> create_megatron_writer(const std::string& prefix,
                                                            const ShardOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(const std::uint32_t width, token_width(options.token_type));
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(prefix + ".bin"));
  return std::unique_ptr<ShardWriter>(new MegatronWriter(prefix, width, std::move(file)));
}

}  // namespace headrace::shard
