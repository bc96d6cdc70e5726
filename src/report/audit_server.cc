// SPDX-License-Identifier: Apache-2.0
// What the server must withstand is not load but other pages: any page that is open in the same
// browser can send requests to 127.0.0.1, and a name that it controls can be made to point there
// (DNS rebinding). So, in this order: the Host must be this very address; the path must begin with
// a token that only the printed address holds; a request that a browser calls cross-site, or whose
// Origin is another, is refused; nothing allows reading from elsewhere (no CORS header). Texts are
// JSON or text/plain with nosniff, never HTML, under a policy that runs only the page's own script.
//
// Threads: one per open connection, 256 at most; a browser opens six. More would have to wait for
// one that ends: an idle one after a second, one that sends half a request after two.
#include "report/audit_server.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <httplib.h>
#include <limits>
#include <mutex>
#include <sys/random.h>
#include <sys/socket.h>
#include <thread>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/assets.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostThreads = 256;
constexpr int kKeepAliveSeconds = 1;  // also how long stopping waits for an idle connection
constexpr int kReadSeconds = 2;       // for the next bytes of a request
constexpr std::size_t kMostRequestBytes = 64 << 10;

constexpr const char* kJsonType = "application/json";

// A secret: the one kind of randomness that must not follow from a seed.
Result<std::string> make_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    return errno_status(errno, "drawing a secret for the page's address");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// Takes the same time wherever the difference is.
bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

int http_status(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return 400;
    case Code::kNotFound:
      return 404;
    default:
      return 500;
  }
}

void answer(const Result<std::string>& content, const char* type, httplib::Response& response) {
  if (content) {
    response.set_content(*content, type);
    return;
  }
  response.status = http_status(content.error().code());
  response.set_content(Json{{"error", content.error().message()}}.dump(
                           -1, ' ', false, Json::error_handler_t::replace),
                       kJsonType);
}

// The body of a request: a JSON object, or as good as empty.
class Body {
 public:
  explicit Body(const std::string& body) : json_(Json::parse(body, nullptr, false)) {}
  // ~0 and "" for what is missing or of another type.
  std::size_t number(const char* key) const {
    return has(key) && json_[key].is_number_unsigned() ? json_[key].get<std::size_t>()
                                                       : ~std::size_t{0};
  }
  std::string word(const char* key) const {
    return has(key) && json_[key].is_string() ? json_[key].get<std::string>() : "";
  }

 private:
  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  const Json json_;
};

Result<std::string> decide(AuditSession& session, const std::string& text) {
  const Body body(text);
  Mark mark = Mark::kNone;
  const std::string group = body.word("group");
  if (!parse_mark(body.word("mark"), &mark) || (group != "dropped" && group != "passed"))
    return invalid_argument("a decision is {{rule, group, item, mark}}");
  return session.decide(body.number("rule"), group == "passed" ? Group::kPassed : Group::kDropped,
                        body.number("item"), mark);
}

Result<std::string> decide(LeakReview& review, const std::string& text) {
  const Body body(text);
  LeakMark mark = LeakMark::kNone;
  if (!parse_mark(body.word("mark"), &mark))
    return invalid_argument("a decision is {{group, find, mark}}");
  return review.decide(body.number("group"), body.number("find"), mark);
}

// A number of the query; ~0 for anything else.
std::size_t number_of(const httplib::Request& request, const char* key) {
  const std::string text = request.get_param_value(key);
  std::size_t number = ~std::size_t{0};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// A thread for each open connection, started when none is idle: connections that say nothing hold
// a thread each, and must not hold the page. The library's own pool has a fixed number.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> connection) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(connection));
    if (waiting_.size() > idle_ && threads_.size() < kMostThreads)
      threads_.emplace_back([this] { work(); });
    changed_.notify_one();
  }
  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      --idle_;
      if (waiting_.empty()) return;
      const std::function<void()> connection = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      connection();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ended_ = false;
};

class Guard {
 public:
  Guard(std::string token, int port) : prefix_("/" + std::move(token) + "/") {
    for (const char* name : {"127.0.0.1", "localhost"})
      hosts_.push_back(fmt::format("{}:{}", name, port));
  }

  const std::string& prefix() const { return prefix_; }

  // 0, or the status of what is refused.
  int refusal(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1) return 400;  // RFC 9112, 3.2
    return admits(request) ? 0 : 403;
  }

 private:
  bool admits(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    if (std::find(hosts_.begin(), hosts_.end(), host) == hosts_.end()) return false;
    if (!equal_secrets(std::string_view(request.path).substr(0, prefix_.size()), prefix_))
      return false;
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host)
      return false;
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    return site.empty() || site == "same-origin" || site == "none";
  }

  std::string prefix_;
  std::vector<std::string> hosts_;
};

void set_headers(httplib::Server& server) {
  server.set_default_headers(
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cache-Control", "no-store"}});
}

void add_asset(httplib::Server& server, const Guard& guard, const char* name,
               std::string_view content, const char* type) {
  server.Get(guard.prefix() + name, [content, type](const auto&, auto& response) {
    response.set_content(content.data(), content.size(), type);
  });
}

void add_leak_routes(httplib::Server& server, LeakReview& review, const Guard& guard) {
  add_asset(server, guard, "leaks", assets::leaks_html(), "text/html; charset=utf-8");
  add_asset(server, guard, "leaks.css", assets::leaks_css(), "text/css; charset=utf-8");
  add_asset(server, guard, "leaks.js", assets::leaks_js(), "text/javascript; charset=utf-8");
  server.Get(guard.prefix() + "api/leaks", [&](const auto&, auto& response) {
    response.set_content(review.everything(), kJsonType);
  });
  server.Get(guard.prefix() + "api/leak", [&](const auto& request, auto& response) {
    answer(review.texts(number_of(request, "group"), number_of(request, "find")), kJsonType,
           response);
  });
  server.Get(guard.prefix() + "api/leak/whole", [&](const auto& request, auto& response) {
    answer(review.whole_document(number_of(request, "group"), number_of(request, "find")),
           "text/plain; charset=utf-8", response);
  });
  server.Post(guard.prefix() + "api/leak/decide", [&](const auto& request, auto& response) {
    answer(decide(review, request.body), kJsonType, response);
  });
  server.Post(guard.prefix() + "api/leak/undo",
              [&](const auto&, auto& response) { answer(review.undo(), kJsonType, response); });
}

void add_routes(httplib::Server& server, AuditSession& session, const Guard& guard) {
  server.set_pre_routing_handler([&guard](const auto& request, auto& response) {
    const int refused = guard.refusal(request);
    if (refused == 0) return httplib::Server::HandlerResponse::Unhandled;
    response.status = refused;
    response.set_content(refused == 400
                             ? "400: a request names one Host\n"
                             : "403: open the address that 'headrace audit' printed, all of it\n",
                         "text/plain; charset=utf-8");
    return httplib::Server::HandlerResponse::Handled;
  });
  add_asset(server, guard, "", assets::audit_html(), "text/html; charset=utf-8");
  add_asset(server, guard, "audit.css", assets::audit_css(), "text/css; charset=utf-8");
  add_asset(server, guard, "audit.js", assets::audit_js(), "text/javascript; charset=utf-8");
  add_asset(server, guard, "common.js", assets::common_js(), "text/javascript; charset=utf-8");
  server.Get(guard.prefix() + "api/all", [&](const auto&, auto& response) {
    response.set_content(session.everything(), kJsonType);
  });
  server.Get(guard.prefix() + "api/text", [&](const auto& request, auto& response) {
    answer(session.text(request.get_param_value("id")), kJsonType, response);
  });
  server.Get(guard.prefix() + "api/whole", [&](const auto& request, auto& response) {
    answer(session.whole_text(request.get_param_value("id")), "text/plain; charset=utf-8",
           response);
  });
  server.Post(guard.prefix() + "api/decide", [&](const auto& request, auto& response) {
    answer(decide(session, request.body), kJsonType, response);
  });
  server.Post(guard.prefix() + "api/undo",
              [&](const auto&, auto& response) { answer(session.undo(), kJsonType, response); });
}

// Ends the server at `stop`. One that is not listening yet ignores stop(), so it is said again
// until the server has ended.
class Stopper {
 public:
  Stopper(httplib::Server& server, std::stop_token stop)
      : thread_([this, &server, stop] {
          std::unique_lock lock(mutex_);
          wake_.wait(lock, stop, [this] { return ended_; });
          while (!ended_) {
            server.stop();
            wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return ended_; });
          }
        }) {}
  ~Stopper() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    wake_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool ended_ = false;
  std::jthread thread_;
};

}  // namespace

Result<void> serve_audit(AuditSession& session, LeakReview* review, int port, std::stop_token stop,
                         const std::function<void(const std::string& url)>& ready) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string token, make_token());
  httplib::Server server;
  server.new_task_queue = [] { return new ConnectionThreads; };
  server.set_read_timeout(kReadSeconds);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
  server.set_payload_max_length(kMostRequestBytes);
  // The default lets a second process listen on the same port and take half of the requests.
  int listening = -1;
  server.set_socket_options([&listening](int socket) {
    listening = socket;
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  if (port == 0) {
    port = server.bind_to_any_port("127.0.0.1");
    if (port < 0) return unavailable("no port of 127.0.0.1 is free");
  } else if (!server.bind_to_port("127.0.0.1", port)) {
    return unavailable(
        "port {} of 127.0.0.1 cannot be used (taken, or below 1024): choose another --port, or "
        "none "
        "for any that is free",
        port);
  }
  // The library lets five connections wait; the next ones would have to ask again after seconds.
  ::listen(listening, SOMAXCONN);
  const Guard guard(token, port);
  set_headers(server);
  add_routes(server, session, guard);
  if (review != nullptr) add_leak_routes(server, *review, guard);
  const Stopper stopper(server, stop);
  if (ready) ready(fmt::format("http://127.0.0.1:{}{}", port, guard.prefix()));
  if (!server.listen_after_bind() && !stop.stop_requested())
    return unavailable("the page can no longer be served on port {}", port);
  return {};
}

}  // namespace headrace::report
