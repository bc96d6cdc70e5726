// SPDX-License-Identifier: Apache-2.0
// The way of a text, as tokenizers 0.22.2 goes it with add_special_tokens:
//
//   text ─ added tokens ─ normalizer ─ added tokens ─ words ─ WordPiece ─ cut ─ [CLS] ids [SEP]
//
// A text may be much longer than a sequence, so it is taken in stretches that end before a blank,
// until there are ids enough. A blank is neither a mark nor a part of a word or of a token that is
// cut out here: a stretch is normalized as it is in the whole text.
//
// A special token in a text becomes its id, as tokenizers has it: here it ends no document.
#include "tokenize/sequence_tokenizer.h"

#include <algorithm>
#include <simdjson.h>

#include "base/error.h"
#include "base/quote.h"
#include "io/file.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {
namespace {

constexpr std::size_t kStretch = 4096;  // bytes, and on to the next blank
constexpr std::size_t kMostOfAnError = 500;

class Encoding final : public SequenceEncoder {
 public:
  explicit Encoding(const WordPieceFile& file) : file_(file) {}

  Result<void> encode(std::string_view text, std::size_t max_length,
                      std::vector<std::int64_t>* ids) override {
    if (!simdjson::validate_utf8(text.data(), text.size())) {
      return Status(Code::kCorrupt,
                    fmt::format("encoding a text of {} bytes: not UTF-8", text.size()),
                    Reach::kRecord);
    }
    ids_ = ids;
    *ids = file_.before;
    enough_ = max_length - file_.behind.size();
    around_added(file_.raw_added, text, [this](std::string_view part) { add_raw(part); });
    ids->resize(std::min(ids->size(), enough_));
    ids->insert(ids->end(), file_.behind.begin(), file_.behind.end());
    return {};
  }

 private:
  bool has_enough() const { return ids_->size() >= enough_; }

  template <class Between>
  void around_added(const AddedTokenMatcher& matcher, std::string_view text,
                    const Between& between) {
    std::size_t done = 0;
    AddedMatch match;
    for (std::size_t from = 0; !matcher.empty() && !has_enough() &&
                               matcher.find(text, from, done, false, &match, &from);) {
      if (done < match.begin) between(text.substr(done, match.begin - done));
      ids_->push_back(match.id);
      done = match.end;
    }
    if (done < text.size()) between(text.substr(done));
  }

  void add_raw(std::string_view text) {
    // Tokens that are matched behind the normalizer may hold blanks.
    const std::size_t stretch = file_.normalized_added.empty() ? kStretch : text.size();
    while (!text.empty() && !has_enough()) {
      const std::size_t end = std::min(text.find(' ', std::min(stretch, text.size())), text.size());
      std::string_view part = text.substr(0, end);
      text.remove_prefix(end);
      if (file_.normalizer) {
        bert_normalize(part, *file_.normalizer, &normalized_);
        part = normalized_;
      }
      around_added(file_.normalized_added, part, [this](std::string_view between) {
        for_each_bert_word(between, [this](std::string_view word) {
          file_.model.encode(word, ids_);
          return !has_enough();
        });
      });
    }
  }

  const WordPieceFile& file_;
  std::vector<std::int64_t>* ids_ = nullptr;  // of the call in progress
  std::size_t enough_ = 0;
  std::string normalized_;
};

class WordPieceTokenizer final : public SequenceTokenizer {
 public:
  WordPieceTokenizer(WordPieceFile file, Hash128 fingerprint)
      : file_(std::move(file)), fingerprint_(fingerprint) {}

  std::size_t vocabulary_size() const override { return file_.vocabulary_size; }
  std::size_t added() const override { return file_.before.size() + file_.behind.size(); }
  std::int64_t padding_id() const override { return file_.padding_id; }
  std::optional<std::size_t> max_length() const override { return file_.max_length; }
  Hash128 fingerprint() const override { return fingerprint_; }
  std::unique_ptr<SequenceEncoder> start() const override {
    return std::make_unique<Encoding>(file_);
  }

 private:
  WordPieceFile file_;
  Hash128 fingerprint_;
};

class Opener final : public SequenceTokenizers {
 public:
  Result<std::unique_ptr<SequenceTokenizer>> open(
      const std::string& path, const SequenceTokenizerOptions& options) const override {
    HEADRACE_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(path));
    const bool is_json = path.ends_with(".json");
    auto file = is_json ? parse_wordpiece_json(bytes) : parse_vocabulary(bytes, options.lowercase);
    if (!file.has_value()) {
      // The message may quote a token of any length.
      const std::string found = excerpt(file.error().message(), kMostOfAnError);
      return Status(file.error().code(), fmt::format("tokenizer {}: {}", path, found));
    }
    const Hash128 fingerprint = hash128(
        fmt::format("wordpiece {} {}", to_hex(hash128(bytes)), !is_json && options.lowercase));
    return std::make_unique<WordPieceTokenizer>(std::move(*file), fingerprint);
  }
};

}  // namespace

const SequenceTokenizers& sequence_tokenizers() {
  static const Opener kOpener;
  return kOpener;
}

}  // namespace headrace::tokenize
