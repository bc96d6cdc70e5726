// SPDX-License-Identifier: Apache-2.0
// The scan over 64-byte blocks, the same for every instruction set. A unit includes this file
// inside its anonymous namespace, after it has defined
//
//   Classifier make_classifier()
//     cheap; a Classifier's operator()(const u8* p, Masks* m) const gives the classes of the 64
//     bytes at p and may read up to p + 67
//   u32 positions(u64 bits, u32 base, u32* out)
//     base + index of each set bit; returns how many; may write 64 entries
//   u64 low_bytes(u64 x, u32 n)
//     the first n bytes of x, n from 0 to 8
//
// and, before that, included text_scan_types.inl.h. Nothing here loops over characters: all is
// arithmetic on masks, with one carry bit per question from block to block.

// Spreads a class from first bytes over the bytes that continue them. `carry` is bit 0 set when the
// block before ended inside such a character.
INLINE u64 spread(u64 x, u64 continuation, u64 carry) {
  x |= carry & continuation & 1;
  x |= (x << 1) & continuation;
  x |= (x << 1) & continuation;
  return x | ((x << 1) & continuation);
}

// What the block before hands on: bit 63 of its spread masks, at bit 0.
struct Carry {
  u64 run = 0;  // letters and digits
  u64 han = 0;
  u64 word = 0;  // either
  u64 end = 0;   // end marks
  u64 end_non_ascii = 0;
  u64 closer = 0;   // closers
  u64 closing = 0;  // closers behind an ASCII end mark, not yet left
};

// First bytes behind sentences. `after_text` is the bit of the end of the text, if it lies here.
// What follows a mark decides only for ASCII, and for the full-width full stops that are used so.
INLINE u64 find_sentence_ends(const Masks& m, u64 soft_end, u64 after_text, Carry* carry) {
  u64 end = m.end_mark;
  u64 end_non_ascii = m.end_mark & m.non_ascii & ~soft_end;
  u64 closer = m.closer;
  if (m.non_ascii) {
    end = spread(end, m.continuation, carry->end);
    end_non_ascii = spread(end_non_ascii, m.continuation, carry->end_non_ascii);
    closer = spread(closer, m.continuation, carry->closer);
  }
  const u64 after = ((end << 1) | carry->end) & ~end;
  const u64 after_non_ascii = after & ((end_non_ascii << 1) | carry->end_non_ascii);
  const u64 after_ascii = after & ~after_non_ascii;
  // An addition carries each start through its run of closers, to the first byte behind.
  u64 sum = 0;
  u64 overflow = __builtin_add_overflow(closer, after_ascii & closer, &sum) ? 1 : 0;
  overflow |= __builtin_add_overflow(sum, carry->closing, &sum) ? 1 : 0;
  const u64 behind = (after_ascii | sum) & ~closer;
  carry->end = end >> 63;
  carry->end_non_ascii = end_non_ascii >> 63;
  carry->closer = closer >> 63;
  carry->closing = overflow;
  return after_non_ascii | (behind & (m.space | m.han | after_text));
}

// All bytes of words; sets block->word_begin and the bits of first bytes behind words.
INLINE u64 find_words(const Masks& m, Carry* carry, u64* word_begin, u64* word_end) {
  u64 run = m.letter | m.digit;
  u64 han = m.han;
  if (m.non_ascii) {
    run = spread(run, m.continuation, carry->run);
    han = spread(han, m.continuation, carry->han);
  }
  const u64 word = run | han;
  *word_begin = m.han | (run & ~((run << 1) | carry->run));
  *word_end = ((word << 1) | carry->word) & (*word_begin | ~word);
  carry->run = run >> 63;
  carry->han = han >> 63;
  carry->word = word >> 63;
  return word;
}

// The padding has no class and continues nothing, so only `lead` must be cut at the end of the
// text. Every position up to `size` has a block; so what ends with the text ends inside the loop.
void scan(const u8* text, u32 size, const ScanTarget& target) {
  const Classifier classify = make_classifier();
  TextCounts counts;
  Carry carry;
  u32 begins = 0;
  u32 last_sentence_end = 0;
  for (u32 base = 0; base <= size; base += 64) {
    Masks m;
    classify(text + base, &m);
    const u64 soft_end = m.end_mark & m.closer;
    m.closer ^= soft_end;
    const u32 left = size - base;
    const u64 after_text = left < 64 ? u64{1} << left : 0;
    const u64 valid = after_text - 1;
    const u64 lead = ~m.continuation & valid;
    const u64 symbol = lead & ~(m.letter | m.digit | m.space | m.punct | m.han);
    u64 word_begin;
    u64 word_end;
    const u64 word = find_words(m, &carry, &word_begin, &word_end);
    const u64 sentence_end = find_sentence_ends(m, soft_end, after_text, &carry);
    target.blocks[base / 64] = {lead,
                                m.letter,
                                m.digit,
                                m.upper,
                                m.space,
                                m.punct,
                                m.han,
                                symbol,
                                m.end_mark,
                                m.closer,
                                m.newline,
                                m.non_ascii,
                                word,
                                word_begin,
                                sentence_end & valid,
                                counts.code_points,
                                counts.word_code_points};
    counts.code_points += popcount(lead);
    counts.letters += popcount(m.letter);
    counts.digits += popcount(m.digit);
    counts.upper += popcount(m.upper);
    counts.spaces += popcount(m.space);
    counts.punct += popcount(m.punct);
    counts.han += popcount(m.han);
    counts.symbols += popcount(symbol);
    counts.word_code_points += popcount(lead & word);
    begins += positions(word_begin, base, target.word_begin + begins);
    counts.words += positions(word_end, base, target.word_end + counts.words);
    if (m.newline) {
      counts.newlines += positions(m.newline, base, target.newlines + counts.newlines);
    }
    if (sentence_end) {
      counts.sentences += positions(sentence_end, base, target.sentence_ends + counts.sentences);
      last_sentence_end = target.sentence_ends[counts.sentences - 1];
    }
  }
  if (begins > 0 && target.word_begin[begins - 1] >= last_sentence_end) {
    target.sentence_ends[counts.sentences++] = size;  // text behind the last end
  }
  *target.counts = counts;
}

// Folds ASCII capitals to lower case and leaves every other byte alone. Word bytes below 0x80 are
// letters and digits, so setting bit 5 where bit 6 is set folds exactly the letters.
INLINE u64 fold_case(u64 x) {
  const u64 upper = (x & 0x4040404040404040) >> 1;
  const u64 non_ascii = (x & 0x8080808080808080) >> 2;
  return x | (upper & ~non_ascii);
}

INLINE u64 load64(const u8* p) {
  u64 x;
  __builtin_memcpy(&x, p, 8);
  return x;
}

// The hash of a word takes it in 8 bytes at a time, with one multiplication and one shift each.
// Both are bijections of the state, so words of up to 8 bytes cannot collide with words of the same
// length.
constexpr u64 kLengthFactor = 0x1d8e4e27c47d124f;
constexpr u64 kChunkFactor = 0xa0761d6478bd642f;

INLINE u64 add_chunk(u64 hash, u64 chunk) {
  const u64 x = (hash ^ fold_case(chunk)) * kChunkFactor;
  return x ^ (x >> 32);
}

// Goes on from byte `at` of a word with the hash of what is before it.
INLINE u64 hash_rest(u64 hash, const u8* word, u32 size, u32 at) {
  for (; at < size; at += 8) {
    hash = add_chunk(hash, low_bytes(load64(word + at), size - at < 8 ? size - at : 8));
  }
  return hash;
}

// One word after another. Whether a word has more than 8 bytes is hard to predict in English, but
// the second chunk taken always would cost Chinese more than that costs English.
[[maybe_unused]] void hash_words_singly(const u8* text, const u32* begin, const u32* end, u32 count,
                                        u64* hash) {
  for (u32 i = 0; i < count; ++i) {
    const u8* word = text + begin[i];
    const u32 size = end[i] - begin[i];
    const u64 first = low_bytes(load64(word), size < 8 ? size : 8);
    const u64 h = add_chunk(size * kLengthFactor, first);
    hash[i] = __builtin_expect(size > 8, 0) ? hash_rest(h, word, size, 8) : h;
  }
}
