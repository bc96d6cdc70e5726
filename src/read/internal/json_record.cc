// SPDX-License-Identifier: Apache-2.0
// Finds the text and the raw bytes of the other fields in a JSON object.
//
// simdjson's first stage finds where every token starts, 64 bytes at a time, and proves the UTF-8.
// Its own second stages do not fit here: the DOM one forgets where values stood, so they could not
// be carried byte for byte (numbers beyond 64 bits, 1.0 against 1), and the on-demand one does not
// look at what is skipped, so a broken value would be carried into `meta`. This walk over the token
// starts checks the whole grammar and keeps the places. It copies the text once, into the document.
//
// The first stage may run over many lines at once: white space and newlines separate values alike,
// and no string spans a newline unless the stage reports a control character in a string.
//
// Of several members with one name the last one is the text, as in most JSON libraries; the others
// of that name are left out of `meta`. A field name with dots means nested objects, or one key that
// has those dots in it, which wins.
#include "read/internal/json_record.h"

#include <algorithm>
#include <cstring>
#include <simdjson.h>
#include <utility>

#include "read/internal/json_text.h"

namespace headrace::read {
// Token starts of the indexed bytes, as offsets from `base`, and how far the walk has come.
struct JsonRecords::Tokens {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
  const char* base = nullptr;
  const std::uint32_t* next = nullptr;
  const std::uint32_t* end = nullptr;
  std::uint32_t line_end = 0;

  bool more() const { return next != end && *next < line_end; }
  const char* at() const { return base + *next; }
  char peek() const { return more() ? *at() : '\0'; }
};

bool JsonRecords::Field::holds_text() const {
  return std::any_of(fields.begin(), fields.end(),
                     [](const Field& field) { return field.slot == kTextSlot; });
}

JsonRecords::JsonRecords(const ReadOptions& options)
    : keep_all_(options.keep_all), tokens_(std::make_unique<Tokens>()) {
  add_field(options.text_field, kTextSlot);
  int slot = kTextSlot;
  for (const std::string& path : options.keep) {
    if (path == options.text_field) continue;
    add_field(path, ++slot);
    std::string quoted;
    append_json_string(path, &quoted);
    keep_names_.push_back(std::move(quoted));
  }
  slots_.resize(keep_names_.size());
}

JsonRecords::~JsonRecords() = default;

void JsonRecords::add_field(const std::string& path, int slot) {
  const auto child = [](Field* parent, std::string_view name) {
    for (Field& field : parent->fields) {
      if (field.name == name && !field.spelled_out) return &field;
    }
    return &parent->fields.emplace_back(Field{std::string(name)});
  };
  Field* field = &root_;
  std::string_view rest = path;
  for (;;) {
    const std::size_t dot = rest.find('.');
    field = child(field, rest.substr(0, dot));
    if (dot == rest.npos) break;
    rest.remove_prefix(dot + 1);
  }
  field->slot = slot;
  if (path.find('.') != path.npos) {
    root_.fields.push_back(Field{path, slot, true});
  }
}

bool JsonRecords::index(std::string_view bytes) {
  constexpr std::size_t kSmallest = std::size_t{1} << 16;
  auto& stage = tokens_->stage;
  simdjson::error_code error = simdjson::SUCCESS;
  if (stage == nullptr) {
    error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        std::max(bytes.size(), kSmallest), 1, stage);
  } else if (stage->capacity() < bytes.size()) {
    error = stage->set_capacity(bytes.size() + bytes.size() / 4);
  }
  if (error == simdjson::SUCCESS) {
    error = stage->stage1(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                          simdjson::stage1_mode::regular);
  }
  if (error != simdjson::SUCCESS && error != simdjson::EMPTY) {
    index_fault_ = error == simdjson::UNCLOSED_STRING   ? "a string does not end"
                   : error == simdjson::UNESCAPED_CHARS ? "a control character inside a string"
                   : error == simdjson::UTF8_ERROR      ? "invalid UTF-8"
                                                        : simdjson::error_message(error);
    return false;
  }
  tokens_->base = bytes.data();
  tokens_->next = stage->structural_indexes.get();
  tokens_->end = tokens_->next + (error == simdjson::EMPTY ? 0 : stage->n_structural_indexes);
  return true;
}

RecordState JsonRecords::record(std::string_view line, std::string* text, std::string* meta) {
  Tokens& tokens = *tokens_;
  const auto start = static_cast<std::uint32_t>(line.data() - tokens.base);
  tokens.line_end = start + static_cast<std::uint32_t>(line.size());
  while (tokens.next != tokens.end && *tokens.next < start) ++tokens.next;
  if (!tokens.more()) return RecordState::kBlank;

  line_ = line;
  text_ = text;
  text_state_ = RecordState::kTextMissing;
  text_spelled_out_ = false;
  unpaired_ = false;
  members_.clear();
  replacements_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
  const bool is_object = tokens.peek() == '{';
  std::string_view whole;
  bool good = value(is_object ? &root_ : nullptr, 0, &whole);
  if (good && tokens.more()) {
    good = fail(tokens.at(), "more than one value on the line");
  }
  if (!good) return RecordState::kNotJson;
  if (unpaired_) return RecordState::kUnpairedSurrogate;
  if (!is_object) {
    fail(line.data(), "the line holds JSON that is not an object");
    return RecordState::kNotAnObject;
  }
  if (text_state_ != RecordState::kDocument) return text_state_;
  meta->clear();
  append_meta(meta);
  return RecordState::kDocument;
}

bool JsonRecords::fail(const char* at, std::string_view why) {
  fault_ = why;
  fault_offset_ = static_cast<std::size_t>(at - line_.data());
  return false;
}

std::string_view JsonRecords::token() const {
  const Tokens& tokens = *tokens_;
  const std::uint32_t* following = tokens.next + 1;
  const std::uint32_t end =
      following != tokens.end && *following < tokens.line_end ? *following : tokens.line_end;
  return trim_json_space({tokens.at(), end - *tokens.next});
}

bool JsonRecords::value(const Field* field, int depth, std::string_view* span) {
  Tokens& tokens = *tokens_;
  if (!tokens.more()) return fail(line_.data() + line_.size(), "the record does not end");
  const char* const begin = tokens.at();
  const char c = *begin;
  if (c == '{' || c == '[') {
    if (depth >= kMaxDepth) return fail(begin, "nested deeper than 1024 levels");
    if (!(c == '{' ? object(field, depth + 1) : array(depth + 1))) return false;
    // The walk stands on the closing bracket.
    *span = {begin, static_cast<std::size_t>(tokens.at() + 1 - begin)};
    ++tokens.next;
    return true;
  }
  *span = token();
  ++tokens.next;
  if (c == '"') {
    // The text is checked when it is taken.
    if (field != nullptr && field->slot == kTextSlot) return true;
    return string(*span, &scratch_);
  }
  if (c == '-' || (c >= '0' && c <= '9'))
    return is_json_number(*span) || fail(begin, "not a number");
  if (*span == "true" || *span == "false" || *span == "null") return true;
  return fail(begin, "not a value");
}

bool JsonRecords::string(std::string_view token, std::string* unescaped) {
  const std::string_view raw = token.substr(1, token.size() - 2);
  if (unescaped == &scratch_ &&
      (raw.empty() || std::memchr(raw.data(), '\\', raw.size()) == nullptr)) {
    return true;
  }
  switch (unescape_json(raw, unescaped)) {
    case JsonEscape::kGood:
      return true;
    case JsonEscape::kBad:
      return fail(token.data(), "a bad escape in a string");
    case JsonEscape::kUnpaired:
      if (!unpaired_) fail(token.data(), "an unpaired surrogate in a string");
      unpaired_ = true;
      return true;
  }
  return true;
}

bool JsonRecords::array(int depth) {
  Tokens& tokens = *tokens_;
  ++tokens.next;
  if (tokens.peek() == ']') return true;
  for (;;) {
    std::string_view span;
    if (!value(nullptr, depth, &span)) return false;
    const char c = tokens.peek();
    if (c == ']') return true;
    if (c != ',') {
      return tokens.more() ? fail(tokens.at(), "neither ',' nor ']' after a value")
                           : fail(line_.data() + line_.size(), "an array does not end");
    }
    ++tokens.next;
  }
}

bool JsonRecords::object(const Field* field, int depth) {
  Tokens& tokens = *tokens_;
  const char* const begin = tokens.at();
  const bool nested_holder = depth > 1 && field != nullptr && field->holds_text();
  std::vector<Member> kept;
  std::vector<Member>* list = nested_holder ? &kept : nullptr;
  if (depth == 1 && keep_all_) list = &members_;
  ++tokens.next;
  if (tokens.peek() != '}') {
    for (;;) {
      if (!member(field, depth, list)) return false;
      const char c = tokens.peek();
      if (c == '}') break;
      if (c != ',') {
        return tokens.more() ? fail(tokens.at(), "neither ',' nor '}' after a member")
                             : fail(line_.data() + line_.size(), "an object does not end");
      }
      ++tokens.next;
    }
  }
  if (nested_holder) {
    Replacement replacement;
    replacement.whole = {begin, static_cast<std::size_t>(tokens.at() + 1 - begin)};
    for (const Member& one : kept) {
      replacement.without_text += replacement.without_text.empty() ? '{' : ',';
      replacement.without_text += one.key;
      replacement.without_text += ':';
      append_value(one.value, &replacement.without_text);
    }
    if (replacement.without_text.empty()) replacement.without_text = "{";
    replacement.without_text += '}';
    replacements_.push_back(std::move(replacement));
  }
  return true;
}

bool JsonRecords::member(const Field* field, int depth, std::vector<Member>* kept) {
  Tokens& tokens = *tokens_;
  if (tokens.peek() != '"') {
    return tokens.more() ? fail(tokens.at(), "not a name in quotes")
                         : fail(line_.data() + line_.size(), "an object does not end");
  }
  const std::string_view key = token();
  if (!string(key, &scratch_)) return false;
  ++tokens.next;
  if (tokens.peek() != ':') return fail(key.data() + key.size(), "no ':' after a name");
  ++tokens.next;
  const Field* found = field == nullptr ? nullptr : find_field(*field, key);
  std::string_view span;
  if (!value(found, depth, &span)) return false;
  if (found != nullptr && found->slot == kTextSlot) return take_text(*found, span);
  if (found != nullptr && found->slot > kTextSlot) {
    Slot& slot = slots_[static_cast<std::size_t>(found->slot - 1)];
    if (found->spelled_out || !slot.spelled_out) slot = {span, found->spelled_out};
  }
  if (kept != nullptr) kept->push_back({key, span});
  return true;
}

const JsonRecords::Field* JsonRecords::find_field(const Field& parent, std::string_view key) {
  std::string_view name = key.substr(1, key.size() - 2);
  if (std::memchr(key.data(), '\\', key.size()) != nullptr) {
    if (unescape_json(name, &key_scratch_) != JsonEscape::kGood) return nullptr;
    name = key_scratch_;
  }
  for (const Field& field : parent.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

bool JsonRecords::take_text(const Field& field, std::string_view span) {
  const bool is_string = span.front() == '"';
  if (text_spelled_out_ && !field.spelled_out) return !is_string || string(span, &scratch_);
  text_spelled_out_ = field.spelled_out;
  if (is_string) {
    text_state_ = RecordState::kDocument;
    return string(span, text_);
  }
  text_state_ = span == "null" ? RecordState::kTextNull : RecordState::kTextNotString;
  if (!unpaired_) fail(span.data(), "");
  return true;
}

void JsonRecords::append_meta(std::string* meta) const {
  const auto append = [&](std::string_view key, std::string_view value) {
    *meta += meta->empty() ? '{' : ',';
    *meta += key;
    *meta += ':';
    append_value(value, meta);
  };
  for (const Member& member : members_) append(member.key, member.value);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].value.empty()) append(keep_names_[i], slots_[i].value);
  }
  if (!meta->empty()) *meta += '}';
}

void JsonRecords::append_value(std::string_view value, std::string* meta) const {
  const char* from = value.data();
  const char* const end = value.data() + value.size();
  for (const Replacement& replacement : replacements_) {
    const char* const begin = replacement.whole.data();
    if (begin < from || begin >= end) continue;
    meta->append(from, begin);
    *meta += replacement.without_text;
    from = begin + replacement.whole.size();
  }
  meta->append(from, end);
}

}  // namespace headrace::read
