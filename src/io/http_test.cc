// SPDX-License-Identifier: Apache-2.0
#include "io/internal/http.h"

#include <deque>
#include <optional>

#include <gtest/gtest.h>

#include "base/error.h"

namespace headrace::io {
namespace {

// A server of one file, with faults to come.
class FakeServer final : public HttpTransport {
 public:
  struct Fault {
    int status = 0;
    double retry_after_s = 0;
    std::string error;
    std::optional<std::size_t> cut;  // bytes of the body that arrive
  };

  HttpReply get(const HttpRequest& request) override {
    urls.push_back(request.url);
    Fault fault;
    if (!faults.empty()) {
      fault = faults.front();
      faults.pop_front();
    }
    HttpReply reply;
    if (!fault.error.empty()) {
      reply.error = fault.error;
      reply.transient = true;
      return reply;
    }
    reply.retry_after_s = fault.retry_after_s;
    std::string body = content;
    reply.status = fault.status != 0 ? fault.status : 200;
    if (reply.status == 200) {
      reply.etag = etag;
      reply.modified_s = 5;
      if (request.ranged && ranges) {
        reply.status = request.first < content.size() ? 206 : 416;
        reply.total = static_cast<std::int64_t>(content.size());
        reply.first = static_cast<std::int64_t>(request.first);
        if (reply.status == 206) {
          body = content.substr(request.first, request.last - request.first + 1);
        }
      }
      reply.length = static_cast<std::int64_t>(body.size());
    }
    reply.stopped = request.head && !request.head(reply);
    if (reply.stopped || reply.status > 206) return reply;
    if (fault.cut) body.resize(std::min(*fault.cut, body.size()));
    reply.stopped = !request.body(body);
    return reply;
  }

  std::string content = "0123456789";
  std::string etag = "\"one\"";
  bool ranges = true;
  std::deque<Fault> faults;
  std::vector<std::string> urls;
};

class HttpTest : public testing::Test {
 protected:
  HttpTest() {
    RetryPolicy policy;
    policy.sleep = [this](double seconds) { pauses_.push_back(seconds); };
    web_ = make_web(server_, policy);
  }

  Result<std::string> read(std::uint64_t offset, std::size_t size) {
    HEADRACE_ASSIGN_OR_RETURN(const auto file, web_->open(uri_));
    return read(*file, offset, size);
  }
  static Result<std::string> read(ReadableFile& file, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, file.read_at(offset, bytes));
    bytes.resize(got);
    return bytes;
  }

  const Uri uri_ = parse_uri("https://me:pw@host/a.txt?sig=abc").value();
  std::shared_ptr<FakeServer> server_ = std::make_shared<FakeServer>();
  std::shared_ptr<FileSystem> web_;
  std::vector<double> pauses_;
};

TEST_F(HttpTest, ReadsRanges) {
  EXPECT_EQ(*read(0, 4), "0123");
  EXPECT_EQ(*read(7, 100), "789");
  EXPECT_EQ(*read(10, 5), "");
  EXPECT_EQ(server_->urls.front(), "https://me:pw@host/a.txt?sig=abc");
}

TEST_F(HttpTest, InfoIsSizeTimeAndETag) {
  const FileInfo info = web_->info(uri_).value();
  EXPECT_EQ(info.bytes, 10u);
  EXPECT_EQ(info.modified_ns, 5'000'000'000);
  EXPECT_EQ(info.version, "\"one\"");
  server_->content = "";
  EXPECT_EQ(web_->info(uri_)->bytes, 0u);
  EXPECT_EQ(*read(0, 5), "");
}

TEST_F(HttpTest, ServerWithoutRanges) {
  server_->ranges = false;
  EXPECT_EQ(web_->info(uri_)->bytes, 10u);
  EXPECT_EQ(*read(3, 4), "3456");
  server_->faults = {{}, {.cut = 4}, {.status = 503}, {}};
  EXPECT_EQ(*read(0, 100), "0123456789") << "a cut body is not the file";
}

TEST_F(HttpTest, BusyResetAndCutAreRepeated) {
  const auto file = web_->open(uri_).value();
  server_->faults = {{.status = 503, .retry_after_s = 9},
                     {.error = "Connection reset by peer"},
                     {.cut = 3},
                     {.status = 429}};
  EXPECT_EQ(*read(*file, 2, 5), "23456");
  ASSERT_EQ(pauses_.size(), 4u);
  EXPECT_EQ(pauses_[0], 9);
}

TEST_F(HttpTest, ErrorNamesTheUriTheTriesAndTheCauseWithoutSecrets) {
  const auto file = web_->open(uri_).value();
  server_->faults.assign(99, {.status = 503});
  const auto failed = read(*file, 2, 5);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "reading https://***@host/a.txt?sig=*** at offset 2: the server answers 503 (after 5 "
            "tries)");
  server_->faults.assign(99, {.cut = 1});
  EXPECT_NE(read(*file, 0, 5).error().message().find("the body ended at 1 of 5 bytes (after 5"),
            std::string::npos);
}

TEST_F(HttpTest, WhatIsForbiddenOrGoneIsNotRepeated) {
  server_->faults = {{.status = 403}};
  EXPECT_EQ(web_->info(uri_).error().code(), Code::kUnavailable);
  server_->faults = {{.status = 404}};
  EXPECT_EQ(web_->info(uri_).error().code(), Code::kNotFound);
  EXPECT_EQ(server_->urls.size(), 2u);
}

TEST_F(HttpTest, FileThatChangesIsAnError) {
  const auto file = web_->open(uri_).value();
  server_->etag = "\"two\"";
  EXPECT_NE(read(*file, 0, 5).error().message().find("changed while it was read: ETag"),
            std::string::npos);
  server_->etag = "\"one\"";
  server_->content += "x";
  EXPECT_NE(read(*file, 0, 5).error().message().find("changed while it was read: 11 bytes"),
            std::string::npos);
}

TEST_F(HttpTest, PatternsAndWritesAreRefused) {
  const Uri pattern = parse_uri("https://host/*.gz").value();
  EXPECT_EQ(find_in(*web_, pattern).error().code(), Code::kUnsupported);
  EXPECT_EQ(web_->create(uri_).error().code(), Code::kUnsupported);
  const auto one = find_in(*web_, uri_).value();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, "https://***@host/a.txt?sig=***");
  server_->faults = {{.status = 404}};
  EXPECT_TRUE(find_in(*web_, uri_)->empty());
}

TEST_F(HttpTest, ReadAheadGivesTheSameBytesInFewRequests) {
  server_->content.clear();
  for (int i = 0; server_->content.size() < (5u << 20); ++i) {
    server_->content += std::to_string(i) + " ";
  }
  const auto file = read_ahead(web_->open(uri_).value());
  const std::size_t before = server_->urls.size();
  std::string all;
  for (std::size_t size = 1000;; size += 17) {
    const auto piece = read(*file, all.size(), size);
    ASSERT_TRUE(piece);
    all += *piece;
    if (piece->size() < size) break;
  }
  EXPECT_TRUE(all == server_->content);
  EXPECT_LE(server_->urls.size() - before, 6u);
  EXPECT_EQ(*read(*file, 3, 5), server_->content.substr(3, 5)) << "back again";
}

}  // namespace
}  // namespace headrace::io
