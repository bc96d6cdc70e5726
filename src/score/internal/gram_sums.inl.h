// SPDX-License-Identifier: Apache-2.0
// The sum of the rows of a text for models of n-grams of characters; part of
// fasttext_kernels.inl.h.
//
// Characters of many tokens stand in one flat array, '<' before and '>' and a 0 behind each token:
// an n-gram counts when no 0 lies in it, so the loop over n-grams knows no tokens.

class GramSummer {
 public:
  INLINE GramSummer(const GramTables& tables, GramScratch* scratch, GramSums* sums)
      : t_(tables), s_(*scratch), sums_(*sums) {}

  INLINE bool token(const u8* p, u64 size) {
    if (size > kShortWord || *p == '<' || *p == '_') return long_token(p, size);
    // Without an unpredictable branch: the characters are always written, but a word of the
    // vocabulary, about a quarter of all, does not keep them and enters its sum instead.
    const WordKey key = key_of(p, size);
    const ShortWordSlot* slot = &t_.slots[hash_key(key) & t_.slot_mask];
    while (__builtin_expect(slot->next != 0, 0) && !same(t_.keys[slot->word], key)) {
      slot = &t_.slots[slot->next];
    }
    u32 match = same(t_.keys[slot->word], key);
    asm("" : "+r"(match));  // hides from the compiler that it is a condition
    if (words_ == GramScratch::kWords) flush_words();
    s_.words[words_] = slot->word;
    words_ += match;
    if ((key.low | key.high) & 0x8080808080808080) {
      if (!match) append(p, size);
      return true;
    }
    if (chars_ + 32 > GramScratch::kChars) flush(true);
    u32* out = s_.chars + chars_;
    out[0] = '<';
    widen16(p, out + 1);
    out[size + 1] = '>';
    out[size + 2] = 0;
    chars_ += static_cast<u32>(size + 3) & (match - 1);
    return true;
  }

  INLINE void finish() {
    flush_words();
    flush(true);
  }

 private:
  static INLINE bool same(const WordKey& a, const WordKey& b) {
    return ((a.low ^ b.low) | (a.high ^ b.high)) == 0;
  }

  __attribute__((noinline)) bool long_token(const u8* p, u64 size) {
    if (size <= t_.index.longest || *p == '_' || *p == '<') {
      if (is_end_of_line(p, size)) return false;
      const i32 id = find_word(t_.index, p, size, hash_bytes(p, size));
      if (id >= static_cast<i32>(t_.index.words) || (id < 0 && is_label(p, size))) return true;
      if (id >= 0) add(t_.word_rows + static_cast<u64>(id) * kSmallRow);
    }
    append(p, size);
    return true;
  }

  INLINE void add(const i32* row) {
    for (u32 d = 0; d < kSmallRow; ++d) sums_.sum[d] += row[d];
    ++sums_.count;
  }

  void append(const u8* token, u64 token_size) {
    // A token that is flushed in parts can not be taken back when its end turns out malformed.
    constexpr u64 kWhole = 4096;
    if (token_size > kWhole && !well_formed(token, token_size)) {
      return add_singly(token, token_size);
    }
    const u64 room = token_size < kWhole ? token_size : kWhole;
    if (chars_ + room + 96 > GramScratch::kChars) flush(true);
    const u32 start = chars_;
    s_.chars[chars_++] = '<';
    for (u64 at = 0; at < token_size;) {
      if (chars_ + 96 > GramScratch::kChars) flush(false);
      u64 used = 0;
      const u64 count = decode_chars(token + at, token_size - at, s_.chars + chars_, &used);
      if (count == kMalformed) {
        chars_ = start;
        return add_singly(token, token_size);
      }
      chars_ += static_cast<u32>(count);
      at += used;
    }
    s_.chars[chars_++] = '>';
    s_.chars[chars_++] = 0;
  }

  static bool well_formed(const u8* p, u64 size) {
    if (is_continuation(p[0])) return false;
    u64 run = 0;
    for (u64 i = 0; i < size; ++i) {
      run = is_continuation(p[i]) ? run + 1 : 0;
      if (run == 4) return false;
    }
    return true;
  }

  // The n-grams of any bytes, as the format defines them: a character is a byte and all the
  // continuation bytes behind it, also behind the '<'.
  __attribute__((noinline)) void add_singly(const u8* p, u64 size) {
    const auto byte = [&](u64 i) -> u8 { return i == 0 ? '<' : i <= size ? p[i - 1] : '>'; };
    const u64 total = size + 2;
    for (u64 i = 0; i < total; ++i) {
      if (is_continuation(byte(i))) continue;
      u32 h = kFirstHash;
      u64 j = i;
      for (u32 n = 1; j < total && n <= t_.max_gram; ++n) {
        do {
          h = (h ^ sign_extended(byte(j++))) * kHashPrime;
        } while (j < total && is_continuation(byte(j)));
        if (n < t_.min_gram) continue;
        const u32 bucket = h % t_.buckets;
        if (t_.present[bucket >> 5] >> (bucket & 31) & 1) add(row_of(bucket));
      }
    }
  }

  INLINE const i32* row_of(u32 bucket) const {
    const u64 entry = t_.ranked[bucket >> 5];
    const u64 below = entry & ((u64{1} << (bucket & 31)) - 1);
    const u64 rank = (entry >> 32) + static_cast<u64>(__builtin_popcountll(below));
    return t_.rows + rank * kSmallRow;
  }

  INLINE void widen(const Row& sum) {
    for (u32 d = 0; d < kSmallRow; ++d) sums_.sum[d] += sum[d];
  }

  void flush_words() {
    constexpr u32 kTogether = 8;  // as many short words as fit in 32 bits
    u64 count = 0;
    for (u32 i = 0; i < words_; i += kTogether) {
      Row sum = {};
      const u32 end = words_ - i < kTogether ? words_ : i + kTogether;
      for (u32 k = i; k < end; ++k) {
        sum += *reinterpret_cast<const Row*>(t_.word_sums + u64{s_.words[k]} * kSmallRow);
        count += t_.word_counts[s_.words[k]];
      }
      widen(sum);
    }
    sums_.count += count;
    words_ = 0;
  }

  // Adds the n-grams that begin at the characters so far: all of them between two tokens, else
  // (inside one) as many as have their characters behind them, and keeps the others.
  void flush(bool between_tokens) {
    u32 end = chars_;
    if (between_tokens) {
      __builtin_memset(s_.chars + chars_, 0, 64 * sizeof(u32));
    } else {
      end = (chars_ - 4) & ~u32{31};
    }
    for (u32 i = 0; i < end; i += kPiece) {
      const u32 piece = end - i < kPiece ? end - i : kPiece;
      const u32 hits = find_hits(t_, s_.chars, i, i + piece, s_.hits);
      Row sum = {};
      for (u32 k = 0; k < hits; ++k) sum += *reinterpret_cast<const Row*>(row_of(s_.hits[k]));
      widen(sum);
      sums_.count += hits;
    }
    chars_ = between_tokens ? 0 : chars_ - end;
    for (u32 i = 0; i < chars_; ++i) s_.chars[i] = s_.chars[end + i];
  }

  const GramTables& t_;
  GramScratch& s_;
  GramSums& sums_;
  u32 chars_ = 0;
  u32 words_ = 0;
};

void sum_grams(const GramTables& tables, const u8* text, u64 size, GramScratch* scratch,
               GramSums* sums) {
  GramSummer summer(tables, scratch, sums);
  for_tokens(text, size, [&](const u8* p, u64 n) { return summer.token(p, n); });
  summer.finish();
}
