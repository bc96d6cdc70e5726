// SPDX-License-Identifier: Apache-2.0
// One JSON object → its text and the raw bytes of its other fields.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace headrace::read {

// What a line turned out to be.
enum class RecordState {
  kDocument,
  kBlank,  // white space only
  kNotJson,
  kUnpairedSurrogate,
  kNotAnObject,
  kTextMissing,
  kTextNull,
  kTextNotString,
};

// Single-threaded; keep one for as long as possible. index() first, then record() for lines inside
// the indexed bytes, in order.
class JsonRecords {
 public:
  explicit JsonRecords(const ReadOptions& options);
  ~JsonRecords();

  // Finds the tokens of `bytes`, one or more whole lines. False when they hold invalid UTF-8, a
  // string that does not end or a control character in a string: then index the lines one by one.
  bool index(std::string_view bytes);
  // A sentence on why index() said no.
  std::string_view index_fault() const { return index_fault_; }

  // Parses the record in `line`, which lies in the indexed bytes behind all lines asked for before.
  // `text` and `meta` are replaced; they mean something when kDocument comes back.
  RecordState record(std::string_view line, std::string* text, std::string* meta);
  // What stopped the last record() that was not kDocument: a sentence, and the place in the line.
  std::string_view fault() const { return fault_; }
  std::size_t fault_offset() const { return fault_offset_; }

 private:
  static constexpr int kNoSlot = -1;
  static constexpr int kTextSlot = 0;
  static constexpr int kMaxDepth = 1024;

  // The fields asked for, as a tree of names.
  struct Field {
    std::string name;
    int slot = kNoSlot;
    bool spelled_out = false;  // one key that has the dots in it
    std::vector<Field> fields;

    bool holds_text() const;
  };
  struct Member {
    std::string_view key;  // with its quotes; behind it ':' and value
    std::string_view value;
  };
  // The object around a nested text, without that text.
  struct Replacement {
    std::string_view whole;
    std::string without_text;
  };
  struct Slot {
    std::string_view value;
    bool spelled_out = false;
  };
  struct Tokens;

  void add_field(const std::string& path, int slot);
  bool value(const Field* field, int depth, std::string_view* span);
  bool object(const Field* field, int depth);
  bool array(int depth);
  bool member(const Field* field, int depth, std::vector<Member>* kept);
  bool string(std::string_view token, std::string* unescaped);
  bool take_text(const Field& field, std::string_view span);
  const Field* find_field(const Field& parent, std::string_view key);
  std::string_view token() const;
  bool fail(const char* at, std::string_view why);
  void append_meta(std::string* meta) const;
  void append_value(std::string_view value, std::string* meta) const;

  const bool keep_all_;
  std::vector<std::string> keep_names_;  // quoted and escaped, by slot - 1
  Field root_;

  std::unique_ptr<Tokens> tokens_;
  std::string_view index_fault_;

  // Of the record at hand.
  std::string_view line_;
  std::string* text_ = nullptr;
  RecordState text_state_ = RecordState::kTextMissing;
  bool text_spelled_out_ = false;
  bool unpaired_ = false;
  std::string_view fault_;
  std::size_t fault_offset_ = 0;
  std::vector<Member> members_;
  std::vector<Slot> slots_;
  std::vector<Replacement> replacements_;
  std::string scratch_;
  std::string key_scratch_;
};

}  // namespace headrace::read
