// SPDX-License-Identifier: Apache-2.0
#include "leak/internal/item_layout.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/error.h"

namespace headrace::leak {
namespace {

const std::vector<std::string> kIdNames = {"id", "task_id", "question_id", "index", "idx"};
const std::vector<std::string> kQuestionNames = {"question", "Question", "prompt",     "problem",
                                                 "query",    "input",    "instruction"};
const std::vector<std::string> kOptionNames = {"options", "choices", "Options", "Choices"};
const std::vector<std::string> kAnswerNames = {"answer", "Answer",  "target", "label",
                                               "gold",   "answers", "output"};
const std::vector<std::string> kSolutionNames = {"solution",           "analysis",  "explanation",
                                                 "canonical_solution", "rationale", "cot_content"};
const std::vector<std::string> kPassageNames = {"passage", "context", "article", "story", "text"};

constexpr std::size_t kLeastPassageBytes = 400;

// A name as it stands, else as a path of names with dots between; null counts as absent.
const Json* at_path(const Json& record, std::string_view name) {
  if (!record.is_object()) return nullptr;
  if (const auto whole = record.find(name); whole != record.end())
    return whole->is_null() ? nullptr : &*whole;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    const auto part = record.find(name.substr(0, dot));
    if (part == record.end()) continue;
    if (const Json* rest = at_path(*part, name.substr(dot + 1))) return rest;
  }
  return nullptr;
}

const Json* field(const Json& record, const std::vector<std::string>& given,
                  const std::vector<std::string>& known) {
  for (const std::string& name : given.empty() ? known : given) {
    if (const Json* found = at_path(record, name)) return found;
  }
  return nullptr;
}

std::string text_field(const Json& record, const std::vector<std::string>& given,
                       const std::vector<std::string>& known) {
  const Json* value = field(record, given, known);
  return value == nullptr ? "" : text_of(*value);
}

std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  for (const Json& one : value) {
    // {"label": "A", "text": "..."}, or the text itself.
    texts.push_back(one.is_object() && one.contains("text") ? text_of(one["text"]) : text_of(one));
  }
  return texts;
}

std::vector<std::string> options_of(const Json& record, const ItemFields& fields) {
  if (fields.options.size() > 1) {
    std::vector<std::string> texts;
    for (const std::string& name : fields.options) {
      if (const Json* value = field(record, {name}, {})) texts.push_back(text_of(*value));
    }
    return texts;
  }
  if (const Json* value = field(record, fields.options, kOptionNames)) {
    if (value->is_object() && value->contains("text") && (*value)["text"].is_array()) {
      return texts_of((*value)["text"]);
    }
    if (value->is_array() || value->is_object()) return texts_of(*value);
    return {text_of(*value)};
  }
  std::vector<std::string> texts;
  for (char letter = 'A'; letter <= 'J' && fields.options.empty(); ++letter) {
    const Json* value = field(record, {std::string(1, letter)}, {});
    if (value == nullptr) break;
    texts.push_back(text_of(*value));
  }
  return texts;
}

// "B", "(B)", "B." or the number 1 of four options: which of them.
std::optional<std::size_t> named_option(const Json* answer, std::size_t options) {
  if (answer == nullptr || options == 0) return std::nullopt;
  if (answer->is_number_integer()) {
    const auto number = answer->get<std::int64_t>();
    if (number < 0 || number >= static_cast<std::int64_t>(options)) return std::nullopt;
    return static_cast<std::size_t>(number);
  }
  std::string letters;
  for (const char c : text_of(*answer)) {
    if (std::string_view(" ()[].\t\n").find(c) == std::string_view::npos) letters += c;
  }
  if (letters.size() != 1) return std::nullopt;
  const auto at = static_cast<std::size_t>((letters[0] | 0x20) - 'a');
  return at < options ? std::optional(at) : std::nullopt;
}

bool is_ascii_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// Bytes of a mark such as "B．" or " B、" at `at`; 0 if none is there.
std::size_t mark_bytes(std::string_view text, std::size_t at, char letter) {
  if (text[at] != letter || (at > 0 && is_ascii_letter(text[at - 1]))) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] == ' ') ++end;
  for (const std::string_view stop : {"．", ".", "、"}) {
    if (text.substr(end).starts_with(stop)) return end + stop.size() - at;
  }
  return 0;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

// Where "\n 21. " starts, the first question behind a passage; npos if none does.
std::size_t first_number(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    std::size_t digit = text.find_first_not_of(" \t\n", at);
    if (digit == std::string_view::npos) return digit;
    std::size_t end = digit;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == digit || end - digit > 3) continue;
    while (end < text.size() && text[end] == ' ') ++end;
    for (const std::string_view stop : {"．", ".", "、"}) {
      if (text.substr(end).starts_with(stop)) return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "";
  if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const Json& one : value) {
    if (!text.empty()) text += '\n';
    text += text_of(one);
  }
  return text;
}

Item item_of(const Json& record, const ItemFields& fields) {
  Item item;
  item.id = text_field(record, fields.id, kIdNames);
  item.question = text_field(record, fields.question, kQuestionNames);
  item.options = options_of(record, fields);
  item.solution = text_field(record, fields.solution, kSolutionNames);
  item.passage = text_field(record, fields.passage, kPassageNames);
  if (item.question.empty() && fields.question.empty() && fields.passage.empty() &&
      record.contains("text")) {
    std::swap(item.question, item.passage);  // {"id", "text"}: the text is the item
  }
  const Json* answer = field(record, fields.answer, kAnswerNames);
  if (const auto option = named_option(answer, item.options.size())) {
    item.answer = item.options[*option];
  } else if (answer != nullptr && !(answer->is_object() && !item.options.empty())) {
    item.answer = answer->is_object() && answer->contains("text") ? text_of((*answer)["text"])
                                                                  : text_of(*answer);
  }
  return item;
}

void take_apart(Item* item) {
  const std::string question = item->question;
  std::string_view rest = question;
  const std::size_t number = first_number(rest);
  if (item->passage.empty() && number != std::string_view::npos && number > kLeastPassageBytes) {
    item->passage = trimmed(rest.substr(0, number));
    rest.remove_prefix(number);
  }
  // A B C D, and again for the next question of the same passage.
  struct Mark {
    std::size_t at;
    std::size_t bytes;
  };
  std::vector<Mark> marks;
  char next = 'A';
  for (std::size_t at = 0; at < rest.size(); ++at) {
    std::size_t bytes = mark_bytes(rest, at, next);
    if (bytes == 0 && next >= 'D') {
      bytes = mark_bytes(rest, at, 'A');
      if (bytes > 0) next = 'A';
    }
    if (bytes == 0) continue;
    marks.push_back({at, bytes});
    ++next;
    at += bytes - 1;
  }
  if (item->options.empty() && marks.size() >= 3) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const std::size_t begin = marks[i].at + marks[i].bytes;
      const std::size_t end = i + 1 < marks.size() ? marks[i + 1].at : rest.size();
      item->options.push_back(trimmed(rest.substr(begin, end - begin)));
    }
    rest = rest.substr(0, marks.front().at);
  }
  item->question = trimmed(rest);
}

Result<std::vector<std::vector<std::string>>> csv_rows(std::string_view bytes, char separator) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool is_quoted = false;
  bool has_any = false;
  std::size_t opened = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (is_quoted) {
      if (c != '"') {
        row.back() += c;
      } else if (at + 1 < bytes.size() && bytes[at + 1] == '"') {
        row.back() += '"';
        ++at;
      } else {
        is_quoted = false;
      }
      continue;
    }
    if (c == '"' && row.back().empty()) {
      is_quoted = has_any = true;
      opened = at;
    } else if (c == separator) {
      row.emplace_back();
      has_any = true;
    } else if (c == '\n') {
      if (has_any) rows.push_back(std::move(row));
      row.assign(1, "");
      has_any = false;
    } else if (c != '\r' || at + 1 >= bytes.size() || bytes[at + 1] != '\n') {
      row.back() += c;
      has_any = true;
    }
  }
  if (is_quoted) return corrupt("the quote at byte {} is not closed", opened);
  if (has_any) rows.push_back(std::move(row));
  return rows;
}

}  // namespace headrace::leak
