// SPDX-License-Identifier: Apache-2.0
// Files of web servers, and the seam below them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/internal/file_system.h"
#include "io/retry.h"

namespace headrace::io {

struct HttpRequest {
  std::string url;
  // The bytes to ask for, both ends included; no range: all of it.
  bool ranged = true;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  // Called when the head of the answer is complete, before the body. False ends the transfer.
  std::function<bool(const struct HttpReply&)> head;
  std::function<bool(std::string_view)> body;
};

struct HttpReply {
  int status = 0;            // 0: no answer
  std::string error;         // what broke the transfer; "" when nothing did
  bool transient = false;    // that another try may mend
  bool stopped = false;      // by head() or body()
  std::int64_t length = -1;  // Content-Length
  std::int64_t total = -1;   // of the file, by Content-Range
  std::int64_t first = -1;   // of the body, by Content-Range
  std::string etag;
  std::int64_t modified_s = 0;  // Last-Modified, seconds since 1970
  double retry_after_s = 0;
};

// Thread-safe.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  virtual HttpReply get(const HttpRequest& request) = 0;
};

// libcurl.
std::shared_ptr<HttpTransport> make_curl_transport();

std::shared_ptr<FileSystem> make_web(std::shared_ptr<HttpTransport> transport, RetryPolicy policy);
// The one of this process.
std::shared_ptr<FileSystem> web();

}  // namespace headrace::io
