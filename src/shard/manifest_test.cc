// SPDX-License-Identifier: Apache-2.0
#include "shard/manifest.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "shard/test_set.h"

namespace headrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHash = "0123456789abcdef0123456789abcdef";

Manifest example() {
  Manifest manifest;
  manifest.format = "megatron";
  manifest.seed = 18'446'744'073'709'551'615U;
  manifest.samples = 2;
  manifest.tokens = 32;
  manifest.sequence_length = 16;
  manifest.token_type = "uint16";
  manifest.tokenizer_sha256 = "ab12";
  manifest.tokenizer_path = "tokenizers/分词.json";
  manifest.vocabulary_size = 50'257;
  manifest.end_token = "<|endoftext|>";
  manifest.leftover_tokens = 3;
  manifest.run_fingerprint = "r1";
  manifest.domains = {{"news", 5, 20}, {"code", 1, 15}};
  manifest.shards = {{"a.bin", 2, 32, {{"a.bin", 64, kHash}, {"a.bin.hri", 100, kHash}}}};
  return manifest;
}

// The same text with a checksum that fits, so that the checks behind it are reached.
std::string sealed(Json json) {
  json.erase("checksum");
  std::string text = json.dump();
  text.back() = ',';
  return text + "\"checksum\": \"" + to_hex(hash128(text)) + "\"\n}\n";
}

Status error_of(const std::string& text) {
  const Result<Manifest> manifest = shard::parse_manifest(text, "set/manifest.json");
  EXPECT_FALSE(manifest) << text;
  return manifest ? Status(Code::kInternal, "none") : manifest.error();
}

TEST(ManifestTest, ReadsBackWhatItFormats) {
  const std::string text = format_manifest(example());
  const Result<Manifest> manifest = shard::parse_manifest(text, "m");
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(format_manifest(*manifest), text);
  EXPECT_EQ(manifest->seed, 18'446'744'073'709'551'615U);
  EXPECT_EQ(manifest->tokenizer_path, "tokenizers/分词.json");
  EXPECT_EQ(manifest->shards[0].files[1].bytes, 100U);
  EXPECT_EQ(manifest->domains[1].name, "code");
}

TEST(ManifestTest, TheCanonicalFormIsThatOfThePage) {
  const std::string page = shard::slurp(HEADRACE_DOCS "/formats/manifest.md");
  const std::size_t begin = page.find("```json\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = page.find("```", begin + 8);
  EXPECT_EQ(page.substr(begin + 8, end - begin - 8), format_manifest(example()));
}

TEST(ManifestTest, EveryFlippedBitIsFound) {
  const std::string good = format_manifest(example());
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string text = good;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_EQ(error_of(text).code(), Code::kCorrupt) << "bit " << bit;
  }
}

TEST(ManifestTest, BytesBehindTheChecksumAreFound) {
  const std::string good = format_manifest(example());
  const std::string without_end = good.substr(0, good.size() - 3);  // "\n}\n"
  for (const std::string& text :
       {good + "\n", good + " ", good + "\t\n", without_end + ", \"more\": 1\n}\n",
        without_end + "}\n", without_end + "\n}", without_end + "\n }\n"}) {
    EXPECT_NE(error_of(text).message().find("behind it"), std::string::npos) << text;
    EXPECT_EQ(error_of(text).code(), Code::kCorrupt) << text;
  }
}

TEST(ManifestTest, MissingKeysAndWrongTypesAreNamed) {
  const Json good = Json::parse(format_manifest(example()));
  for (const auto& [key, value] : good.items()) {
    if (key == "checksum") continue;
    Json without = good;
    without.erase(key);
    EXPECT_EQ(error_of(sealed(without)).message(),
              "set/manifest.json: key '" + key + "' is missing");
    Json other = good;
    other[key] = true;
    const Status wrong = error_of(sealed(other));
    EXPECT_EQ(wrong.code(), Code::kCorrupt);
    EXPECT_EQ(wrong.message().rfind("set/manifest.json: key '" + key + "' is boolean (true), ", 0),
              0U)
        << wrong.message();
  }
  for (const char* key : {"path", "bytes", "xxh3_128"}) {
    Json without = good;
    without["shards"][0]["files"][1].erase(key);
    EXPECT_EQ(error_of(sealed(without)).message(),
              std::string("set/manifest.json: key 'shards[0].files[1].") + key + "' is missing");
  }
  for (const char* key : {"name", "documents", "tokens"}) {
    Json without = good;
    without["domains"][1].erase(key);
    EXPECT_EQ(error_of(sealed(without)).message(),
              std::string("set/manifest.json: key 'domains[1].") + key + "' is missing");
  }
}

TEST(ManifestTest, ContradictionsAreRefused) {
  const Json good = Json::parse(format_manifest(example()));
  const auto changed = [&](const char* pointer, const Json& value) {
    Json json = good;
    json[Json::json_pointer(pointer)] = value;
    const Status error = error_of(sealed(json));
    EXPECT_EQ(error.code(), Code::kCorrupt) << pointer;
    return error.message();
  };
  EXPECT_NE(changed("/samples", 3).find("key 'samples': 3, but the shards have 2"),
            std::string::npos);
  EXPECT_NE(changed("/tokens", 31).find("key 'tokens': 31, but the shards have 32"),
            std::string::npos);
  EXPECT_NE(changed("/seed", -1).find("whole number from 0"), std::string::npos);
  EXPECT_NE(changed("/seed", 1.5).find("whole number from 0"), std::string::npos);
  EXPECT_NE(changed("/sequence_length", 4'294'967'296).find("4294967295"), std::string::npos);
  EXPECT_NE(changed("/shards/0/path", "b.bin").find("the first file is not the main file 'b.bin'"),
            std::string::npos);
  EXPECT_NE(changed("/shards/0/files/1/xxh3_128", "ABC").find("32 lower-case hex digits"),
            std::string::npos);
  for (const char* path : {"/etc/passwd", "../other.hri", "a/../../b", ""}) {
    EXPECT_NE(changed("/shards/0/files/1/path", path).find("does not lie below the manifest"),
              std::string::npos)
        << path;
  }
}

TEST(ManifestTest, NewerVersionsAreRefusedAndUnknownKeysIgnored) {
  Json json = Json::parse(format_manifest(example()));
  json["version"] = 3;
  const Status newer = error_of(sealed(json));
  EXPECT_EQ(newer.code(), Code::kUnsupported);
  EXPECT_EQ(newer.message(),
            "set/manifest.json: version 3 is newer than 2, the newest this program reads; upgrade "
            "headrace");
  json["version"] = 1;
  json["licence"] = "CC0";
  json["shards"][0]["owner"] = 7;
  EXPECT_TRUE(shard::parse_manifest(sealed(json), "m"));
}

// With all that may be absent.
Manifest packed_example() {
  Manifest manifest = example();
  manifest.packing = "best_fit";
  manifest.end_token_id = 0;
  manifest.begin_token_ids = {1, 70'000};
  manifest.padding_tokens = 5;
  return manifest;
}

TEST(ManifestTest, OnlySetsOfShorterSamplesAreOfVersion2) {
  const std::string text = format_manifest(packed_example());
  EXPECT_EQ(Json::parse(text)["version"], 2);
  const Result<Manifest> manifest = shard::parse_manifest(text, "m");
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(format_manifest(*manifest), text);
  EXPECT_EQ(manifest->end_token_id, 0U);
  EXPECT_EQ(manifest->begin_token_ids, (std::vector<std::uint32_t>{1, 70'000}));
  EXPECT_EQ(manifest->padding_tokens, 5U);
  EXPECT_TRUE(manifest->may_be_shorter());

  Manifest full = packed_example();
  full.packing = "concat";
  EXPECT_EQ(Json::parse(format_manifest(full))["version"], 1);
  const Result<Manifest> older = shard::parse_manifest(format_manifest(example()), "m");
  ASSERT_TRUE(older);
  EXPECT_EQ(older->packing, "");
  EXPECT_FALSE(older->end_token_id);
  EXPECT_FALSE(older->may_be_shorter());
}

TEST(ManifestTest, IdsMustBeIds) {
  Json json = Json::parse(format_manifest(packed_example()));
  json["begin_token_ids"] = Json::array({1, "two"});
  EXPECT_NE(error_of(sealed(json)).message().find("an array of token ids"), std::string::npos);
  json["begin_token_ids"] = 1;
  EXPECT_NE(error_of(sealed(json)).message().find("an array"), std::string::npos);
  json["begin_token_ids"] = Json::array();
  json["end_token_id"] = -1;
  EXPECT_NE(error_of(sealed(json)).message().find("end_token_id"), std::string::npos);
}

TEST(ManifestTest, WhatIsNoManifestIsRefused) {
  for (const char* text : {"", "[]", "{}", "7", "{\"version\": 1}", "not json", "{\"version\":"}) {
    EXPECT_EQ(error_of(text).code(), Code::kCorrupt) << text;
  }
}

// Found by hand beside the fuzzer: a million brackets ended the stack.
TEST(ManifestTest, DeepBracketsAreRefused) {
  const auto brackets = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  for (const std::string& text : {brackets(1'000'000), std::string(1'000'000, '['),
                                  "{\"version\": 1, \"format\": " + brackets(1'000'000) + "}"}) {
    const auto manifest = shard::parse_manifest(text, "m.json");
    ASSERT_FALSE(manifest);
    EXPECT_EQ(manifest.error().code(), Code::kCorrupt);
    EXPECT_LT(manifest.error().message().size(), 300U);
  }
  EXPECT_EQ(shard::parse_manifest("{\"a\": " + brackets(14) + "}", "m").error().message(),
            "m: key 'version' is missing");
}

TEST(ManifestTest, ReadTakesTheFileOrItsFolder) {
  const std::string folder = shard::fresh_folder("manifest_read");
  EXPECT_EQ(read_manifest(folder).error().code(), Code::kNotFound);
  shard::spill(folder + "/manifest.json", format_manifest(example()));
  EXPECT_TRUE(read_manifest(folder));
  EXPECT_TRUE(read_manifest(folder + "/manifest.json"));
}

// The schema is for editors and other programs: it must name the keys that are written, no others.
TEST(ManifestTest, TheSchemaNamesTheSameKeys) {
  const Json schema = Json::parse(shard::slurp(HEADRACE_DOCS "/formats/manifest.schema.json"));
  const Json manifest = Json::parse(format_manifest(packed_example()));
  const auto keys_of = [](const Json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.insert(key);
    return keys;
  };
  const auto required_of = [](const Json& described) {
    return described["required"].get<std::set<std::string>>();
  };
  const auto same_keys = [&](const Json& described, const Json& object) {
    EXPECT_EQ(keys_of(described["properties"]), keys_of(object));
    EXPECT_EQ(required_of(described), keys_of(object));
  };
  const Json& properties = schema["properties"];
  EXPECT_EQ(keys_of(properties), keys_of(manifest));
  EXPECT_EQ(required_of(schema), keys_of(Json::parse(format_manifest(example()))));
  same_keys(properties["domains"]["items"], manifest["domains"][0]);
  const Json& shard = properties["shards"]["items"];
  same_keys(shard, manifest["shards"][0]);
  same_keys(shard["properties"]["files"]["items"], manifest["shards"][0]["files"][0]);
}

}  // namespace
}  // namespace headrace
