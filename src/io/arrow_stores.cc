// SPDX-License-Identifier: Apache-2.0
// Arrow's file systems for s3, gs, abfs and hdfs.
//
// libarrow_s3 is loaded when the first s3 URI is opened, not linked: it costs each start of the
// command 10 to 15 ms, S3 or not. It lies beside libarrow. Its client must be shut down before the
// process ends its static objects, or it crashes there: hence the atexit().
//
// S3 requests have our policy, not the client's (ten tries and more): point reads are repeated by
// with_retries(), so that an error can tell the tries; listings and uploads are many requests each,
// so there the client repeats the one that failed. A Retry-After header is not shown by Arrow: a
// store that says SlowDown is given twice the pause. The clients of gs, abfs and hdfs repeat by
// themselves; that of gs for 15 minutes unless told otherwise, so it is given as long as the pauses
// of our policy take.
//
// Credentials are found by the clients: environment, ~/.aws, instance roles; likewise for the
// others. Nothing here reads them, but for keeping them out of messages.
#include "io/internal/arrow_stores.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <arrow/filesystem/s3fs.h>
#include <arrow/util/config.h>
#include <arrow/util/io_util.h>

#include "base/error.h"
#include "base/quote.h"

namespace headrace::io {
namespace {

constexpr double kSlowDownSeconds = 1;
// A shorter one is a test's, and a part of many words.
constexpr std::size_t kShortestSecret = 8;
// A message of a client may be pages long.
constexpr std::size_t kMostOfACause = 500;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What the S3 client said last on this thread.
struct LastError {
  bool seen = false;
  bool transient = false;
  bool slow_down = false;
};
LastError& last_error() {
  thread_local LastError error;
  return error;
}

bool is_slow_down(const arrow::fs::S3RetryStrategy::AWSErrorDetail& error) {
  return error.exception_name.find("SlowDown") != std::string::npos ||
         error.exception_name.find("Throttl") != std::string::npos;
}

class OneTry final : public arrow::fs::S3RetryStrategy {
 public:
  bool ShouldRetry(const AWSErrorDetail& error, int64_t) override {
    // The text of an error that is longer than what was asked for hides the error itself.
    const bool hidden = error.message.find("flush response stream") != std::string::npos;
    last_error() = {true, error.should_retry || hidden, is_slow_down(error)};
    return false;
  }
  int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail&, int64_t) override { return 0; }
};

class ManyTries final : public arrow::fs::S3RetryStrategy {
 public:
  ManyTries(RetryPolicy policy, std::shared_ptr<std::atomic<int>> tries)
      : policy_(std::move(policy)), tries_(std::move(tries)) {}

  bool ShouldRetry(const AWSErrorDetail& error, int64_t attempted) override {
    if (error.should_retry && attempted + 1 < policy_.tries) return true;
    tries_->store(static_cast<int>(attempted) + 1);
    return false;
  }
  int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail& error, int64_t attempted) override {
    const double asked = is_slow_down(error) ? kSlowDownSeconds : 0;
    return static_cast<int64_t>(1000 *
                                policy_.pause_seconds(static_cast<int>(attempted) + 1, asked));
  }

 private:
  const RetryPolicy policy_;
  const std::shared_ptr<std::atomic<int>> tries_;
};

std::mutex& stores_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Never destroyed: threads may still read while the process ends.
std::map<std::string, ArrowStore>& stores() {
  static auto* all = new std::map<std::string, ArrowStore>;
  return *all;
}

void shut_down() {
  {
    const std::lock_guard lock(stores_mutex());
    stores().clear();
  }
  arrow::fs::EnsureFinalized();
}

Result<void> load_s3() {
  Dl_info libarrow{};
  if (::dladdr(reinterpret_cast<const void*>(&arrow::fs::EnsureFinalized), &libarrow) == 0 ||
      libarrow.dli_fname == nullptr) {
    return internal_error("the place of libarrow is not known");
  }
  const std::string place = libarrow.dli_fname;
  const std::string library =
      fmt::format("{}libarrow_s3.so.{}", place.substr(0, place.rfind('/') + 1), ARROW_SO_VERSION);
  const arrow::Status loaded = arrow::fs::LoadFileSystemFactories(library.c_str());
  if (!loaded.ok()) {
    return unavailable("loading {}: {}; it is a part of pyarrow", library, loaded.message());
  }
  return {};
}

Result<void> prepare_scheme(const std::string& scheme) {
  if (scheme != "s3") return {};
  static const Result<void> loaded = load_s3();
  return loaded;
}

// Behind the first store: what is registered last runs first, before the end of the objects that
// the library made for it.
void shut_down_at_exit() {
  static const bool registered = std::atexit(shut_down) == 0;
  static_cast<void>(registered);
}

// In whole seconds, which is what the client takes.
int google_retry_seconds(const RetryPolicy& policy) {
  double seconds = 0;
  for (int done = 1; done < policy.tries; ++done)
    seconds +=
        std::min(std::ldexp(policy.first_pause_seconds, done - 1), policy.longest_pause_seconds);
  return std::max(1, static_cast<int>(std::lround(seconds)));
}

void add_item(std::string* query, std::string_view item) {
  if (!query->empty()) *query += '&';
  *query += item;
}

bool has_item(std::string_view query, std::string_view name) {
  return ("&" + std::string(query)).find(fmt::format("&{}=", name)) != std::string::npos;
}

// The query for Arrow: what the URI says, else the environment.
std::string s3_query(const Uri& uri) {
  std::string query = uri.query;
  if (!has_item(query, "endpoint_override")) {
    std::string endpoint = environment("AWS_ENDPOINT_URL_S3");
    if (endpoint.empty()) endpoint = environment("AWS_ENDPOINT_URL");
    while (endpoint.ends_with('/')) endpoint.pop_back();
    if (const std::size_t mark = endpoint.find("://"); mark != std::string::npos) {
      if (!has_item(query, "scheme")) add_item(&query, "scheme=" + endpoint.substr(0, mark));
      endpoint.erase(0, mark + 3);
    }
    if (!endpoint.empty()) add_item(&query, "endpoint_override=" + endpoint);
  }
  // Other stores have no regions, and looking for one asks AWS.
  const bool region_known = has_item(query, "region") || !environment("AWS_REGION").empty() ||
                            !environment("AWS_DEFAULT_REGION").empty();
  if (!region_known && has_item(query, "endpoint_override")) add_item(&query, "region=us-east-1");
  return query;
}

Result<ArrowStore> make_store(const Uri& uri, std::shared_ptr<arrow::fs::S3RetryStrategy> strategy,
                              std::shared_ptr<std::atomic<int>> tries) {
  HEADRACE_RETURN_IF_ERROR(prepare_scheme(uri.scheme));
  std::string query = uri.query;
  arrow::fs::FileSystemFactoryOptions options;
  if (uri.scheme == "s3") {
    query = s3_query(uri);
    options.emplace_back("retry_strategy", std::any(std::move(strategy)));
  } else if (uri.scheme == "gs" && !has_item(query, "retry_limit_seconds")) {
    add_item(&query,
             fmt::format("retry_limit_seconds={}", google_retry_seconds(default_retry_policy())));
  }
  std::string root = uri.root();
  if (uri.scheme == "hdfs") root += '/';
  if (!query.empty()) root += "?" + query;
  ArrowStore store{.files = nullptr, .root = "", .tries = std::move(tries)};
  auto made = options.empty() ? arrow::fs::FileSystemFromUri(root, &store.root)
                              : arrow::fs::FileSystemFromUriAndOptions(root, options, &store.root);
  shut_down_at_exit();
  if (!made.ok()) {
    const Failure failure = failure_of(made.status());
    return Status(made.status().IsInvalid() ? Code::kInvalidArgument : failure.cause.code(),
                  fmt::format("opening {}: {}", uri.name, failure.cause.message()));
  }
  store.files = *std::move(made);
  return store;
}

// What the clients say in terms of themselves, in terms of who uses them; their dumps left out.
std::string plain_cause(std::string text) {
  if (text.find("OAuth2 access token") != text.npos) {
    return "no Google credentials were found: set GOOGLE_APPLICATION_CREDENTIALS, run 'gcloud auth "
           "application-default login', or write gs://anonymous@BUCKET/... for public data";
  }
  if (text.starts_with("Unable to load libjvm")) {
    return "libjvm.so was not found: hdfs:// needs Java and Hadoop's client here: set JAVA_HOME, "
           "HADOOP_HOME and CLASSPATH (hadoop classpath --glob)";
  }
  if (text.starts_with("Unable to load libhdfs")) {
    return "libhdfs.so was not found: hdfs:// needs Hadoop's client here: set HADOOP_HOME, or "
           "ARROW_LIBHDFS_DIR to the folder of libhdfs.so, and CLASSPATH (hadoop classpath --glob)";
  }
  for (const std::string_view front : {"google::cloud::Status(", "UNAVAILABLE: ",
                                       "Retry policy exhausted, with a last message of "}) {
    if (const std::size_t at = text.find(front); at != text.npos) text.erase(at, front.size());
  }
  text.resize(std::min(text.find(" error_info={"), text.size()));
  text.resize(std::min(text.find('\n'), text.size()));
  return excerpt(text, kMostOfACause);
}

// Should a server ever quote what it was sent.
std::string without_credentials(std::string text) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID",
                           "AZURE_CLIENT_SECRET", "AZURE_STORAGE_KEY"}) {
    const std::string secret = environment(name);
    if (secret.size() < kShortestSecret) continue;
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at + 3)) {
      text.replace(at, secret.size(), "***");
    }
  }
  return text;
}

}  // namespace

Result<ArrowStore> arrow_store_of(const Uri& uri) {
  const std::string key = uri.root() + "?" + uri.query;
  const std::lock_guard lock(stores_mutex());
  if (const auto found = stores().find(key); found != stores().end()) return found->second;
  HEADRACE_ASSIGN_OR_RETURN(const ArrowStore store,
                            make_store(uri, std::make_shared<OneTry>(), nullptr));
  stores().emplace(key, store);
  return store;
}

Result<ArrowStore> persistent_arrow_store_of(const Uri& uri, const RetryPolicy& policy) {
  if (uri.scheme != "s3") return arrow_store_of(uri);
  auto tries = std::make_shared<std::atomic<int>>(1);
  return make_store(uri, std::make_shared<ManyTries>(policy, tries), tries);
}

void forget_failure() { last_error() = {}; }

Failure failure_of(const arrow::Status& status) {
  const LastError& last = last_error();
  const bool google = status.message().find("google::cloud") != std::string::npos;
  Code code = Code::kUnavailable;
  if (const int number = arrow::internal::ErrnoFromStatus(status); number != 0) {
    code = errno_status(number, "").code();
  } else if (status.IsOutOfMemory()) {
    code = Code::kResourceExhausted;
  } else if (status.IsNotImplemented()) {
    code = Code::kUnsupported;
  }
  return {.cause = Status(code, without_credentials(redact(plain_cause(status.message())))),
          .transient = last.seen && last.transient,
          .asked_seconds = last.slow_down ? kSlowDownSeconds : 0,
          .tries = google ? "after the tries of its client" : ""};
}

}  // namespace headrace::io
