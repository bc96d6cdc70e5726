// SPDX-License-Identifier: Apache-2.0
// Small reads in order → few large requests.
//
// A request to a store costs 10 to 100 ms before its first byte, so reading blocks of 256 KiB one
// by one would crawl. Requests start small, since many openings only look at the front of a file,
// and double while the reads go on in order. A read elsewhere starts small again.
#include <algorithm>
#include <cstring>
#include <utility>

#include "io/internal/file_system.h"

namespace headrace::io {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 18;
constexpr std::size_t kMostBytes = std::size_t{1} << 23;

class ReadAhead final : public ReadableFile {
 public:
  explicit ReadAhead(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size() && offset + done < file_->bytes()) {
      if (offset + done < begin_ || offset + done >= begin_ + block_.size()) {
        HEADRACE_RETURN_IF_ERROR(fetch(offset + done, buffer.size() - done));
        if (block_.empty()) break;
      }
      const auto from = static_cast<std::size_t>(offset + done - begin_);
      const std::size_t size = std::min(block_.size() - from, buffer.size() - done);
      std::memcpy(buffer.data() + done, block_.data() + from, size);
      done += size;
    }
    return done;
  }

  std::uint64_t bytes() const override { return file_->bytes(); }
  const std::string& name() const override { return file_->name(); }

 private:
  Result<void> fetch(std::uint64_t offset, std::size_t wanted) {
    const bool goes_on = offset == begin_ + block_.size();
    next_bytes_ = goes_on ? std::min(next_bytes_ * 2, kMostBytes) : kFirstBytes;
    const std::uint64_t left = file_->bytes() - offset;
    const std::size_t most = std::clamp(wanted, next_bytes_, std::max(next_bytes_, kMostBytes));
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, most));
    block_.resize(size);
    begin_ = offset;
    auto got = file_->read_at(offset, block_);
    block_.resize(got ? *got : 0);
    if (!got) return std::move(got).error();
    return {};
  }

  std::unique_ptr<ReadableFile> file_;
  std::string block_;
  std::uint64_t begin_ = 0;  // of block_ in the file
  std::size_t next_bytes_ = kFirstBytes / 2;
};

}  // namespace

std::unique_ptr<ReadableFile> read_ahead(std::unique_ptr<ReadableFile> file) {
  return std::make_unique<ReadAhead>(std::move(file));
}

}  // namespace headrace::io
