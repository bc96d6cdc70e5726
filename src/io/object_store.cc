// SPDX-License-Identifier: Apache-2.0
// Files in an object store or HDFS, over a file system of Arrow.
//
// A time of modification is cut to whole seconds: S3 tells milliseconds in listings and seconds for
// one object, and both must mean the same.
//
// Writing goes to S3 only: an object is there when its upload is completed, and one that is given
// up leaves nothing. The other file systems of Arrow show what was written when a stream is
// dropped.
#include "io/internal/object_store.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>

#include "base/error.h"
#include "io/internal/arrow_stores.h"
#include "io/rate_limit.h"

namespace headrace::io {
namespace {

constexpr std::string_view kSchemes[] = {"s3", "gs", "abfs", "hdfs"};
constexpr std::int64_t kSecond = 1'000'000'000;

// One call of Arrow as an attempt of with_retries().
template <class Call>
std::optional<Failure> attempt(const Call& call) {
  forget_failure();
  const arrow::Status status = call();
  if (status.ok()) return std::nullopt;
  return failure_of(status);
}

FileInfo info_of(const arrow::fs::FileInfo& found) {
  FileInfo info;
  info.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(found.size(), 0));
  info.is_directory = found.IsDirectory();
  if (found.mtime() != arrow::fs::kNoTime) {
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(found.mtime().time_since_epoch())
            .count();
    info.modified_ns = time - time % kSecond;
  }
  return info;
}

class StoreFile final : public ReadableFile {
 public:
  StoreFile(std::string name, std::shared_ptr<arrow::io::RandomAccessFile> file,
            std::uint64_t bytes, RetryPolicy policy)
      : name_(std::move(name)), file_(std::move(file)), bytes_(bytes), policy_(std::move(policy)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    if (offset >= bytes_) return 0;
    const auto size = std::min<std::uint64_t>(buffer.size(), bytes_ - offset);
    const auto read = [&]() -> std::optional<Failure> {
      remote_read_limit().take(size);
      std::int64_t got = 0;
      const auto failure = attempt([&] {
        return file_
            ->ReadAt(static_cast<std::int64_t>(offset), static_cast<std::int64_t>(size),
                     buffer.data())
            .Value(&got);
      });
      if (failure || static_cast<std::uint64_t>(got) == size) return failure;
      return Failure{unavailable("the body ended at {} of {} bytes", got, size), true};
    };
    HEADRACE_RETURN_IF_ERROR(
        with_retries(policy_, fmt::format("reading {} at offset {}", name_, offset), read));
    return static_cast<std::size_t>(size);
  }

  std::uint64_t bytes() const override { return bytes_; }
  const std::string& name() const override { return name_; }

 private:
  const std::string name_;
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::uint64_t bytes_;
  const RetryPolicy policy_;
};

class StoreWriter final : public RemoteWriter {
 public:
  StoreWriter(std::string name, ArrowStore store, std::shared_ptr<arrow::io::OutputStream> stream)
      : name_(std::move(name)), store_(std::move(store)), stream_(std::move(stream)) {}
  // Left alone, the stream would complete the upload.
  ~StoreWriter() override {
    if (stream_ != nullptr) static_cast<void>(stream_->Abort());
  }

  Result<void> write(std::string_view bytes) override {
    const arrow::Status status =
        stream_->Write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
    return status.ok() ? Result<void>{} : failed(status);
  }

  Result<void> commit() override {
    const arrow::Status status = stream_->Close();
    if (!status.ok()) return failed(status);
    stream_ = nullptr;
    return {};
  }

 private:
  Status failed(const arrow::Status& status) const {
    const Failure failure = failure_of(status);
    return Status(failure.cause.code(),
                  fmt::format("writing {}: {} ({})", name_, failure.cause.message(),
                              tries_made(store_.tries->load())));
  }

  const std::string name_;
  const ArrowStore store_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
};

// Opens the stores of a place; a store that is given serves for all.
class ObjectStore final : public FileSystem {
 public:
  explicit ObjectStore(RetryPolicy policy) : policy_(std::move(policy)) {}
  ObjectStore(ArrowStore store, RetryPolicy policy)
      : given_(std::move(store)), policy_(std::move(policy)) {}

  Result<FileInfo> info(const Uri& uri) override {
    HEADRACE_ASSIGN_OR_RETURN(const ArrowStore store, store_of(uri));
    HEADRACE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo found, look_at(store, uri));
    return info_of(found);
  }

  Result<std::vector<Listed>> list(const Uri& uri, const std::string& folder,
                                   bool recursive) override {
    const bool given = given_.files != nullptr;
    HEADRACE_ASSIGN_OR_RETURN(
        const ArrowStore store,
        given ? Result<ArrowStore>(given_) : persistent_arrow_store_of(uri, policy_));
    arrow::fs::FileSelector selector;
    selector.base_dir = place(store, folder);
    selector.allow_not_found = true;
    selector.recursive = recursive;
    forget_failure();
    const auto found = store.files->GetFileInfo(selector);
    if (!found.ok()) {
      const Failure failure = failure_of(found.status());
      return Status(failure.cause.code(),
                    fmt::format("listing {}: {} ({})", public_name(uri.with_path(folder)),
                                failure.cause.message(),
                                !failure.tries.empty()   ? failure.tries
                                : store.tries == nullptr ? tries_made(1)
                                                         : tries_made(store.tries->load())));
    }
    std::vector<Listed> files;
    for (const arrow::fs::FileInfo& entry : *found) {
      if (recursive && !entry.IsFile()) continue;
      std::string_view path = entry.path();
      path.remove_prefix(std::min(store.root.size(), path.size()));
      while (path.starts_with('/') && !store.root.empty()) path.remove_prefix(1);
      files.push_back({std::string(path), info_of(entry)});
    }
    return files;
  }

  Result<std::unique_ptr<ReadableFile>> open(const Uri& uri) override {
    HEADRACE_ASSIGN_OR_RETURN(const ArrowStore store, store_of(uri));
    HEADRACE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo found, look_at(store, uri));
    if (found.IsDirectory()) return invalid_argument("opening {}: it is a folder", uri.name);
    std::shared_ptr<arrow::io::RandomAccessFile> file;
    HEADRACE_RETURN_IF_ERROR(with_retries(policy_, "opening " + uri.name, [&] {
      return attempt([&] { return store.files->OpenInputFile(found).Value(&file); });
    }));
    return std::make_unique<StoreFile>(uri.name, std::move(file), info_of(found).bytes, policy_);
  }

  Result<std::unique_ptr<RemoteWriter>> create(const Uri& uri) override {
    if (uri.scheme != "s3") {
      return unsupported("writing {}: files of {}:// are read only; write to s3:// or a local path",
                         uri.name, uri.scheme);
    }
    HEADRACE_ASSIGN_OR_RETURN(ArrowStore store, persistent_arrow_store_of(uri, policy_));
    std::shared_ptr<arrow::io::OutputStream> stream;
    forget_failure();
    const arrow::Status status =
        store.files->OpenOutputStream(place(store, uri.path)).Value(&stream);
    if (!status.ok()) {
      const Failure failure = failure_of(status);
      return Status(failure.cause.code(),
                    fmt::format("creating {}: {} ({})", uri.name, failure.cause.message(),
                                tries_made(store.tries->load())));
    }
    return std::make_unique<StoreWriter>(uri.name, std::move(store), std::move(stream));
  }

 private:
  Result<ArrowStore> store_of(const Uri& uri) const {
    return given_.files != nullptr ? Result<ArrowStore>(given_) : arrow_store_of(uri);
  }

  static std::string place(const ArrowStore& store, std::string_view path) {
    if (path.ends_with('/')) path.remove_suffix(1);
    if (store.root.empty()) return std::string(path);
    return path.empty() ? store.root : join(store.root, path);
  }

  Result<arrow::fs::FileInfo> look_at(const ArrowStore& store, const Uri& uri) const {
    arrow::fs::FileInfo found;
    const std::string doing = "looking at " + uri.name;
    HEADRACE_RETURN_IF_ERROR(with_retries(policy_, doing, [&] {
      return attempt(
          [&] { return store.files->GetFileInfo(place(store, uri.path)).Value(&found); });
    }));
    if (found.type() != arrow::fs::FileType::NotFound) return found;
    return not_found("{}: there is no such object", doing);
  }

  const ArrowStore given_;
  const RetryPolicy policy_;
};

}  // namespace

Result<std::shared_ptr<FileSystem>> object_store_of(const Uri& uri) {
  if (std::find(std::begin(kSchemes), std::end(kSchemes), uri.scheme) == std::end(kSchemes)) {
    return unsupported("{}: no files by {}://; there are s3, gs, abfs, hdfs, http, https and local",
                       uri.name, uri.scheme);
  }
  static const auto all = std::make_shared<ObjectStore>(default_retry_policy());
  return std::shared_ptr<FileSystem>(all);
}

std::shared_ptr<FileSystem> make_object_store(std::shared_ptr<arrow::fs::FileSystem> files,
                                              std::string root, RetryPolicy policy) {
  return std::make_shared<ObjectStore>(
      ArrowStore{.files = std::move(files), .root = std::move(root), .tries = nullptr},
      std::move(policy));
}

}  // namespace headrace::io
