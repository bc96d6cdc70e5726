// SPDX-License-Identifier: Apache-2.0
// The sum of the rows of a text for models of two classes; part of fasttext_kernels.inl.h.

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
