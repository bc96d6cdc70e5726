// SPDX-License-Identifier: Apache-2.0
// For tests of readers: decoders that need no other room, and a sink that keeps what it saw.
#pragma once

#include <map>
#include <memory>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "read/reader.h"

namespace headrace::read {

// A double-byte encoding after the manner of GB18030, of the characters of the tests alone. Bytes
// above 0x7F that are not in it are an error.
class TestDoubleByteDecoder final : public TextDecoder {
 public:
  std::string_view encoding() const override { return "gb18030"; }
  bool cuts_at_newline_bytes() const override { return true; }
  Result<void> decode(std::string_view bytes, std::string* text) const override {
    static const std::map<std::string, std::string, std::less<>> kCharacters = {
        {"\xCA\xFD", "数"}, {"\xBE\xDD", "据"}, {"\xC7\xE5", "清"}, {"\xCF\xB4", "洗"},
        {"\xB1\xE0", "编"}, {"\xC2\xEB", "码"}, {"\xC4\xA3", "模"}, {"\xCA\xBD", "式"},
        {"\x81\x5C", "乗"}, {"\xA2\xE3", "€"},  {"\xD2\xB0", "野"}, {"\xBC\xD2", "家"},
        {"\xBA\xCD", "和"}, {"\xA3\xAC", "，"}, {"\xB1\xD8", "必"}, {"\xD0\xEB", "须"},
        {"\xD0\xB4", "写"}, {"\xC3\xF7", "明"}, {"\xA1\xA3", "。"}, {"\x95\x34\xB2\x35", "𠮷"}};
    text->clear();
    for (std::size_t i = 0; i < bytes.size();) {
      if (static_cast<unsigned char>(bytes[i]) < 0x80) {
        *text += bytes[i++];
        continue;
      }
      auto found = kCharacters.find(bytes.substr(i, 4));
      if (found == kCharacters.end()) found = kCharacters.find(bytes.substr(i, 2));
      if (found == kCharacters.end()) return corrupt("a bad byte at offset {}", i);
      *text += found->second;
      i += found->first.size();
    }
    return {};
  }
};

class TestUtf8Decoder final : public TextDecoder {
 public:
  std::string_view encoding() const override { return "utf-8"; }
  bool cuts_at_newline_bytes() const override { return true; }
  Result<void> decode(std::string_view bytes, std::string* text) const override {
    if (!simdjson::validate_utf8(bytes.data(), bytes.size())) return corrupt("a bad byte");
    *text = bytes;
    return {};
  }
};

// Of the first plane, without surrogates.
class TestUtf16Decoder final : public TextDecoder {
 public:
  explicit TestUtf16Decoder(bool big) : big_(big) {}
  std::string_view encoding() const override { return big_ ? "utf-16be" : "utf-16le"; }
  bool cuts_at_newline_bytes() const override { return false; }
  Result<void> decode(std::string_view bytes, std::string* text) const override {
    text->clear();
    if (bytes.size() % 2 != 0) return corrupt("half a unit at offset {}", bytes.size() - 1);
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      const auto low = static_cast<unsigned char>(bytes[i + (big_ ? 1 : 0)]);
      const auto high = static_cast<unsigned char>(bytes[i + (big_ ? 0 : 1)]);
      const unsigned unit = high * 256u + low;
      if (unit >= 0xD800 && unit < 0xE000) return corrupt("a surrogate at offset {}", i);
      if (unit < 0x80) {
        *text += static_cast<char>(unit);
      } else if (unit < 0x800) {
        *text += static_cast<char>(0xC0 | unit >> 6);
        *text += static_cast<char>(0x80 | (unit & 0x3F));
      } else {
        *text += static_cast<char>(0xE0 | unit >> 12);
        *text += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
        *text += static_cast<char>(0x80 | (unit & 0x3F));
      }
    }
    return {};
  }

 private:
  bool big_;
};

// detect() gives `evidence`, whatever the bytes are.
class TestDecoders final : public DecoderFactory {
 public:
  Result<std::shared_ptr<const TextDecoder>> declared(std::string_view name) const override {
    if (name == "utf-8") return std::make_shared<TestUtf8Decoder>();
    if (name == "gb18030") return std::make_shared<TestDoubleByteDecoder>();
    if (name == "utf-16le") return std::make_shared<TestUtf16Decoder>(false);
    if (name == "utf-16be") return std::make_shared<TestUtf16Decoder>(true);
    return invalid_argument("no encoding '{}'", name);
  }
  EncodingEvidence detect(std::string_view head, const EncodingHints& hints) const override {
    static_cast<void>(head);
    static_cast<void>(hints);
    return evidence;
  }

  EncodingEvidence evidence;
};

struct SeenDocument {
  std::uint64_t id = 0;
  std::string text;
  std::string meta;
  std::uint64_t line = 0;
  bool operator==(const SeenDocument&) const = default;
};

struct SeenRejection {
  Rejection kind = Rejection::kDrop;
  std::string reason;
  std::string detail;
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  std::string bytes;
  bool operator==(const SeenRejection&) const = default;
};

class TestSink final : public RecordSink {
 public:
  Result<void> document(Document& document) override {
    documents.push_back({document.id.value, document.text, document.meta, document.line});
    document.text = "changed by a step";
    return {};
  }
  Result<void> rejected(const RejectedRecord& record) override {
    rejections.push_back({record.kind, std::string(record.reason), record.detail, record.offset,
                          record.line, std::string(record.bytes)});
    return {};
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const SeenDocument& document : documents) all.push_back(document.text);
    return all;
  }
  std::vector<std::string> reasons() const {
    std::vector<std::string> all;
    for (const SeenRejection& rejection : rejections) all.push_back(rejection.reason);
    return all;
  }

  std::vector<SeenDocument> documents;
  std::vector<SeenRejection> rejections;
};

// What a whole file gave.
struct Seen {
  TestSink sink;
  ReadCounts counts;  // of all splits together
  std::size_t splits = 0;

  std::vector<std::string> note_kinds() const {
    std::vector<std::string> all;
    for (const FileNote& note : counts.notes) all.push_back(note.kind);
    return all;
  }
};

inline Seen read_all(std::string_view format, const std::string& path,
                     const ReadOptions& options = {}, const DecoderFactory* decoders = nullptr,
                     std::uint64_t target_bytes = 1 << 20) {
  static const TestDecoders kDefault;
  Seen seen;
  const ReaderInfo* info = registry().find(format);
  EXPECT_NE(info, nullptr) << format;
  if (info == nullptr) return seen;
  auto reader = info->make(options, decoders != nullptr ? *decoders : kDefault);
  EXPECT_TRUE(reader) << reader.error().message();
  if (!reader) return seen;
  const auto splits = (*reader)->split(path, 3, target_bytes);
  EXPECT_TRUE(splits) << splits.error().message();
  if (!splits) return seen;
  for (const Split& split : *splits) {
    const std::size_t before = seen.sink.documents.size();
    const std::size_t rejected_before = seen.sink.rejections.size();
    const auto counts = (*reader)->read(split, seen.sink, {});
    EXPECT_TRUE(counts) << counts.error().message();
    if (!counts) return seen;
    // Lines count on from split to split.
    for (std::size_t i = before; i < seen.sink.documents.size(); ++i) {
      if (seen.sink.documents[i].line > 0) seen.sink.documents[i].line += seen.counts.lines;
    }
    for (std::size_t i = rejected_before; i < seen.sink.rejections.size(); ++i) {
      if (seen.sink.rejections[i].line > 0) seen.sink.rejections[i].line += seen.counts.lines;
    }
    seen.counts.lines += counts->lines;
    seen.counts.blank_lines += counts->blank_lines;
    seen.counts.bytes += counts->bytes;
    seen.counts.encoding = counts->encoding;
    seen.counts.notes.insert(seen.counts.notes.end(), counts->notes.begin(), counts->notes.end());
    ++seen.splits;
  }
  return seen;
}

}  // namespace headrace::read
