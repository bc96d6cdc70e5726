// SPDX-License-Identifier: Apache-2.0
#include "report/audit_server.h"

#include <arpa/inet.h>
#include <future>
#include <httplib.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/test_folder.h"

namespace headrace::report {
namespace {

using Json = nlohmann::json;

class AuditServerTest : public testing::Test {
 protected:
  void SetUp() override {
    AuditData data;
    data.name = "sample";
    AuditItem item;
    item.id = "0:1";
    item.front = "</script><b>白日</b>";
    item.bytes = item.front.size();
    AuditRule rule;
    rule.reason = "digit_share_above_max";
    rule.dropped = {item};
    data.rules = {rule};
    data.text_of = [](const std::string&) -> Result<std::string> { return "<b>whole</b>"; };
    auto session = AuditSession::open(std::move(data), folder_ / "labels.jsonl");
    ASSERT_TRUE(session);
    session_ = *std::move(session);
    std::promise<std::string> address;
    auto ready = address.get_future();
    thread_ = std::thread([this, &address] {
      ended_ = serve_audit(*session_, nullptr, 0, stop_.get_token(),
                           [&](const std::string& url) { address.set_value(url); });
    });
    url_ = ready.get();
    origin_ = url_.substr(0, url_.find('/', 7));
    path_ = url_.substr(origin_.size());
    client_ = std::make_unique<httplib::Client>(origin_);
  }
  void TearDown() override {
    client_.reset();
    stop_.request_stop();
    if (thread_.joinable()) thread_.join();
    EXPECT_TRUE(ended_);
  }

  int status(const std::string& path, const httplib::Headers& headers = {}) {
    const auto response = client_->Get(path, headers);
    return response ? response->status : 0;
  }
  int post_status(const std::string& name, const httplib::Headers& headers = {}) {
    const auto response =
        client_->Post(path_ + name, headers,
                      R"({"rule":0,"group":"dropped","item":0,"mark":"keep"})", "application/json");
    return response ? response->status : 0;
  }

  io::TestFolder folder_;
  std::unique_ptr<AuditSession> session_;
  std::stop_source stop_;
  std::thread thread_;
  Result<void> ended_;
  std::unique_ptr<httplib::Client> client_;
  std::string url_;     // http://127.0.0.1:8000/0123.../
  std::string origin_;  // http://127.0.0.1:8000
  std::string path_;    // /0123.../
};

TEST_F(AuditServerTest, TheWholeAddressIsNeeded) {
  EXPECT_EQ(path_.size(), 34u);  // 128 bits
  EXPECT_EQ(status(path_), 200);
  EXPECT_EQ(status(path_ + "audit.js"), 200);
  EXPECT_EQ(status(path_ + "api/all"), 200);
  EXPECT_EQ(status(path_ + "no/such"), 404);
  for (const std::string& path :
       {std::string("/"), std::string("/api/all"), path_.substr(0, 33), path_.substr(0, 32) + "/",
        "/" + std::string(32, '0') + "/api/all", "/x" + path_ + "api/all", "/.." + path_})
    EXPECT_EQ(status(path), 403) << path;
  EXPECT_EQ(client_->Post("/api/decide", "{}", "application/json")->status, 403);
}

TEST_F(AuditServerTest, OtherNamesOfThisAddressAreRefused) {
  const std::string port = origin_.substr(origin_.rfind(':'));
  EXPECT_EQ(status(path_, {{"Host", "localhost" + port}}), 200);
  for (const std::string& host : {std::string("evil.example") + port, std::string("127.0.0.1"),
                                  std::string("127.0.0.1:1"), "127.0.0.1.evil.example" + port})
    EXPECT_EQ(status(path_, {{"Host", host}}), 403) << host;
}

TEST_F(AuditServerTest, TwoHostsAreNoRequest) {
  const std::string host = origin_.substr(origin_.rfind('/') + 1);
  EXPECT_EQ(status(path_, {{"Host", host}, {"Host", host}}), 400);
  EXPECT_EQ(status(path_, {{"Host", host}, {"Host", "evil.example"}}), 400);
}

// Connections that say nothing, and such as stop in the middle of a request.
TEST_F(AuditServerTest, SilentConnectionsDoNotHoldThePage) {
  std::vector<int> sockets;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(origin_.substr(origin_.rfind(':') + 1))));
  for (int i = 0; i < 120; ++i) {
    sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::connect(sockets.back(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    if (i % 2 == 0) {
      ASSERT_GT(::send(sockets.back(), "GET / HTTP/1.1\r\nHo", 18, 0), 0);
    }
  }
  // A fixed pool of sixteen would answer after a dozen seconds: well behind this limit.
  client_->set_connection_timeout(2);
  client_->set_read_timeout(2);
  EXPECT_EQ(status(path_), 200);
  for (const int socket : sockets) ::close(socket);
}

TEST_F(AuditServerTest, OtherPagesAreRefused) {
  EXPECT_EQ(post_status("api/decide", {{"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(post_status("api/decide", {{"Origin", "null"}}), 403);
  EXPECT_EQ(post_status("api/decide", {{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(status(path_, {{"Sec-Fetch-Site", "same-site"}}), 403);
  EXPECT_EQ(session_->result().decisions, 0u);
  EXPECT_EQ(post_status("api/decide", {{"Origin", origin_}, {"Sec-Fetch-Site", "same-origin"}}),
            200);
  EXPECT_EQ(session_->result().decisions, 1u);
}

TEST_F(AuditServerTest, NothingMayBeReadFromElsewhereOrRun) {
  for (const char* name : {"", "api/all", "api/text?id=0:1", "api/whole?id=0:1", "no/such"}) {
    const auto response = client_->Get(path_ + name);
    ASSERT_TRUE(response);
    EXPECT_FALSE(response->has_header("Access-Control-Allow-Origin")) << name;
    EXPECT_EQ(response->get_header_value("X-Content-Type-Options"), "nosniff") << name;
    EXPECT_EQ(response->get_header_value("Content-Security-Policy").find("default-src 'none'"), 0u);
  }
  EXPECT_EQ(client_->Get(path_ + "api/whole?id=0:1")->get_header_value("Content-Type"),
            "text/plain; charset=utf-8");
}

TEST_F(AuditServerTest, DecidesAndTakesBack) {
  const auto decided = client_->Post(path_ + "api/decide",
                                     R"({"rule":0,"group":"dropped","item":0,"mark":"garbage"})",
                                     "application/json");
  ASSERT_EQ(decided->status, 200);
  EXPECT_EQ(Json::parse(decided->body).at("shares")[0].at("dropped").at("share"), 1.0);
  const auto undone = client_->Post(path_ + "api/undo", "{}", "application/json");
  ASSERT_EQ(undone->status, 200);
  EXPECT_EQ(Json::parse(undone->body).at("mark"), "none");
  EXPECT_EQ(client_->Post(path_ + "api/undo", "{}", "application/json")->status, 400);
}

TEST_F(AuditServerTest, BadRequestsAreToldAndChangeNothing) {
  for (const char* body : {"", "{", "[]", "7", "{}", R"({"rule":0,"group":"dropped","item":0})",
                           R"({"rule":-1,"group":"dropped","item":0,"mark":"keep"})",
                           R"({"rule":0,"group":"all","item":0,"mark":"keep"})",
                           R"({"rule":0,"group":"dropped","item":1,"mark":"keep"})",
                           R"({"rule":0,"group":"dropped","item":0,"mark":"none"})",
                           R"({"rule":"0","group":[],"item":{},"mark":7})"}) {
    const auto response = client_->Post(path_ + "api/decide", body, "application/json");
    ASSERT_TRUE(response) << body;
    EXPECT_EQ(response->status, 400) << body;
    EXPECT_TRUE(Json::parse(response->body).contains("error")) << body;
  }
  EXPECT_EQ(status(path_ + "api/text"), 404);
  EXPECT_EQ(status(path_ + "api/text?id=../../etc/passwd"), 404);
  const std::string large(1 << 20, 'x');
  const auto refused = client_->Post(path_ + "api/decide", large, "application/json");
  EXPECT_TRUE(!refused || refused->status == 413);
  EXPECT_EQ(session_->result().decisions, 0u);
}

TEST_F(AuditServerTest, ATakenPortIsTold) {
  const int port = std::stoi(origin_.substr(origin_.rfind(':') + 1));
  const auto second = serve_audit(*session_, nullptr, port, {}, nullptr);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find(std::to_string(port)), std::string::npos);
}

TEST_F(AuditServerTest, StoppedBeforeItListens) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(serve_audit(*session_, nullptr, 0, stop.get_token(), nullptr));
}

}  // namespace
}  // namespace headrace::report
