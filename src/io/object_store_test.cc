// SPDX-License-Identifier: Apache-2.0
// An object store over a local folder: what does not need a network. With a real gateway:
// tests/interop/test_remote.py.
#include "io/internal/object_store.h"

#include <filesystem>

#include <arrow/filesystem/localfs.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/internal/arrow_stores.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ObjectStoreTest : public testing::Test {
 protected:
  ObjectStoreTest() {
    for (const char* name :
         {"b.txt", "a.txt", "a.jsonl", "sub/c.txt", "sub/deep/d.txt", "sub/deep/e.jsonl", ".hidden",
          ".dot/f.txt", "sub/.g.txt", "数据.txt", "part[1].txt", "B.txt", "a"}) {
      folder_.put(name, name);
    }
    store_ = make_object_store(std::make_shared<arrow::fs::LocalFileSystem>(), folder_.path(), {});
  }

  Uri uri(const std::string& path) { return parse_uri("s3://bucket/" + path).value(); }

  std::vector<std::string> match(const std::string& pattern) {
    const auto found = find_in(*store_, uri(pattern));
    EXPECT_TRUE(found) << found.error().message();
    std::vector<std::string> paths;
    for (const FoundFile& file : *found) {
      EXPECT_EQ(file.info.bytes, parse_uri(file.name)->path.size());
      EXPECT_EQ(file.info.modified_ns % 1'000'000'000, 0);
      EXPECT_GT(file.info.modified_ns, 0);
      paths.push_back(parse_uri(file.name)->path);
    }
    return paths;
  }

  TestFolder folder_;
  std::shared_ptr<FileSystem> store_;
};

// The patterns of GlobTest and what they give there.
TEST_F(ObjectStoreTest, PatternsMeanWhatTheyMeanLocally) {
  for (const char* pattern :
       {"*.txt",        "*/*.txt",   "a*",    "*a*t*",     "**/*.txt",    "sub/**",   "**/deep/*",
        "**/**/e.*",    "??.txt",    "?.txt", "[ab].txt",  "[!a].txt",    ".*",       "**/.*",
        ".dot/*",       "sub/*/*",   "sub",   "sub/deep/", "part[1].txt", "nothing*", "sub/nothing",
        "*/deep/d.txt", "sub/c.txt", "**",    "*"}) {
    std::vector<std::string> local = glob(folder_ / pattern).value();
    for (std::string& path : local) path.erase(0, folder_.path().size() + 1);
    EXPECT_EQ(match(pattern), local) << pattern;
  }
}

TEST_F(ObjectStoreTest, WholeBucket) {
  EXPECT_THAT(match(""),
              ElementsAre("B.txt", "a", "a.jsonl", "a.txt", "b.txt", "part[1].txt", "sub/c.txt",
                          "sub/deep/d.txt", "sub/deep/e.jsonl", "数据.txt"));
}

TEST_F(ObjectStoreTest, QueryStaysAndDoesNotChangeTheOrder) {
  const auto found = find_in(*store_, uri("a*?scheme=http")).value();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "s3://bucket/a?scheme=http");
  EXPECT_EQ(found[1].name, "s3://bucket/a.jsonl?scheme=http");
}

TEST_F(ObjectStoreTest, Reads) {
  const auto file = store_->open(uri("sub/c.txt")).value();
  EXPECT_EQ(file->bytes(), 9u);
  std::string bytes(20, '\0');
  EXPECT_EQ(file->read_at(4, bytes).value(), 5u);
  EXPECT_EQ(bytes.substr(0, 5), "c.txt");
  EXPECT_EQ(file->read_at(9, bytes).value(), 0u);
}

TEST_F(ObjectStoreTest, ShortBodyIsAnErrorThatTellsTheTries) {
  int pauses = 0;
  RetryPolicy policy;
  policy.tries = 3;
  policy.sleep = [&](double) { ++pauses; };
  store_ =
      make_object_store(std::make_shared<arrow::fs::LocalFileSystem>(), folder_.path(), policy);
  const auto file = store_->open(uri("sub/c.txt")).value();
  std::filesystem::resize_file(folder_ / "sub/c.txt", 3);
  std::string bytes(20, '\0');
  const auto failed = file->read_at(0, bytes);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "reading s3://bucket/sub/c.txt at offset 0: the body ended at 3 of 9 bytes (after 3 "
            "tries)");
  EXPECT_EQ(pauses, 2);
}

TEST_F(ObjectStoreTest, MissingAndFolder) {
  EXPECT_EQ(store_->info(uri("x")).error().code(), Code::kNotFound);
  EXPECT_EQ(store_->open(uri("x")).error().code(), Code::kNotFound);
  EXPECT_EQ(store_->open(uri("sub")).error().code(), Code::kInvalidArgument);
  EXPECT_TRUE(store_->info(uri("sub"))->is_directory);
}

// What the clients say in terms of themselves, at length.
TEST(StoreFailureTest, CausesAreToldInTermsOfWhoMeetsThem) {
  const auto cause = [](const std::string& text) {
    return failure_of(arrow::Status::IOError(text)).cause.message();
  };
  const std::string google =
      "google::cloud::Status(UNAVAILABLE: Retry policy exhausted, with a last "
      "message of ";
  EXPECT_THAT(cause(google + "Could not create a OAuth2 access token to authenticate the request. "
                             "error_info={reason=, metadata={...}})"),
              testing::AllOf(testing::HasSubstr("GOOGLE_APPLICATION_CREDENTIALS"),
                             testing::Not(testing::HasSubstr("error_info"))));
  EXPECT_EQ(cause(google + "CURL error [6]=Could not resolve hostname error_info={reason=}"),
            "CURL error [6]=Could not resolve hostname");
  EXPECT_EQ(failure_of(arrow::Status::IOError(google + "x")).tries,
            "after the tries of its client");

  const Failure java = failure_of(
      arrow::Status::IOError("Unable to load libjvm\ndlopen(/usr/lib/jvm/libjvm.so) failed: ..."));
  EXPECT_EQ(java.cause.code(), Code::kUnavailable);
  EXPECT_THAT(java.cause.message(), testing::AllOf(testing::HasSubstr("HADOOP_HOME"),
                                                   testing::Not(testing::HasSubstr("dlopen"))));
  EXPECT_THAT(cause("Unable to load libhdfs\ndlopen ..."), testing::HasSubstr("ARROW_LIBHDFS_DIR"));
  EXPECT_EQ(cause("first line\nsecond"), "first line");
  EXPECT_LT(cause(std::string(1'000'000, 'x')).size(), 600U);
}

TEST(RemotePathTest, LocalOnlyFunctionsSayThatTheyAre) {
  const std::string uri = "s3://a:b@bucket/x";
  for (const Status& status :
       {make_directories(uri).error(), remove_all(uri).error(), free_bytes(uri).error(),
        MappedFile::open(uri).error(), AtomicPath(uri).commit().error()}) {
    EXPECT_EQ(status.code(), Code::kUnsupported);
    EXPECT_NE(status.message().find("s3://***@bucket/x: that needs a local path"),
              std::string::npos)
        << status.message();
  }
  EXPECT_EQ(AtomicFile::create("https://host/x").error().code(), Code::kUnsupported);
  EXPECT_EQ(AtomicFile::create("gs://bucket/x").error().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace headrace::io
