// SPDX-License-Identifier: Apache-2.0
// The view of a text that is hashed for exact duplicates, in one pass.
//
// Normalising whole texts by ICU runs at some 30 MB/s on Chinese, because full-width punctuation
// keeps its quick check from ever succeeding. Here each code point's fate is looked up
// (view_table.h): runs that stay as they are are copied, white space and punctuation are folded on
// the way, single code points are replaced from the table, and only a code point that may join
// what stands before it (a combining mark, a Hangul vowel) goes to ICU, in a window from the code
// point before it to the next boundary. The result is ICU's, byte for byte: tests compare whole
// texts.
//
// Cost: one table look-up per code point, one copy.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/suggest.h"
#include "dedup/exact.h"
#include "dedup/view_table.h"

namespace headrace::dedup {
namespace {

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
    if (used_ + size + 1 > buffer_.size()) buffer_.resize(2 * (used_ + size + 1));
    if (owed_space_ && used_ > 0) buffer_[used_++] = ' ';
    owed_space_ = false;
    std::memcpy(buffer_.data() + used_, bytes, size);
    used_ += size;
  }
  void space() { owed_space_ = true; }
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
      CodePoint c{};
      do {
        c = decode(table_, data_ + at, size_ - at);
        if (c.effect != Effect::kKeep) break;
        at += c.size;
      } while (at < size_);
      if (at == size_) return copy(begin, at);
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

  // Transforms [begin, end) and all that joins it, by ICU; returns where that ends.
  std::size_t window(std::size_t begin, std::size_t end) {
    while (joins(end)) end += decode(table_, data_ + end, size_ - end).size;
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
