// SPDX-License-Identifier: Apache-2.0
// HTTP by libcurl: TLS, redirects, proxies by environment, kept connections.
//
// A handle keeps its connection, so handles are reused. A transfer that moves nothing for 30 s has
// failed; there is no limit on the whole, since files are large.
#include <array>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <strings.h>
#include <vector>

#include <curl/curl.h>
#include <fmt/format.h>

#include "headrace/version.h"

#include "io/internal/http.h"

namespace headrace::io {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kStalledSeconds = 30;
constexpr long kMostRedirects = 5;

struct Transfer {
  const HttpRequest* request = nullptr;
  HttpReply reply;
  CURL* handle = nullptr;
  bool head_shown = false;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

bool take_number(std::string_view text, std::int64_t* number) {
  return std::from_chars(text.data(), text.data() + text.size(), *number).ec == std::errc();
}

// "bytes 0-99/1234", "bytes */0"
void read_content_range(std::string_view value, HttpReply* reply) {
  const std::size_t space = value.find(' ');
  const std::size_t slash = value.find('/');
  if (space == value.npos || slash == value.npos) return;
  take_number(value.substr(space + 1), &reply->first);
  take_number(value.substr(slash + 1), &reply->total);
}

std::size_t on_header(const char* data, std::size_t one, std::size_t size, void* user) {
  static_cast<void>(one);
  HttpReply& reply = static_cast<Transfer*>(user)->reply;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) {  // of each answer on the way: redirects have a head, too
    reply = {};
    return size;
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return size;
  const std::string name(line.substr(0, colon));
  const std::string value(trimmed(line.substr(colon + 1)));
  if (::strcasecmp(name.c_str(), "Content-Range") == 0) {
    read_content_range(value, &reply);
  } else if (::strcasecmp(name.c_str(), "Content-Length") == 0) {
    take_number(value, &reply.length);
  } else if (::strcasecmp(name.c_str(), "ETag") == 0) {
    reply.etag = value;
  } else if (::strcasecmp(name.c_str(), "Last-Modified") == 0) {
    reply.modified_s = std::max<std::int64_t>(::curl_getdate(value.c_str(), nullptr), 0);
  }
  return size;
}

bool show_head(Transfer& transfer) {
  if (transfer.head_shown) return true;
  transfer.head_shown = true;
  long status = 0;
  ::curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
  transfer.reply.status = static_cast<int>(status);
  return !transfer.request->head || transfer.request->head(transfer.reply);
}

std::size_t on_body(const char* data, std::size_t one, std::size_t size, void* user) {
  static_cast<void>(one);
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (show_head(transfer)) {
    // The text of an error is of no use.
    const int status = transfer.reply.status;
    if (status != 200 && status != 206) return size;
    if (transfer.request->body(std::string_view(data, size))) return size;
  }
  transfer.reply.stopped = true;
  return CURL_WRITEFUNC_ERROR;
}

bool is_transient(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_HTTP2:
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2_STREAM:
    case CURLE_WEIRD_SERVER_REPLY:
      return true;
    default:
      return false;
  }
}

class CurlTransport final : public HttpTransport {
 public:
  CurlTransport() { ::curl_global_init(CURL_GLOBAL_DEFAULT); }
  ~CurlTransport() override {
    for (CURL* handle : idle_) ::curl_easy_cleanup(handle);
  }

  HttpReply get(const HttpRequest& request) override {
    Transfer transfer;
    transfer.request = &request;
    transfer.handle = take();
    if (transfer.handle == nullptr) {
      transfer.reply.error = "libcurl has no memory for a transfer";
      return transfer.reply;
    }
    std::array<char, CURL_ERROR_SIZE> text{};
    prepare(transfer, text.data());
    const CURLcode code = ::curl_easy_perform(transfer.handle);
    // A body of no bytes has shown no head.
    if (code == CURLE_OK) show_head(transfer);
    finish(transfer, code, text.data());
    give_back(transfer.handle);
    return std::move(transfer.reply);
  }

 private:
  CURL* take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return ::curl_easy_init();
    CURL* handle = idle_.back();
    idle_.pop_back();
    return handle;
  }

  void give_back(CURL* handle) {
    ::curl_easy_reset(handle);  // keeps the connection
    const std::lock_guard lock(mutex_);
    idle_.push_back(handle);
  }

  static void prepare(Transfer& transfer, char* error_text) {
    CURL* handle = transfer.handle;
    const HttpRequest& request = *transfer.request;
    const std::string agent = std::string("headrace/") + std::string(version());
    ::curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    ::curl_easy_setopt(handle, CURLOPT_USERAGENT, agent.c_str());
    ::curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    ::curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error_text);
    ::curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    ::curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    ::curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
    ::curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    ::curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kMostRedirects);
    ::curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    ::curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    ::curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    ::curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
    ::curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    ::curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    if (const char* certificates = std::getenv("SSL_CERT_FILE"); certificates != nullptr) {
      ::curl_easy_setopt(handle, CURLOPT_CAINFO, certificates);
    }
    if (request.ranged) {
      const std::string range = fmt::format("{}-{}", request.first, request.last);
      ::curl_easy_setopt(handle, CURLOPT_RANGE, range.c_str());
    }
  }

  static void finish(Transfer& transfer, CURLcode code, const char* error_text) {
    HttpReply& reply = transfer.reply;
    curl_off_t wait = 0;
    ::curl_easy_getinfo(transfer.handle, CURLINFO_RETRY_AFTER, &wait);
    reply.retry_after_s = static_cast<double>(wait);
    if (code == CURLE_OK || reply.stopped) return;
    reply.error = error_text[0] != '\0' ? error_text : ::curl_easy_strerror(code);
    reply.transient = is_transient(code);
  }

  std::mutex mutex_;
  std::vector<CURL*> idle_;
};

}  // namespace

std::shared_ptr<HttpTransport> make_curl_transport() { return std::make_shared<CurlTransport>(); }

}  // namespace headrace::io
