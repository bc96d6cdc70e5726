// SPDX-License-Identifier: Apache-2.0
// The loops of internal/fasttext_kernels.h. A unit includes this file inside its anonymous
// namespace, after fasttext_types.inl.h and after it has defined
//
//   u64 separators(const u8* p)       which of 64 bytes separate tokens: space, \t \n \v \f \r, NUL
//   void widen16(const u8* p, u32* out)               16 bytes to 16 numbers
//   u64 decode_chars(const u8* p, u64 size, u32* out, u64* used)
//        the characters of a token from p, `size` bytes before its end: each the little-endian
//        number of its bytes. Uses some or all bytes, sets how many; returns the number of
//        characters, at most 64, or kMalformed for one of more than 4 bytes or p[0] inside one.
//        May write 80 numbers. A character is a byte and the 0x80..0xBF bytes behind it.
//   u32 find_hits(const GramTables& t, const u32* chars, u32 begin, u32 end, u32* hits)
//        the buckets with a row of all n-grams that begin at chars[begin, end); end - begin is
//        rounded up to 32, and behind the last character there are zeros
//
// Characters of many tokens stand in one flat array, '<' before and '>' and a 0 behind each token:
// an n-gram counts when no 0 lies in it, so the loop over n-grams knows no tokens.

// The key of a token of 1 to 16 bytes.
INLINE WordKey key_of(const u8* p, u64 size) {
  WordKey key;
  __builtin_memcpy(&key, p, 16);
  const u64 below = ~u64{0} >> ((8 - (size & 7)) * 8 & 63);  // size & 7 bytes, all 8 for 0
  key.low &= size < 8 ? below : ~u64{0};
  key.high &= size <= 8 ? 0 : below;
  return key;
}

INLINE u32 hash_bytes(const u8* p, u64 size) {
  u32 h = kFirstHash;
  for (u64 i = 0; i < size; ++i) h = (h ^ sign_extended(p[i])) * kHashPrime;
  return h;
}

INLINE bool is_end_of_line(const u8* p, u64 size) {
  return size == 4 && __builtin_memcmp(p, "</s>", 4) == 0;
}

INLINE bool is_label(const u8* p, u64 size) {
  return size >= 9 && __builtin_memcmp(p, "__label__", 9) == 0;
}

INLINE i32 find_word(const WordIndex& index, const u8* p, u64 size, u32 hash) {
  for (u32 at = hash & index.mask; index.slots[at] != 0; at = (at + 1) & index.mask) {
    if (index.slots[at] >> 32 != hash) continue;
    const u32 id = static_cast<u32>(index.slots[at]) - 1;
    const u32 begin = index.begin[id];
    if (index.begin[id + 1] - begin == size &&
        __builtin_memcmp(index.bytes + begin, p, size) == 0) {
      return static_cast<i32>(id);
    }
  }
  return -1;
}

// The loops over tokens: visit(token, size) until it returns false. The zeros behind the text end
// the last token.
template <class Visit>
INLINE void for_tokens(const u8* text, u64 size, Visit visit) {
  u64 begin = 0;
  for (u64 base = 0; base <= size; base += 64) {
    for (u64 bits = separators(text + base); bits != 0; bits &= bits - 1) {
      const u64 end = base + static_cast<u64>(__builtin_ctzll(bits));
      if (end > size) return;
      if (end > begin && !visit(text + begin, end - begin)) return;
      begin = end + 1;
    }
  }
}

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

  void flush_words() {
    u64 count = 0;
    for (u32 i = 0; i < words_; ++i) {
      const i32* sum = t_.word_sums + u64{s_.words[i]} * kSmallRow;
      for (u32 d = 0; d < kSmallRow; ++d) sums_.sum[d] += sum[d];
      count += t_.word_counts[s_.words[i]];
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
      for (u32 d = 0; d < kSmallRow; ++d) sums_.sum[d] += sum[d];
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

// Words wait in a queue, their slots on the way from memory; then their runs, the buckets' rows on
// the way. A word that the dictionary has never has its hash computed.
class FoldSummer {
 public:
  INLINE FoldSummer(const FoldTables& tables, FoldScratch* scratch, FoldSums* sums)
      : t_(tables), s_(*scratch), sums_(*sums) {}

  INLINE bool token(const u8* p, u64 size) {
    if (size > kShortWord || *p == '_' || *p == '<') return long_token(p, size);
    const WordKey key = key_of(p, size);
    const u64 slot = hash_key(key) & t_.slot_mask;
    __builtin_prefetch(&t_.slots[slot]);
    queue_[queued_++] = {key, slot, p, size};
    if (queued_ == kQueue) look_up();
    return true;
  }

  // With the end of the line, which takes part in the runs.
  INLINE void finish() {
    look_up();
    if (t_.end_row != kAbsentRow) add(t_.end_row);
    push_hash(hash_bytes(reinterpret_cast<const u8*>("</s>"), 4));
    add_runs(true);
  }

 private:
  static constexpr u32 kQueue = 32;
  struct Waiting {
    WordKey key;
    u64 slot;
    const u8* token;
    u64 size;
  };

  INLINE void add(i32 row) {
    sums_.sum += row;
    ++sums_.count;
  }

  INLINE void push_hash(u32 hash) {
    s_.hashes[hashes_++] = hash;
    if (hashes_ == FoldScratch::kHashes) add_runs(false);
  }

  __attribute__((noinline)) bool long_token(const u8* p, u64 size) {
    look_up();
    if (is_end_of_line(p, size)) return false;
    const u32 hash = hash_bytes(p, size);
    const i32 id = size <= t_.index.longest ? find_word(t_.index, p, size, hash) : -1;
    if (id >= static_cast<i32>(t_.index.words) || (id < 0 && is_label(p, size))) return true;
    if (id >= 0) add(t_.rows[id]);
    push_hash(hash);
    return true;
  }

  void look_up() {
    for (u32 i = 0; i < queued_; ++i) {
      const Waiting& w = queue_[i];
      u64 at = w.slot;
      while (true) {
        const FoldSlot& slot = t_.slots[at];
        if (((slot.key.low ^ w.key.low) | (slot.key.high ^ w.key.high)) == 0) {
          add(slot.row);
          push_hash(slot.hash);
          break;
        }
        if (slot.key.low == 0) {
          push_hash(hash_bytes(w.token, w.size));
          break;
        }
        at = (at + 1) & t_.slot_mask;
      }
    }
    queued_ = 0;
  }

  INLINE u32 bucket_of(u64 hash) const {
    const u64 quotient = static_cast<u64>((static_cast<u128>(hash) * t_.multiplier) >> 64);
    const u64 rest = hash - quotient * t_.buckets;
    return static_cast<u32>(rest >= t_.buckets ? rest - t_.buckets : rest);
  }

  void flush_buckets(u32 count) {
    const i32* rows = t_.rows + t_.index.words;
    i64 sum = 0;
    u32 present = 0;
    for (u32 i = 0; i < count; ++i) {
      const i32 row = rows[s_.buckets[i]];
      const bool absent = row == kAbsentRow;
      sum += absent ? 0 : row;
      present += !absent;
    }
    sums_.sum += sum;
    sums_.count += present;
  }

  // All runs of 2 to word_ngrams words; those that may still grow wait unless this is the end.
  void add_runs(bool end) {
    const u32 carry = t_.word_ngrams - 1;
    const u32 starts = end ? hashes_ : hashes_ - carry;
    u32 count = 0;
    if (t_.buckets != 0) {
      for (u32 i = 0; i < starts; ++i) {
        u64 h = static_cast<u64>(static_cast<i64>(static_cast<i32>(s_.hashes[i])));
        for (u32 j = i + 1; j < hashes_ && j <= i + carry; ++j) {
          h = h * 116049371 + static_cast<u64>(static_cast<i64>(static_cast<i32>(s_.hashes[j])));
          const u32 bucket = bucket_of(h);
          __builtin_prefetch(t_.rows + t_.index.words + bucket);
          s_.buckets[count++] = bucket;
          if (count == 1024) {
            flush_buckets(count);
            count = 0;
          }
        }
      }
      flush_buckets(count);
    }
    hashes_ -= starts;
    for (u32 i = 0; i < hashes_; ++i) s_.hashes[i] = s_.hashes[starts + i];
  }

  const FoldTables& t_;
  FoldScratch& s_;
  FoldSums& sums_;
  Waiting queue_[kQueue];
  u32 queued_ = 0;
  u32 hashes_ = 0;
};

void sum_folded(const FoldTables& tables, const u8* text, u64 size, FoldScratch* scratch,
                FoldSums* sums) {
  FoldSummer summer(tables, scratch, sums);
  for_tokens(text, size, [&](const u8* p, u64 n) { return summer.token(p, n); });
  summer.finish();
}

void add_rows(const float* rows, u64 dim, const u32* ids, u64 count, float* sum) {
  constexpr u64 kAhead = 8;
  for (u64 i = 0; i < count; ++i) {
    if (i + kAhead < count) {
      const float* next = rows + ids[i + kAhead] * dim;
      for (u64 d = 0; d < dim; d += 16) __builtin_prefetch(next + d);
    }
    const float* __restrict row = rows + ids[i] * dim;
    float* __restrict out = sum;
    for (u64 d = 0; d < dim; ++d) out[d] += row[d];
  }
}

void multiply(const float* weights, const float* hidden, u64 dim, u64 blocks, float* out) {
  for (u64 b = 0; b < blocks; ++b) {
    float sum[16] = {};
    for (u64 d = 0; d < dim; ++d) {
      for (u32 lane = 0; lane < 16; ++lane) sum[lane] += weights[lane] * hidden[d];
      weights += 16;
    }
    __builtin_memcpy(out + 16 * b, sum, sizeof(sum));
  }
}

// Cody and Waite's reduction and the polynomial of Cephes' expf. Not a number becomes e^-87.
INLINE float exponential_of(float x) {
  x = x > -87.0f ? x : -87.0f;
  x = x < 87.0f ? x : 87.0f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23
  const float n = (x * 1.44269504f + kRound) - kRound;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  const i32 bits = (static_cast<i32>(n) + 127) << 23;
  float scale;
  __builtin_memcpy(&scale, &bits, 4);
  return p * scale;
}

void exponential(float* x, u64 count) {
  for (u64 i = 0; i < count; ++i) x[i] = exponential_of(x[i]);
}

void sigmoid(float* x, u64 count) {
  for (u64 i = 0; i < count; ++i) x[i] = 1.0f / (1.0f + exponential_of(-x[i]));
}
