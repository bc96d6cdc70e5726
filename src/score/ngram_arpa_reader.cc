// SPDX-License-Identifier: Apache-2.0
// ARPA files: text, `\data\` with a line `ngram N=COUNT` per order, a section `\N-grams:` for each
// with lines of log10 probability, N words and, but for the highest order, a log10 backoff (0 when
// it is not there), and `\end\`. Fields lie between tabs and blanks. The order of lines inside a
// section is free.
#include <charconv>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "score/internal/ngram_readers.h"
#include "score/ngram_model.h"

namespace headrace::score::internal {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;
constexpr std::uint64_t kMostWords = std::uint64_t{1} << 31;

// Lines of a stream, and where they are.
class Lines {
 public:
  Lines(std::string_view name, ReadMore read) : name_(name), read_(std::move(read)) {}

  // False at the end.
  Result<bool> next(std::string_view* line) {
    for (;;) {
      const std::size_t found = buffer_.find('\n', scanned_);
      if (found != std::string::npos) {
        *line = std::string_view(buffer_).substr(begin_, found - begin_);
        begin_ = scanned_ = found + 1;
        break;
      }
      if (buffer_.size() - begin_ > kLongestLine) {
        ++number_;
        return fault("the line is longer than 1 MB");
      }
      if (whole_) {
        if (begin_ == buffer_.size()) return false;
        *line = std::string_view(buffer_).substr(begin_);
        begin_ = scanned_ = buffer_.size();
        break;
      }
      buffer_.erase(0, begin_);
      begin_ = 0;
      scanned_ = buffer_.size();
      buffer_.resize(scanned_ + kBlock);
      HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, read_(buffer_.data() + scanned_, kBlock));
      hasher_.update({buffer_.data() + scanned_, got});
      buffer_.resize(scanned_ + got);
      whole_ = got == 0;
    }
    ++number_;
    if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
    return true;
  }
  // The next line that is not blank.
  Result<bool> next_filled(std::string_view* line) {
    for (;;) {
      HEADRACE_ASSIGN_OR_RETURN(const bool there, next(line));
      if (!there || line->find_first_not_of(" \t") != std::string_view::npos) return there;
    }
  }

  Status fault(std::string_view what) const {
    return corrupt(
        "reading the ARPA model {}: line {}: {}; the file is damaged or cut, get it again", name_,
        number_, what);
  }
  // For a file that does not begin as one. `there`: it has a line.
  Status no_model(bool there) const {
    return corrupt(
        "{} is no n-gram model: {}, where an ARPA text begins with \\data\\ and a binary with "
        "KenLM's header; 'headrace score train --kind perplexity' makes one",
        name_, there ? "it begins with something else" : "it holds no text");
  }
  Hash128 digest() const { return hasher_.digest(); }

 private:
  static constexpr std::size_t kBlock = 1 << 18;

  std::string name_;
  ReadMore read_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  std::uint64_t number_ = 0;
  bool whole_ = false;
  Hasher hasher_;
};

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
}

// The next field, or an empty one.
std::string_view take_field(std::string_view* line) {
  const std::size_t begin = std::min(line->find_first_not_of(" \t"), line->size());
  const std::size_t end = std::min(line->find_first_of(" \t", begin), line->size());
  const std::string_view field = line->substr(begin, end - begin);
  line->remove_prefix(end);
  return field;
}

template <class T>
bool parse(std::string_view text, T* value) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

Result<std::vector<std::uint64_t>> read_counts(Lines& lines, std::string_view* line) {
  HEADRACE_ASSIGN_OR_RETURN(bool there, lines.next_filled(line));
  if (!there || trimmed(*line) != "\\data\\") return lines.no_model(there);
  std::vector<std::uint64_t> counts;
  for (;;) {
    HEADRACE_ASSIGN_OR_RETURN(there, lines.next_filled(line));
    if (!there) return lines.fault("the file ends among the counts");
    std::string_view text = trimmed(*line);
    if (!text.starts_with("ngram ")) break;
    text = trimmed(text.substr(6));
    const std::size_t equals = text.find('=');
    std::size_t order = 0;
    std::uint64_t count = 0;
    if (equals == std::string_view::npos || !parse(trimmed(text.substr(0, equals)), &order) ||
        !parse(trimmed(text.substr(equals + 1)), &count) || order != counts.size() + 1) {
      return lines.fault(fmt::format("'ngram {}=COUNT' is wanted here", counts.size() + 1));
    }
    if (counts.size() == kMaxNgramOrder) {
      return unsupported("reading the ARPA model: n-grams of more than {} words", kMaxNgramOrder);
    }
    counts.push_back(count);
  }
  if (counts.size() < 2) return lines.fault("a model has n-grams of two words at least");
  if (counts[0] > kMostWords) return lines.fault(fmt::format("{} words", counts[0]));
  return counts;
}

// One line of a section. Empty: taken.
std::string add_line(NgramModelBuilder* builder, std::string_view line, std::size_t order,
                     bool highest) {
  float prob = 0;
  float backoff = 0;
  const std::string_view number = take_field(&line);
  if (!parse(number, &prob) || !std::isfinite(prob)) {
    return fmt::format("the log probability is '{}'", number.substr(0, 40));
  }
  if (prob > 0) return fmt::format("the log probability {} is above 0", prob);
  std::array<std::string_view, kMaxNgramOrder> words;
  for (std::size_t i = 0; i < order; ++i) {
    words[i] = take_field(&line);
    if (words[i].empty()) return fmt::format("{} words, but {} are wanted", i, order);
  }
  if (const std::string_view rest = take_field(&line); !rest.empty()) {
    if (highest) return fmt::format("'{}' behind an n-gram of the highest order", rest);
    if (!parse(rest, &backoff) || !std::isfinite(backoff)) {
      return fmt::format("the backoff is '{}'", rest.substr(0, 40));
    }
  }
  if (!trimmed(line).empty()) return "more fields than a line has";
  if (order == 1) {
    const bool taken = builder->add_word(words[0], prob, backoff) != NgramModelBuilder::kNone;
    return taken ? "" : fmt::format("the word '{}' was there before", words[0]);
  }
  std::array<std::uint32_t, kMaxNgramOrder> ids;
  for (std::size_t i = 0; i < order; ++i) {
    ids[i] = builder->find_word(words[i]);
    if (ids[i] == NgramModelBuilder::kNone) {
      return fmt::format("the word '{}' is not among the 1-grams", words[i]);
    }
  }
  return builder->add({ids.data(), order}, prob, backoff);
}

}  // namespace

Result<NgramModel> read_arpa(std::string_view name, std::uint64_t most_bytes, ReadMore read) {
  Lines lines(name, std::move(read));
  std::string_view line;
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> counts, read_counts(lines, &line));
  // Room for what the file can hold, not for what it says: a line has 2 bytes a word and 2 more.
  std::vector<std::uint64_t> room = counts;
  for (std::size_t n = 0; n < room.size(); ++n) {
    room[n] = std::min(room[n], most_bytes / (2 * n + 4));
  }
  NgramModelBuilder builder(room);
  for (std::size_t order = 1; order <= counts.size(); ++order) {
    if (trimmed(line) != fmt::format("\\{}-grams:", order)) {
      return lines.fault(fmt::format("\\{}-grams: is wanted here", order));
    }
    std::uint64_t found = 0;
    for (;;) {
      HEADRACE_ASSIGN_OR_RETURN(const bool there, lines.next_filled(&line));
      if (!there) return lines.fault(fmt::format("the file ends among the {}-grams", order));
      if (trimmed(line)[0] == '\\') break;
      if (++found > counts[order - 1]) {
        return lines.fault(
            fmt::format("more than the {} {}-grams of \\data\\", counts[order - 1], order));
      }
      const std::string fault = add_line(&builder, line, order, order == counts.size());
      if (!fault.empty()) return lines.fault(fault);
    }
    if (found != counts[order - 1]) {
      return lines.fault(
          fmt::format("{} {}-grams, but \\data\\ says {}", found, order, counts[order - 1]));
    }
  }
  if (trimmed(line) != "\\end\\") return lines.fault("\\end\\ is wanted here");
  for (bool there = true; there;) {  // the rest has part in the fingerprint
    HEADRACE_ASSIGN_OR_RETURN(there, lines.next_filled(&line));
    if (there) return lines.fault("text behind \\end\\");
  }
  NgramModel model;
  if (const std::string fault = builder.finish(&model, lines.digest()); !fault.empty()) {
    return lines.fault(fault);
  }
  return model;
}

}  // namespace headrace::score::internal
