// SPDX-License-Identifier: Apache-2.0
// Two ways through a text. Where the next bytes are ASCII, 64 of them are classified at once and
// words are found as bits: where a word ends is not for a branch to predict, and a word of eight
// letters is folded and hashed as one integer. Everything else goes code point by code point,
// through one table; runs of Han stay in a loop of their own. Both ways make the same tokens: the
// hash of a word is that of its folded UTF-8 bytes.
#include "leak/internal/token_text.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "leak/internal/ascii_block.h"

namespace headrace::leak {
namespace {

constexpr std::size_t kMostBytes = (std::size_t{1} << 32) - 4096;
constexpr std::size_t kBlock = 64;
constexpr std::size_t kKeptTokens = std::size_t{1} << 22;  // 88 MB
constexpr std::size_t kWordBytes = 8;                      // hashed at a time
constexpr std::uint64_t kLowerCase = 0x2020202020202020;   // changes no digit either
constexpr std::uint64_t kSingleOffset = 0x9E3779B97F4A7C15;

inline std::uint64_t load(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Reads up to kWordBytes - 1 bytes more than `size`.
inline std::uint64_t hash_word(const char* bytes, std::size_t size, std::uint64_t fold) {
  std::uint64_t hash = size * kTokenFactor;
  for (; size > kWordBytes; size -= kWordBytes, bytes += kWordBytes) {
    hash = (hash ^ (load(bytes) | fold)) * kMixFactor;
    hash ^= hash >> 29;
  }
  if (size == 0) return mix(hash);
  const std::uint64_t last = (load(bytes) | fold) & (~std::uint64_t{0} >> (64 - 8 * size));
  return mix(hash ^ last);
}

inline std::uint64_t hash_single(std::uint32_t code_point) {
  return mix(code_point + kSingleOffset);
}

// What decode() makes of a byte that starts no character.
constexpr std::uint32_t kNoCharacter = 0xFFFFFFF;

struct CodePoint {
  std::uint32_t value;
  std::uint32_t size;
};

inline CodePoint decode(const char* text, std::size_t left) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xFF; };
  const auto continues = [&](std::size_t i) { return i < left && (byte(i) & 0xC0) == 0x80; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead >= 0xE0 && lead < 0xF0 && continues(1) && continues(2)) {
    return {(lead & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  }
  if (lead >= 0xC0 && lead < 0xE0 && continues(1)) {
    return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  }
  if (lead >= 0xF0 && lead < 0xF8 && continues(1) && continues(2) && continues(3)) {
    return {(lead & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F),
            4};
  }
  return {kNoCharacter, 1};
}

void append_utf8(std::uint32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
    return;
  }
  if (c >= 0x10000) {
    *out += static_cast<char>(0xF0 | c >> 18);
    *out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
  } else if (c >= 0x800) {
    *out += static_cast<char>(0xE0 | c >> 12);
  } else {
    *out += static_cast<char>(0xC0 | c >> 6);
  }
  if (c >= 0x800) *out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
  *out += static_cast<char>(0x80 | (c & 0x3F));
}

template <class T>
void regrow(std::unique_ptr<T[]>* array, std::size_t used, std::size_t size) {
  auto larger = std::make_unique_for_overwrite<T[]>(size);
  if (used > 0) std::memcpy(larger.get(), array->get(), used * sizeof(T));
  *array = std::move(larger);
}

// The arrays of a TokenText while tokens are put: kept out of memory that a store of bytes may
// alias.
struct Tokens {
  std::uint64_t* prefixes;
  std::uint32_t* begins;
  std::uint32_t* ends;
  std::uint8_t* half_units;
  std::size_t size;
  std::uint64_t prefix;

  void put(std::uint64_t hash, std::uint8_t units, std::size_t begin, std::size_t end) {
    prefix = prefix * kTokenFactor + hash;
    prefixes[size + 1] = prefix;
    begins[size] = static_cast<std::uint32_t>(begin);
    ends[size] = static_cast<std::uint32_t>(end);
    half_units[size] = units;
    ++size;
  }
};

}  // namespace

void TokenText::grow(std::size_t tokens) {
  capacity_ = std::max(tokens, 2 * capacity_);
  regrow(&prefixes_, size_ + 1, capacity_ + 1);
  regrow(&begins_, size_, capacity_);
  regrow(&ends_, size_, capacity_);
  regrow(&half_units_, size_, capacity_);
}

void TokenText::assign(std::string_view text) {
  text_ = text.substr(0, kMostBytes);
  size_ = 0;
  prefixes_[0] = 0;
  word_kind_ = Kind::kSeparator;
  if (capacity_ > kKeptTokens && text_.size() < kKeptTokens) {
    capacity_ = 0;  // memory of a huge text is given back
    grow(kBlock);
  }
  if (capacity_ < text_.size() / 4) grow(text_.size() / 4 + kBlock);

  char tail[kBlock + kWordBytes];
  std::size_t at = 0;
  while (at < text_.size()) {
    if (static_cast<unsigned char>(text_[at]) < 0x80) {
      const std::size_t left = text_.size() - at;
      const char* bytes = text_.data() + at;
      if (left < sizeof(tail)) {
        std::memset(tail, 0, sizeof(tail));
        std::memcpy(tail, bytes, std::min(left, kBlock));
        bytes = tail;
      }
      const std::size_t done = ascii(bytes, at, left);
      at += done;
      if (done > 0) continue;
    }
    at = other(at);
  }
}

// Puts the words of the ASCII at the start of `bytes`, which stand at `offset` and may be read for
// kBlock + kWordBytes. Returns how many bytes are done with: a word that goes on is not.
std::size_t TokenText::ascii(const char* bytes, std::size_t offset, std::size_t left) {
  if (size_ + kBlock > capacity_) grow(size_ + kBlock);
  const AsciiBlock block = classify(bytes);
  const std::size_t ascii = static_cast<std::size_t>(std::countr_zero(block.other));
  const std::size_t size = std::min({ascii, kBlock, left});
  const std::uint64_t inside = size == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const std::uint64_t letters = block.letters & inside;
  const std::uint64_t digits = block.digits & inside;
  std::uint64_t firsts = (letters & ~(letters << 1)) | (digits & ~(digits << 1));
  std::uint64_t lasts = (letters & ~(letters >> 1)) | (digits & ~(digits >> 1));
  std::size_t done = size;
  if (size < left && (lasts >> (size - 1) & 1) != 0) {
    // The last word may go on.
    done = static_cast<std::size_t>(63 - std::countl_zero(firsts));
    firsts &= ~(std::uint64_t{1} << done);
  }
  Tokens tokens{prefixes_.get(),   begins_.get(), ends_.get(),
                half_units_.get(), size_,         prefixes_[size_]};
  for (; firsts != 0; firsts &= firsts - 1, lasts &= lasts - 1) {
    const auto begin = static_cast<std::size_t>(std::countr_zero(firsts));
    const auto end = static_cast<std::size_t>(std::countr_zero(lasts)) + 1;
    tokens.put(hash_word(bytes + begin, end - begin, kLowerCase),
               end - begin > 1 ? kWordHalfUnits : kLetterHalfUnits, offset + begin, offset + end);
  }
  size_ = tokens.size;
  return done;
}

void TokenText::put(std::uint64_t hash, std::uint8_t half_units, std::size_t begin,
                    std::size_t end) {
  if (size_ == capacity_) grow(size_ + kBlock);
  Tokens tokens{prefixes_.get(),   begins_.get(), ends_.get(),
                half_units_.get(), size_,         prefixes_[size_]};
  tokens.put(hash, half_units, begin, end);
  size_ = tokens.size;
}

void TokenText::end_word(std::size_t begin, std::size_t end) {
  if (word_kind_ == Kind::kSeparator) return;
  const std::size_t size = word_.size();
  word_.append(kWordBytes, '\0');
  put(hash_word(word_.data(), size, 0), word_letters_ > 1 ? kWordHalfUnits : kLetterHalfUnits,
      begin, end);
  word_kind_ = Kind::kSeparator;
}

void TokenText::part(Fold fold, std::size_t begin, std::size_t end) {
  switch (fold.kind()) {
    case Kind::kSeparator:
      end_word(word_begin_, word_end_);
      break;
    case Kind::kJoiner:
    case Kind::kSeveral:
      break;
    case Kind::kSingle:
      end_word(word_begin_, word_end_);
      put(hash_single(fold.value()), kSingleHalfUnits, begin, end);
      break;
    case Kind::kLetter:
    case Kind::kDigit:
      if (word_kind_ != fold.kind()) {
        end_word(word_begin_, word_end_);
        word_kind_ = fold.kind();
        word_.clear();
        word_letters_ = 0;
        word_begin_ = begin;
      }
      append_utf8(fold.value(), &word_);
      ++word_letters_;
      word_end_ = end;
      break;
  }
}

// Takes code points from `at` on until ASCII follows a word's end; returns where.
std::size_t TokenText::other(std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const char* const text = text_.data();
  const std::size_t size = text_.size();
  std::size_t begin = at;
  while (at < size) {
    if (word_kind_ == Kind::kSeparator) {
      if (at > begin && (at + kWordBytes <= size ? (load(text + at) & kHighBits) == 0
                                                 : static_cast<unsigned char>(text[at]) < 0x80)) {
        return at;
      }
      // Han: three bytes and a table look-up each.
      if (size_ + kBlock > capacity_) grow(size_ + kBlock);
      Tokens tokens{prefixes_.get(),   begins_.get(), ends_.get(),
                    half_units_.get(), size_,         prefixes_[size_]};
      const std::size_t stop = std::min(size, at + 3 * kBlock);
      const std::size_t run = at;
      while (at + 4 <= stop) {
        std::uint32_t bytes;
        std::memcpy(&bytes, text + at, sizeof(bytes));
        if ((bytes & 0xC0C0F0) != 0x8080E0) break;
        const std::uint32_t value =
            (bytes & 0xF) << 12 | (bytes >> 2 & 0xFC0) | (bytes >> 16 & 0x3F);
        const Fold fold = folds_[value];
        if (fold.kind() == Kind::kSingle) {
          tokens.put(hash_single(fold.value()), kSingleHalfUnits, at, at + 3);
        } else if (fold.kind() > Kind::kSingle) {
          break;
        }
        at += 3;
      }
      size_ = tokens.size;
      if (at > run) continue;
    }
    const CodePoint c = decode(text + at, size - at);
    const Fold fold = c.value == kNoCharacter ? Fold() : folds_[c.value];
    if (fold.kind() == Kind::kSeveral) {
      for (const Fold one : folds_.several(fold)) part(one, at, at + c.size);
    } else {
      part(fold, at, at + c.size);
    }
    at += c.size;
  }
  end_word(word_begin_, word_end_);
  return at;
}

}  // namespace headrace::leak
