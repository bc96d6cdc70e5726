// SPDX-License-Identifier: Apache-2.0
#include "io/uri.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace headrace::io {
namespace {

TEST(UriTest, WhatIsRemote) {
  EXPECT_TRUE(is_remote("s3://bucket/key"));
  EXPECT_TRUE(is_remote("HTTPS://host/a"));
  EXPECT_FALSE(is_remote("file:///data/x"));
  for (const char* path : {"/data/x", "x", "", "a b://c", "://x", "1a://x", "dir/s3://bucket"}) {
    EXPECT_FALSE(is_uri(path)) << path;
  }
}

TEST(UriTest, FileUriIsAPath) {
  EXPECT_EQ(local_path("file:///data/x"), "/data/x");
  EXPECT_EQ(local_path("file://localhost/data/x"), "/data/x");
  EXPECT_EQ(local_path("file:/data/x"), "/data/x");
  EXPECT_EQ(local_path("FILE:///data/x"), "/data/x");
  EXPECT_EQ(local_path("file:///"), "/");
  EXPECT_FALSE(is_remote("file:/data/x"));
  EXPECT_EQ(local_path("/data/x"), "/data/x");
  EXPECT_EQ(local_path("file:x"), "file:x");  // a name
  EXPECT_EQ(local_path("s3://b/x"), "s3://b/x");
}

TEST(UriTest, FileUrisArePercentDecoded) {
  EXPECT_EQ(local_path("file:///data/my%20corpus/%E4%B8%AD%e6%96%87.jsonl"),
            "/data/my corpus/中文.jsonl");
  EXPECT_EQ(local_path("file:///data/100%25/a%2520b"), "/data/100%/a%20b");
  EXPECT_EQ(local_path("file:///data/100%/%zz/%4"), "/data/100%/%zz/%4");
  EXPECT_EQ(local_path("file:///data/a%00b"), "/data/a%00b");
  EXPECT_EQ(local_path("/data/my%20corpus"), "/data/my%20corpus");  // a path, no URI
}

// "file://data/x" is often meant for /data/x, and must not become the folder "data" of where one
// stands.
TEST(UriTest, AFileOfAnotherMachineIsNoPath) {
  EXPECT_TRUE(is_remote("file://data/x"));
  EXPECT_EQ(local_path("file://data/x"), "file://data/x");
}

TEST(UriTest, Parts) {
  const Uri uri = parse_uri("S3://user@bucket/a/b*.zst?region=x&scheme=http").value();
  EXPECT_EQ(uri.scheme, "s3");
  EXPECT_EQ(uri.user, "user");
  EXPECT_EQ(uri.authority, "bucket");
  EXPECT_EQ(uri.path, "a/b*.zst");
  EXPECT_EQ(uri.query, "region=x&scheme=http");
  EXPECT_EQ(uri.with_path("c"), "s3://user@bucket/c?region=x&scheme=http");
  EXPECT_EQ(parse_uri("s3://bucket").value().path, "");
  EXPECT_EQ(parse_uri("http://host:8080/a?b/c").value().query, "b/c");
  EXPECT_FALSE(parse_uri("s3:///key"));
  EXPECT_FALSE(parse_uri("no uri"));
}

TEST(UriTest, QuestionMarkOfAPatternIsNoQuery) {
  EXPECT_EQ(parse_uri("s3://b/part-?.jsonl").value().path, "part-?.jsonl");
  const Uri both = parse_uri("s3://b/part-?.jsonl?scheme=http").value();
  EXPECT_EQ(both.path, "part-?.jsonl");
  EXPECT_EQ(both.query, "scheme=http");
}

TEST(UriTest, EveryKeyHasAName) {
  const Uri place = parse_uri("s3://b/").value();
  for (const char* key : {"a", "a?b=c", "?", "a?", "x?y=z/w", "a%20b", "a b", "数据"}) {
    const Uri uri = parse_uri(place.with_path(key)).value();
    EXPECT_EQ(uri.path, key);
    EXPECT_EQ(uri.query, "");
  }
}

TEST(UriTest, WithoutQuery) {
  EXPECT_EQ(without_query("https://h/a.jsonl.gz?sig=1#x"), "https://h/a.jsonl.gz");
  EXPECT_EQ(without_query("s3://b/a.gz?region=x"), "s3://b/a.gz");
  EXPECT_EQ(without_query("/data/what?a=b"), "/data/what?a=b");
}

TEST(RedactTest, Table) {
  const struct {
    const char* text;
    const char* shown;
  } cases[] = {
      {"s3://bucket/key", "s3://bucket/key"},
      {"s3://AKIA:s3cret@bucket/key", "s3://***@bucket/key"},
      {"s3://AKIA:s3/cret@bucket/key", "s3://***@bucket/key"},
      {"https://user:pw@host:80/a", "https://***@host:80/a"},
      {"https://ghp_token@host/a", "https://***@host/a"},
      {"http://host:80/a@b", "http://host:80/a@b"},
      {"abfs://container@account.dfs.core.windows.net/a",
       "abfs://container@account.dfs.core.windows.net/a"},
      {"abfs://account:key@container/a", "abfs://***@container/a"},
      {"https://h/a?X-Amz-Date=1&X-Amz-Credential=AK%2F1&X-Amz-Signature=ff&x=1",
       "https://h/a?X-Amz-Date=1&X-Amz-Credential=***&X-Amz-Signature=***&x=1"},
      {"https://h/a?sv=2022&sp=r&sig=abc%3D", "https://h/a?sv=2022&sp=r&sig=***"},
      {"https://h/a?AWSAccessKeyId=AK&Expires=1", "https://h/a?AWSAccessKeyId=***&Expires=1"},
      {"https://h/a?x=1&%73ig=abc", "https://h/a?x=1&%73ig=***"},
      {"s3://b/k?access_key=AK&secret_key=SK&region=r",
       "s3://b/k?access_key=***&secret_key=***&region=r"},
      {"opening 'http://u:p@h/a', then https://h/b?token=t: no",
       "opening 'http://***@h/a', then https://h/b?token=***"},
      {"paths: [\"s3://a:b@c/d\", /e]\n", "paths: [\"s3://***@c/d\", /e]\n"},
      {"no uri :// here", "no uri :// here"},
  };
  for (const auto& [text, shown] : cases) {
    const std::string hidden = redact(text);
    // Punctuation behind a secret goes with it.
    EXPECT_TRUE(hidden.starts_with(shown)) << hidden;
    EXPECT_EQ(redact(hidden), hidden);
  }
}

TEST(PublicNameTest, StandsForTheWholeUri) {
  const std::string secret = "https://me:pw@host/a.gz?part=1&sig=abc";
  const std::string name = public_name(secret);
  EXPECT_EQ(name, "https://***@host/a.gz?part=1&sig=***");
  const Uri uri = parse_uri(name).value();
  EXPECT_EQ(uri.user, "me:pw");
  EXPECT_EQ(uri.query, "part=1&sig=abc");
  EXPECT_EQ(uri.name, name);
  EXPECT_EQ(public_name(name), name);
  EXPECT_EQ(parse_uri(name).value().user, "me:pw") << "a name is no new secret";
  EXPECT_EQ(public_name("/data/***@x"), "/data/***@x");
}

TEST(PublicNameTest, BadUriKeepsItsSecret) {
  const auto bad = parse_uri("s3://AKIA:s3/cret@bucket/key");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message().find("cret"), std::string::npos) << bad.error().message();
}

}  // namespace
}  // namespace headrace::io
