// SPDX-License-Identifier: Apache-2.0
// Local files are opened by Arrow itself; remote ones by the room io, for its retries, its errors
// and its names without secrets.
#include "read/internal/arrow_input.h"

#include <mutex>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/io/interfaces.h>

#include "base/error.h"
#include "io/random_file.h"
#include "io/uri.h"

namespace headrace::read {
namespace {

class RemoteInput final : public arrow::io::RandomAccessFile {
 public:
  explicit RemoteInput(io::RandomFile file) : file_(std::move(file)) {}

  arrow::Result<std::int64_t> GetSize() override { return size(); }
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Seek(std::int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }

  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t wanted,
                                     void* out) override {
    if (position < 0 || wanted < 0) return arrow::Status::Invalid("a negative offset or size");
    const std::int64_t got = std::max<std::int64_t>(std::min(wanted, size() - position), 0);
    const auto read = file_.read(static_cast<std::uint64_t>(position),
                                 std::span(static_cast<char*>(out), static_cast<std::size_t>(got)));
    if (!read) {
      const std::lock_guard lock(mutex_);
      if (failure_) failure_ = read;
      return arrow::Status::IOError(read.error().message());
    }
    return got;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                       std::int64_t wanted) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(wanted));
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position, wanted, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

  arrow::Result<std::int64_t> Read(std::int64_t wanted, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position_, wanted, out));
    position_ += got;
    return got;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t wanted) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, wanted));
    position_ += buffer->size();
    return buffer;
  }

  Result<void> failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(file_.bytes()); }

  const io::RandomFile file_;
  std::int64_t position_ = 0;
  bool closed_ = false;
  mutable std::mutex mutex_;
  Result<void> failure_;
};

}  // namespace

Result<void> check_input(const arrow::io::RandomAccessFile& input) {
  const auto* remote = dynamic_cast<const RemoteInput*>(&input);
  return remote != nullptr ? remote->failure() : Result<void>{};
}

Result<std::shared_ptr<arrow::io::RandomAccessFile>> open_arrow_input(const std::string& path) {
  if (io::is_remote(path)) {
    HEADRACE_ASSIGN_OR_RETURN(io::RandomFile file, io::RandomFile::open(path));
    return std::make_shared<RemoteInput>(std::move(file));
  }
  auto input = arrow::io::ReadableFile::Open(io::local_path(path));
  if (!input.ok()) return unavailable("opening {}: {}", path, input.status().message());
  return std::shared_ptr<arrow::io::RandomAccessFile>(*std::move(input));
}

}  // namespace headrace::read
