// SPDX-License-Identifier: Apache-2.0
// Files of web servers, read by byte ranges.
//
// The first request asks for one byte: its answer tells size, ETag and whether the server knows
// ranges. A HEAD would be as short, but presigned links are signed for GET alone. A server without
// ranges answers with the whole file: it is then fetched once into a temporary file without a name.
//
// Each answer must be of the file that was opened (ETag and size) and as long as was asked for.
#include "io/internal/http.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "io/rate_limit.h"

namespace headrace::io {
namespace {

constexpr int kWhole = 200;
constexpr int kPart = 206;
constexpr int kNotSatisfiable = 416;

bool is_busy(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

// What a bad answer means; nothing for a good one.
std::optional<Failure> failure_of(const HttpReply& reply) {
  if (!reply.error.empty()) {
    return Failure{unavailable("{}", redact(reply.error)), reply.transient, reply.retry_after_s};
  }
  if (reply.status == kWhole || reply.status == kPart) return std::nullopt;
  const Code code =
      reply.status == 404 || reply.status == 410 ? Code::kNotFound : Code::kUnavailable;
  return Failure{Status(code, fmt::format("the server answers {}", reply.status)),
                 is_busy(reply.status), reply.retry_after_s};
}

// What the first answer told.
struct Opened {
  FileInfo info;
  bool ranges = false;
};

class WebFile final : public ReadableFile {
 public:
  WebFile(const Uri& uri, std::string url, const Opened& opened,
          std::shared_ptr<HttpTransport> transport, RetryPolicy policy)
      : name_(uri.name),
        url_(std::move(url)),
        info_(opened.info),
        transport_(std::move(transport)),
        policy_(std::move(policy)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    if (offset >= info_.bytes || buffer.empty()) return 0;
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), info_.bytes - offset));
    HEADRACE_RETURN_IF_ERROR(with_retries(policy_,
                                          fmt::format("reading {} at offset {}", name_, offset),
                                          [&] { return read_once(offset, buffer.first(size)); }));
    return size;
  }

  std::uint64_t bytes() const override { return info_.bytes; }
  const std::string& name() const override { return name_; }

 private:
  std::optional<Failure> read_once(std::uint64_t offset, std::span<char> buffer) const {
    remote_read_limit().take(buffer.size());
    std::size_t done = 0;
    std::string changed;
    const HttpReply reply =
        transport_->get({.url = url_,
                         .ranged = true,
                         .first = offset,
                         .last = offset + buffer.size() - 1,
                         .head =
                             [&](const HttpReply& head) {
                               if (head.status == kPart || head.status == kWhole)
                                 changed = difference(head, offset);
                               return head.status == kPart && changed.empty();
                             },
                         .body =
                             [&](std::string_view bytes) {
                               if (bytes.size() > buffer.size() - done) return false;
                               std::memcpy(buffer.data() + done, bytes.data(), bytes.size());
                               done += bytes.size();
                               return true;
                             }});
    if (!changed.empty()) return Failure{unavailable("{}", changed), false, 0};
    if (auto failure = failure_of(reply)) return failure;
    if (done < buffer.size()) {
      return Failure{unavailable("the body ended at {} of {} bytes", done, buffer.size()), true, 0};
    }
    return std::nullopt;
  }

  // Why an answer is not of the file that was opened; "" when it is.
  std::string difference(const HttpReply& head, std::uint64_t offset) const {
    if (head.status != kPart) return "the server no longer serves ranges";
    if (head.total >= 0 && static_cast<std::uint64_t>(head.total) != info_.bytes) {
      return fmt::format("it changed while it was read: {} bytes, {} when it was opened",
                         head.total, info_.bytes);
    }
    if (!head.etag.empty() && !info_.version.empty() && head.etag != info_.version) {
      return fmt::format("it changed while it was read: ETag {}, {} when it was opened", head.etag,
                         info_.version);
    }
    if (head.first >= 0 && static_cast<std::uint64_t>(head.first) != offset) {
      return fmt::format("the server answers with another range, from {} on", head.first);
    }
    return "";
  }

  const std::string name_;
  const std::string url_;
  const FileInfo info_;
  const std::shared_ptr<HttpTransport> transport_;
  const RetryPolicy policy_;
};

// A whole file that was fetched.
class SpooledFile final : public ReadableFile {
 public:
  SpooledFile(std::string name, Descriptor file, std::uint64_t bytes)
      : name_(std::move(name)), file_(std::move(file)), bytes_(bytes) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    return io::read_at(file_.get(), name_, offset, buffer.data(), buffer.size());
  }
  std::uint64_t bytes() const override { return bytes_; }
  const std::string& name() const override { return name_; }

 private:
  const std::string name_;
  const Descriptor file_;
  const std::uint64_t bytes_;
};

Result<Descriptor> nameless_file() {
  std::error_code error;
  std::string path = std::filesystem::temp_directory_path(error) / "headrace-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) return errno_status(errno, "creating a temporary file " + path);
  ::unlink(path.c_str());
  return Descriptor(fd);
}

class Web final : public FileSystem {
 public:
  Web(std::shared_ptr<HttpTransport> transport, RetryPolicy policy)
      : transport_(std::move(transport)), policy_(std::move(policy)) {}

  Result<FileInfo> info(const Uri& uri) override {
    HEADRACE_ASSIGN_OR_RETURN(const Opened opened, look_at(uri, "looking at "));
    return opened.info;
  }

  Result<std::vector<Listed>> list(const Uri& uri, const std::string&, bool) override {
    return unsupported("{}: a web server cannot be listed: name each file", uri.name);
  }

  Result<std::unique_ptr<ReadableFile>> open(const Uri& uri) override {
    HEADRACE_ASSIGN_OR_RETURN(const Opened opened, look_at(uri, "opening "));
    if (!opened.ranges) return fetch(uri);
    return std::make_unique<WebFile>(uri, url(uri), opened, transport_, policy_);
  }

  Result<std::unique_ptr<RemoteWriter>> create(const Uri& uri) override {
    return unsupported("writing {}: files of web servers are read only", uri.name);
  }

 private:
  static std::string url(const Uri& uri) {
    return uri.query.empty() ? fmt::format("{}/{}", uri.root(), uri.path)
                             : fmt::format("{}/{}?{}", uri.root(), uri.path, uri.query);
  }

  Result<Opened> look_at(const Uri& uri, std::string_view doing) const {
    Opened opened;
    HEADRACE_RETURN_IF_ERROR(with_retries(policy_, std::string(doing) + uri.name,
                                          [&] { return look_once(uri, &opened); }));
    return opened;
  }

  std::optional<Failure> look_once(const Uri& uri, Opened* opened) const {
    const HttpReply reply =
        transport_->get({.url = url(uri),
                         .head = [](const HttpReply& head) { return head.status != kWhole; },
                         .body = [](std::string_view) { return true; }});
    // An empty file has no first byte.
    const bool empty = reply.status == kNotSatisfiable && reply.total == 0;
    if (!empty) {
      if (auto failure = failure_of(reply)) return failure;
    }
    opened->ranges = reply.status == kPart && reply.total >= 0;
    const std::int64_t bytes = opened->ranges ? reply.total : empty ? 0 : reply.length;
    opened->info.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
    opened->info.modified_ns = reply.modified_s * 1'000'000'000;
    opened->info.version = reply.etag;
    return std::nullopt;
  }

  Result<std::unique_ptr<ReadableFile>> fetch(const Uri& uri) const {
    HEADRACE_ASSIGN_OR_RETURN(const Descriptor file, nameless_file());
    std::uint64_t bytes = 0;
    Result<void> written;
    HEADRACE_RETURN_IF_ERROR(with_retries(policy_, "reading " + uri.name, [&] {
      bytes = 0;
      if (::ftruncate(file.get(), 0) != 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        return std::optional(Failure{errno_status(errno, "emptying a temporary file")});
      }
      return fetch_once(uri, file, &bytes);
    }));
    return std::make_unique<SpooledFile>(uri.name, Descriptor(::dup(file.get())), bytes);
  }

  std::optional<Failure> fetch_once(const Uri& uri, const Descriptor& file,
                                    std::uint64_t* bytes) const {
    Result<void> written;
    const HttpReply reply =
        transport_->get({.url = url(uri),
                         .ranged = false,
                         .head = [](const HttpReply& head) { return head.status == kWhole; },
                         .body =
                             [&](std::string_view part) {
                               written = write_all(file.get(), "a temporary file", part);
                               *bytes += part.size();
                               return written.has_value();
                             }});
    if (!written) return Failure{written.error()};
    if (auto failure = failure_of(reply)) return failure;
    if (reply.length >= 0 && *bytes != static_cast<std::uint64_t>(reply.length)) {
      return Failure{unavailable("the body ended at {} of {} bytes", *bytes, reply.length), true,
                     0};
    }
    return std::nullopt;
  }

  const std::shared_ptr<HttpTransport> transport_;
  const RetryPolicy policy_;
};

}  // namespace

std::shared_ptr<FileSystem> make_web(std::shared_ptr<HttpTransport> transport, RetryPolicy policy) {
  return std::make_shared<Web>(std::move(transport), std::move(policy));
}

std::shared_ptr<FileSystem> web() {
  static const auto all = make_web(make_curl_transport(), default_retry_policy());
  return all;
}

}  // namespace headrace::io
