// SPDX-License-Identifier: Apache-2.0
#include "tokenize/sentencepiece_normalizer.h"

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::string_view kMetaspace = "\xE2\x96\x81";

class SentencePieceNormalizer final : public Normalizer {
 public:
  SentencePieceNormalizer(const SentencePieceModel& model, CharsMap map, ByteTrie atoms)
      : map_(std::move(map)),
        atoms_(std::move(atoms)),
        prefix_(model.dummy_prefix && !model.whitespace_as_suffix),
        suffix_(model.dummy_prefix && model.whitespace_as_suffix),
        removes_blanks_(model.remove_extra_whitespaces),
        blank_(model.escape_whitespaces ? kMetaspace : " ") {}

  void normalize(std::string_view text, std::string* normalized) const override {
    normalized->clear();
    std::size_t length = 0;
    while (removes_blanks_ && !text.empty() && front(text, &length) == " ") {
      text.remove_prefix(length);
    }
    if (text.empty()) return;
    if (prefix_) *normalized += blank_;
    for (bool behind_blank = removes_blanks_; !text.empty(); text.remove_prefix(length)) {
      std::string_view now = front(text, &length);
      while (behind_blank && now.starts_with(' ')) now.remove_prefix(1);
      for (const char c : now) {
        if (c == ' ') {
          *normalized += blank_;
        } else {
          *normalized += c;
        }
      }
      if (!now.empty()) behind_blank = removes_blanks_ && now.ends_with(' ');
    }
    while (removes_blanks_ && normalized->ends_with(blank_)) {
      normalized->resize(normalized->size() - blank_.size());
    }
    if (suffix_) *normalized += blank_;
  }

 private:
  // What the first `*length` bytes become.
  std::string_view front(std::string_view text, std::size_t* length) const {
    std::uint32_t id = 0;
    *length = atoms_.empty() ? 0 : atoms_.longest_prefix(text, &id);
    if (*length > 0) return text.substr(0, *length);
    const CharsMap::Rule rule = map_.longest(text);
    *length = rule.length > 0 ? rule.length : utf8_length(static_cast<std::uint8_t>(text[0]));
    return rule.length > 0 ? rule.replacement : text.substr(0, *length);
  }

  CharsMap map_;
  ByteTrie atoms_;
  bool prefix_;
  bool suffix_;
  bool removes_blanks_;
  std::string_view blank_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_sentencepiece_normalizer(const SentencePieceModel& model,
                                                                CharsMap map, ByteTrie atoms) {
  return std::make_unique<SentencePieceNormalizer>(model, std::move(map), std::move(atoms));
}

}  // namespace headrace::tokenize
