// SPDX-License-Identifier: Apache-2.0
// As tokenizers 0.22.2 does them. A split is a list of stretches that match and that do not, in
// turn; what becomes of them is one of five behaviours.
#include "tokenize/pre_tokenizer_steps.h"

#include <algorithm>
#include <array>

#include "tokenize/bert_normalizer.h"
#include "tokenize/byte_chars.h"
#include "tokenize/normalizer_steps.h"

namespace headrace::tokenize {
namespace {

struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool matches = false;
};
using Stretches = std::vector<Stretch>;

// Joins those that stay together.
void join(SplitBehavior behavior, Stretches* all) {
  Stretches joined;
  bool was_match = false;
  const auto add = [&](const Stretch& stretch, bool joins) {
    if (joins && !joined.empty()) {
      joined.back().begin = std::min(joined.back().begin, stretch.begin);
      joined.back().end = std::max(joined.back().end, stretch.end);
    } else {
      joined.push_back(stretch);
    }
    was_match = stretch.matches;
  };
  if (behavior == SplitBehavior::kMergedWithPrevious) {
    for (const Stretch& stretch : *all) add(stretch, stretch.matches && !was_match);
  } else if (behavior == SplitBehavior::kContiguous) {
    for (const Stretch& stretch : *all) add(stretch, stretch.matches == was_match);
  } else if (behavior == SplitBehavior::kMergedWithNext) {
    std::ranges::reverse(*all);
    for (const Stretch& stretch : *all) add(stretch, stretch.matches && !was_match);
    std::ranges::reverse(joined);
  } else {
    return;
  }
  all->swap(joined);
}

// Finder: calls take(begin, end) for each match, in order.
template <class Finder>
class Split final : public PreTokenizer {
 public:
  Split(Finder finder, SplitBehavior behavior, bool invert)
      : finder_(std::move(finder)), behavior_(behavior), invert_(invert) {}

  void split(std::string_view text, bool at_start, std::string* /*buffer*/,
             PieceSink* next) const override {
    Stretches stretches;
    std::size_t done = 0;
    finder_(text, [&](std::size_t begin, std::size_t end) {
      if (begin == end) return;
      if (done < begin) stretches.push_back({done, begin, invert_});
      stretches.push_back({begin, end, !invert_});
      done = end;
    });
    if (done < text.size()) stretches.push_back({done, text.size(), invert_});
    join(behavior_, &stretches);
    for (const Stretch& stretch : stretches) {
      if (behavior_ == SplitBehavior::kRemoved && stretch.matches) continue;
      next->piece(text.substr(stretch.begin, stretch.end - stretch.begin),
                  at_start && stretch.begin == 0);
    }
  }

 private:
  Finder finder_;
  SplitBehavior behavior_;
  bool invert_;
};

template <class Finder>
PreTokenizerStep make_step(Finder finder, SplitBehavior behavior, bool invert) {
  return std::make_unique<Split<Finder>>(std::move(finder), behavior, invert);
}

class SplitterStep final : public PreTokenizer {
 public:
  explicit SplitterStep(std::unique_ptr<Splitter> splitter) : splitter_(std::move(splitter)) {}

  void split(std::string_view text, bool at_start, std::string* /*buffer*/,
             PieceSink* next) const override {
    std::array<std::uint32_t, 64> ends;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t count = splitter_->split(text, begin, ends);
      for (std::size_t i = 0; i < count; begin = ends[i++]) {
        next->piece(text.substr(begin, ends[i] - begin), at_start && begin == 0);
      }
    }
  }

 private:
  std::unique_ptr<const Splitter> splitter_;
};

// A step that changes a piece and hands it on whole.
template <class Change>
class ChangeStep final : public PreTokenizer {
 public:
  explicit ChangeStep(Change change) : change_(std::move(change)) {}

  void split(std::string_view text, bool at_start, std::string* buffer,
             PieceSink* next) const override {
    buffer->clear();
    change_(text, buffer);
    next->piece(*buffer, at_start);
  }

 private:
  Change change_;
};

template <class Change>
PreTokenizerStep make_change(Change change) {
  return std::make_unique<ChangeStep<Change>>(std::move(change));
}

class BertWords final : public PreTokenizer {
 public:
  void split(std::string_view text, bool at_start, std::string* /*buffer*/,
             PieceSink* next) const override {
    for_each_bert_word(text, [&](std::string_view word) {
      next->piece(word, at_start && word.data() == text.data());
      return true;
    });
  }
};

class Metaspace final : public PreTokenizer {
 public:
  Metaspace(std::string replacement, PrependScheme scheme, bool split)
      : replacement_(std::move(replacement)), scheme_(scheme), split_(split) {}

  void split(std::string_view text, bool at_start, std::string* buffer,
             PieceSink* next) const override {
    buffer->clear();
    const bool prepends =
        scheme_ == PrependScheme::kAlways || (scheme_ == PrependScheme::kFirst && at_start);
    if (prepends && !text.starts_with(' ') && !text.starts_with(replacement_)) {
      *buffer += replacement_;
    }
    for (const char c : text) {
      if (c == ' ') {
        *buffer += replacement_;
      } else {
        *buffer += c;
      }
    }
    const std::string_view all = *buffer;
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end =
          split_ ? std::min(all.find(replacement_, begin + 1), all.size()) : all.size();
      next->piece(all.substr(begin, end - begin), at_start && begin == 0);
      begin = end;
    }
  }

 private:
  std::string replacement_;
  PrependScheme scheme_;
  bool split_;
};

}  // namespace

PreTokenizerStep make_split(Regex pattern, SplitBehavior behavior, bool invert) {
  return make_step(
      [pattern = std::move(pattern)](std::string_view text, const auto& take) {
        Regex::Scratch scratch;
        RegexMatch match;
        for (std::size_t from = 0;
             from < text.size() && pattern.find(text, from, &scratch, &match) &&
             match.end > match.begin;
             from = match.end) {
          take(match.begin, match.end);
        }
      },
      behavior, invert);
}

PreTokenizerStep make_split(std::string pattern, SplitBehavior behavior, bool invert) {
  return make_step(
      [pattern = std::move(pattern)](std::string_view text, const auto& take) {
        for (std::size_t at = 0; (at = text.find(pattern, at)) != std::string_view::npos;
             at += pattern.size()) {
          take(at, at + pattern.size());
        }
      },
      behavior, invert);
}

PreTokenizerStep make_split(CodePointSet set, SplitBehavior behavior, bool invert) {
  return make_step(
      [set = Regex::Set(std::move(set))](std::string_view text, const auto& take) {
        for_each_character(text, [&](std::uint32_t c, std::string_view bytes) {
          if (!set.contains(c)) return;
          const auto at = static_cast<std::size_t>(bytes.data() - text.data());
          take(at, at + bytes.size());
        });
      },
      behavior, invert);
}

PreTokenizerStep make_splitter_step(std::unique_ptr<Splitter> splitter) {
  return std::make_unique<SplitterStep>(std::move(splitter));
}

PreTokenizerStep make_prefix_space() {
  return make_change([](std::string_view text, std::string* out) {
    if (!text.starts_with(' ')) *out += ' ';
    *out += text;
  });
}

PreTokenizerStep make_byte_chars_step() {
  return make_change([](std::string_view text, std::string* out) {
    for (const char byte : text) *out += byte_char(static_cast<unsigned char>(byte));
  });
}

PreTokenizerStep make_bert_words() { return std::make_unique<BertWords>(); }

PreTokenizerStep make_metaspace(std::string replacement, PrependScheme scheme, bool split) {
  return std::make_unique<Metaspace>(std::move(replacement), scheme, split);
}

}  // namespace headrace::tokenize
