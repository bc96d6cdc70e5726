// SPDX-License-Identifier: Apache-2.0
// The view of a text that is hashed for exact duplicates, in one pass.
//
// Normalising and folding whole texts by ICU are two passes of a third of a gigabyte per second
// together, and Chinese never takes ICU's quick way: full-width punctuation is not NFKC. Here each
// code point's fate is looked up (view_table.h): runs that stay as they are are copied, ASCII is
// folded byte for byte, white space and punctuation are folded on the way, single code points are
// replaced from the table, and only a code point that may join what stands before it (a combining
// mark, a Hangul vowel) goes to ICU, in a window from the code point before it to the next
// boundary. The result is ICU's, byte for byte: tests compare whole texts.
//
// Cost: one table look-up per code point, one copy; two to three times the speed of ICU alone.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/suggest.h"
#include "dedup/exact.h"
#include "dedup/view_table.h"

namespace headrace::dedup {
namespace {

constexpr std::size_t kAsciiRun = std::size_t{64} << 10;  // bounds what is reserved ahead

// Marks on one letter. Writing has some ten, the stream-safe form of UAX #15 thirty; ICU sorts them
// in quadratic time, and a page of a hundred thousand must not stop a run. Longer rows of marks are
// normalised in pieces.
constexpr int kMaxJoins = 256;

struct CodePoint {
  std::uint32_t value;
  std::uint32_t size;  // bytes
  Effect effect;
};

// Decodes without validating: a stray byte stands for itself.
inline CodePoint decode(const ViewTable& table, const unsigned char* at, std::size_t left) {
  const std::uint32_t lead = at[0];
  if (lead < 0x80) return {lead, 1, table.effect_bmp(lead)};
  if (lead >= 0xE0 && lead < 0xF0 && left >= 3) {
    const std::uint32_t value = (lead & 0xF) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    return {value, 3, table.effect_bmp(value)};
  }
  if (lead >= 0xC0 && lead < 0xE0 && left >= 2) {
    const std::uint32_t value = (lead & 0x1F) << 6 | (at[1] & 0x3Fu);
    return {value, 2, table.effect_bmp(value)};
  }
  if (lead >= 0xF0 && lead < 0xF8 && left >= 4) {
    const std::uint32_t value =
        (lead & 0x7) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu);
    return {value, 4, table.effect_supplementary(value)};
  }
  return {lead, 1, Effect::kKeep};
}

// The growing view: text, and the space that may be owed before it.
class Output {
 public:
  explicit Output(std::string* buffer) : buffer_(*buffer) {}

  void text(const char* bytes, std::size_t size) {
    if (size == 0) return;
    std::memcpy(begin(size), bytes, size);
    end(size);
  }
  void space() { owed_space_ = true; }

  // For text written in place: room for `size` bytes, then how many were written.
  char* begin(std::size_t size) {
    if (used_ + size + 1 > buffer_.size()) buffer_.resize(2 * (used_ + size + 1));
    if (owed_space_ && used_ > 0) buffer_[used_++] = ' ';
    owed_space_ = false;
    return buffer_.data() + used_;
  }
  void end(std::size_t size) { used_ += size; }

  // A space now would neither be the first nor follow another.
  bool takes_space() const { return used_ > 0 && !owed_space_; }

  std::string_view view() const { return std::string_view(buffer_).substr(0, used_); }

 private:
  std::string& buffer_;
  std::size_t used_ = 0;
  bool owed_space_ = false;
};

class Viewer {
 public:
  Viewer(const ViewTable& table, std::string_view text, Output* out)
      : table_(table),
        data_(reinterpret_cast<const unsigned char*>(text.data())),
        size_(text.size()),
        out_(*out) {}

  void run() {
    std::size_t at = 0;
    while (at < size_) {
      const std::size_t begin = at;
      if (data_[at] < 0x80) {
        at = ascii(at);
        if (at != begin) continue;
      }
      CodePoint c{};
      do {
        c = decode(table_, data_ + at, size_ - at);
        if (c.effect != Effect::kKeep) break;
        at += c.size;
      } while (at < size_ && data_[at] >= 0x80);
      if (c.effect == Effect::kKeep) {
        copy(begin, at);
        continue;
      }
      if (c.effect == Effect::kJoin) {
        const std::size_t start = start_of_last(begin, at);
        copy(begin, start);
        at = window(start, at + c.size);
        continue;
      }
      copy(begin, at);
      const std::size_t next = at + c.size;
      if (c.effect == Effect::kMixed || joins(next)) {
        at = window(at, next);
        continue;
      }
      apply(c);
      at = next;
    }
  }

 private:
  void copy(std::size_t begin, std::size_t end) {
    out_.text(reinterpret_cast<const char*>(data_) + begin, end - begin);
  }

  // Writes ASCII from `at` on as long as each byte becomes one byte, a space only between others;
  // returns where it stopped, `at` if at once.
  std::size_t ascii(std::size_t at) {
    constexpr char kNever = '\x80';
    const char space = table_.folds_space() ? ' ' : kNever;
    if (table_.ascii(data_[at]) == space && !out_.takes_space()) return at;
    if (table_.ascii(data_[at]) == 0) return at;
    const std::size_t begin = at;
    const std::size_t limit = std::min(size_, begin + kAsciiRun);
    // Local copies: a store through a char pointer may change any member.
    char* const out = out_.begin(limit - begin);
    const unsigned char* const data = data_;
    const ViewTable& table = table_;
    bool last_is_space = false;
    for (; at < limit && data[at] < 0x80; ++at) {
      const char byte = table.ascii(data[at]);
      const bool is_space = byte == space;
      // Without short circuits: where a word ends is not for a branch to predict.
      if ((byte == 0) | (is_space & last_is_space)) break;
      out[at - begin] = byte;
      last_is_space = is_space;
    }
    // What joins takes the byte before it along; a last space is owed only.
    const bool joined = joins(at);
    const std::size_t written = at - begin - (joined || last_is_space);
    out_.end(written);
    if (joined) return window(at - 1, at);
    if (last_is_space) out_.space();
    return at;
  }

  void apply(const CodePoint& c) {
    if (c.effect == Effect::kSpace) return out_.space();
    if (c.effect == Effect::kDrop) return;
    const std::string_view mapped = table_.mapped(c.value);
    out_.text(mapped.data(), mapped.size());
  }

  bool joins(std::size_t at) const {
    return at < size_ && decode(table_, data_ + at, size_ - at).effect == Effect::kJoin;
  }

  // Where the last code point of [begin, end) starts; `end` if there is none.
  std::size_t start_of_last(std::size_t begin, std::size_t end) const {
    if (begin == end) return end;
    std::size_t start = end - 1;
    while (start > begin && end - start < 4 && (data_[start] & 0xC0) == 0x80) --start;
    return start;
  }

  // Transforms [begin, end) and what joins it, by ICU; returns where that ends.
  std::size_t window(std::size_t begin, std::size_t end) {
    for (int i = 0; i < kMaxJoins && joins(end); ++i) {
      end += decode(table_, data_ + end, size_ - end).size;
    }
    transformed_.clear();
    table_.transform({reinterpret_cast<const char*>(data_) + begin, end - begin}, &transformed_);
    const auto* bytes = reinterpret_cast<const unsigned char*>(transformed_.data());
    const ViewTable& folding = table_.folding();
    for (std::size_t at = 0; at < transformed_.size();) {
      const CodePoint c = decode(folding, bytes + at, transformed_.size() - at);
      if (c.effect == Effect::kKeep) out_.text(transformed_.data() + at, c.size);
      if (c.effect == Effect::kSpace) out_.space();
      at += c.size;
    }
    return end;
  }

  const ViewTable& table_;
  const unsigned char* const data_;
  const std::size_t size_;
  Output& out_;
  std::string transformed_;
};

}  // namespace

Result<HashView> HashView::make(const std::vector<std::string>& steps) {
  ViewSteps on;
  for (const std::string& step : steps) {
    if (step == "nfkc") {
      on.nfkc = true;
    } else if (step == "casefold") {
      on.casefold = true;
    } else if (step == "punctuation") {
      on.punctuation = true;
    } else if (step == "whitespace") {
      on.whitespace = true;
    } else {
      return invalid_argument("unknown step '{}' of a hash view{}", step,
                              suggestion(step, {"nfkc", "casefold", "punctuation", "whitespace"}));
    }
  }
  HashView view;
  if (on == ViewSteps{}) return view;
  HEADRACE_ASSIGN_OR_RETURN(view.table_, ViewTable::of(on));
  return view;
}

std::string_view HashView::view(std::string_view text) {
  if (table_ == nullptr) return text;
  if (scratch_.size() < text.size() + 64) scratch_.resize(text.size() + 64);
  Output out(&scratch_);
  Viewer(*table_, text, &out).run();
  return out.view();
}

}  // namespace headrace::dedup
