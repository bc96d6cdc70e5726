// SPDX-License-Identifier: Apache-2.0
#include "leak/internal/item_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headrace::leak {
namespace {

constexpr int kLeads = 3;  // "8．（3分）(1)" at most

// A reader of the few characters that a lead is made of, in either width.
class LeadReader {
 public:
  explicit LeadReader(std::string_view text) : text_(text) {}
  std::size_t at() const { return at_; }

  bool one_of(std::initializer_list<std::string_view> choices) {
    for (const std::string_view choice : choices) {
      if (!text_.substr(at_).starts_with(choice)) continue;
      at_ += choice.size();
      return true;
    }
    return false;
  }
  void blanks() {
    while (one_of({" ", "\t", "\n", "\r", "\u3000", "\u00A0"})) {
    }
  }
  int digits() {
    int n = 0;
    while (one_of({"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
                   "０", "１", "２", "３", "４", "５", "６", "７", "８", "９"})) {
      ++n;
    }
    return n;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// "12. " with no digit behind it: "3.5 kg" is no number of a question.
std::size_t number_bytes(std::string_view text) {
  LeadReader reader(text);
  reader.blanks();
  const int digits = reader.digits();
  if (digits < 1 || digits > 3) return 0;
  reader.blanks();
  if (!reader.one_of({"．", ".", "、"})) return 0;
  LeadReader behind(text.substr(reader.at()));
  if (behind.digits() > 0) return 0;
  reader.blanks();
  return reader.at();
}

// "（3分）".
std::size_t score_bytes(std::string_view text) {
  LeadReader reader(text);
  reader.blanks();
  if (!reader.one_of({"（", "("})) return 0;
  reader.blanks();
  const int digits = reader.digits();
  if (digits < 1 || digits > 2) return 0;
  reader.blanks();
  if (!reader.one_of({"分"})) return 0;
  reader.blanks();
  if (!reader.one_of({"）", ")"})) return 0;
  reader.blanks();
  return reader.at();
}

// Bytes between paired quotation marks: lines that questions quote and every book has.
std::vector<TextRange> quoted_ranges(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMarks = {
      {{"“", "”"}, {"「", "」"}, {"『", "』"}, {"《", "》"}}};
  std::vector<TextRange> ranges;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view here = text.substr(at, 3);
    std::size_t end = std::string_view::npos;
    for (const auto& [open, close] : kMarks) {
      if (here == open) end = text.find(close, at);
    }
    if (end == std::string_view::npos) {
      ++at;
      continue;
    }
    ranges.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  }
  return ranges;
}

void add_text(std::string_view published, Part part, std::uint32_t number, TokenText* text,
              ItemTokens* item) {
  const std::size_t lead = part == Part::kQuestion ? leading_number_bytes(published) : 0;
  text->assign(published.substr(lead));
  const std::uint32_t room = IndexBuilder::kMaxItemTokens - item->tokens;
  const std::size_t size = std::min<std::size_t>(text->size(), room);
  item->cut = item->cut || size < text->size();
  if (size == 0) return;

  ItemSequence sequence{.part = part, .text = number, .first_token = item->tokens};
  const TokenRow row = text->row();
  sequence.prefixes.assign(row.prefixes.begin(),
                           row.prefixes.begin() + static_cast<std::ptrdiff_t>(size + 1));
  sequence.half_units.assign(row.half_units.begin(),
                             row.half_units.begin() + static_cast<std::ptrdiff_t>(size));
  const auto offset = static_cast<std::uint32_t>(lead);
  for (std::size_t i = 0; i < size; ++i) {
    const TextRange bytes = text->bytes(i);
    sequence.bytes.push_back({bytes.begin + offset, bytes.end + offset});
  }
  if (part == Part::kQuestion) {
    const std::vector<TextRange> quotes = quoted_ranges(published);
    if (!quotes.empty()) sequence.quoted.resize(size);
    std::size_t token = 0;
    for (const TextRange quote : quotes) {
      while (token < size && sequence.bytes[token].begin < quote.begin) ++token;
      for (; token < size && sequence.bytes[token].begin < quote.end; ++token) {
        sequence.quoted[token] = true;
      }
    }
  }
  item->tokens += static_cast<std::uint32_t>(size);
  item->sequences.push_back(std::move(sequence));
}

}  // namespace

std::size_t leading_number_bytes(std::string_view question) {
  std::size_t at = 0;
  for (int i = 0; i < kLeads; ++i) {
    const std::string_view rest = question.substr(at);
    const std::size_t bytes = std::max(number_bytes(rest), score_bytes(rest));
    if (bytes == 0) break;
    at += bytes;
  }
  return at;
}

ItemTokens tokens_of(const Item& item, TokenText* text) {
  ItemTokens tokens;
  add_text(item.question, Part::kQuestion, 0, text, &tokens);
  for (std::uint32_t i = 0; i < item.options.size(); ++i) {
    add_text(item.options[i], Part::kOptions, i, text, &tokens);
  }
  add_text(item.answer, Part::kAnswer, 0, text, &tokens);
  add_text(item.solution, Part::kAnswer, 1, text, &tokens);
  add_text(item.passage, Part::kPassage, 0, text, &tokens);
  return tokens;
}

Hash128 ItemTokens::key() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> words;
  for (const ItemSequence& sequence : sequences) {
    words.emplace_back(static_cast<std::uint64_t>(sequence.part), sequence.prefixes.back());
  }
  std::sort(words.begin(), words.end());
  return hash128({reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])});
}

}  // namespace headrace::leak
