// SPDX-License-Identifier: Apache-2.0
// Loops over words and n-grams, the same for every instruction set. A unit includes this file
// inside its anonymous namespace, after it has defined
//
//   u64 repeated_bits(const u32* number_of, const u32* count)
//     bit i: count[number_of[i]] > 1, for i from 0 to 63
//
// Whether a word is new, or an n-gram survives, is a toss of a coin: no loop here branches on it.
// The empty asm keeps the compiler from making a branch of the arithmetic.

constexpr u64 kFactorA = 0xa0761d6478bd642f;
constexpr u64 kFactorB = 0x589965cc75374cc3;
constexpr u64 kSlotFactor = 0x9E3779B97F4A7C15;

// Words of digits only: a sum carries each start that is a digit through its run of digits. Where
// it lands outside the word, or on the start of another, the word had nothing else. Digits that are
// not ASCII stand for all their bytes.
struct DigitRuns {
  u64 overflow = 0;  // the run of digits goes on from the block before
  u64 digit = 0;     // bit 63 of the block before, at bit 0

  INLINE u32 ends(const TextBlock& b) {
    u64 digits = b.digit;
    if (b.non_ascii) {
      const u64 continuation = b.non_ascii & ~b.lead;
      digits |= digit & continuation & 1;
      digits |= (digits << 1) & continuation;
      digits |= (digits << 1) & continuation;
      digits |= (digits << 1) & continuation;
    }
    u64 sum = 0;
    u64 carry = __builtin_add_overflow(digits, b.word_begin & digits, &sum) ? 1 : 0;
    carry |= __builtin_add_overflow(sum, overflow, &sum) ? 1 : 0;
    const u64 landed = sum & ~digits & ~(b.word & ~b.word_begin);
    // A start that lands leaves one bit; bits that the sum did not touch are digits themselves.
    overflow = carry;
    digit = digits >> 63;
    return popcount(landed);
  }
};

// Third dots of three, not overlapping. Rare: only where three end marks stand together.
INLINE void count_dots(const u8* text, u64 base, u64 third, u64* free, u32* count) {
  for (; third; third &= third - 1) {
    const u64 at = base + static_cast<u64>(__builtin_ctzll(third));
    if (at < *free + 2 || text[at] != '.' || text[at - 1] != '.' || text[at - 2] != '.') continue;
    *count += 1;
    *free = at + 1;
  }
}

void look(const u8* text, const TextBlock* blocks, u64 count, BlockSums* sums) {
  BlockSums s;
  DigitRuns runs;
  u64 before = 0;  // end marks of the block before
  u64 free = 0;    // behind the last three dots
  for (u64 i = 0; i < count; ++i) {
    const TextBlock& b = blocks[i];
    const u8* p = text + 64 * i;
    s.digit_words += runs.ends(b);
    for (u64 x = b.symbol & ~b.non_ascii; x; x &= x - 1) {
      s.hash_signs += p[__builtin_ctzll(x)] == '#' ? 1 : 0;
    }
    const u64 mark = b.end_mark & ~b.non_ascii;
    const u64 third = mark & (mark << 1 | before >> 63) & (mark << 2 | before >> 62);
    if (third) count_dots(text, 64 * i, third, &free, &s.ellipses);
    before = mark;
    for (u64 x = b.end_mark & b.non_ascii; x; x &= x - 1) {
      const u8* c = p + __builtin_ctzll(x);
      s.ellipses += c[0] == 0xE2 && c[1] == 0x80 && c[2] == 0xA6 ? 1 : 0;
    }
  }
  *sums = s;
}

// Whether another word has the place. One flag: "empty or mine" as two conditions would be a branch
// on a toss of a coin.
INLINE u32 is_other(u64 found, u64 key) {
  u32 other = (found != 0) & (found != key) ? 1 : 0;
  asm("" : "+r"(other));
  return other;
}

// A hash of 0 (one in 2^64) is numbered anew each time.
u32 number(const u64* hash, u32 from, u32 words, WordNumbering* numbering) {
  u64* const keys = numbering->keys;
  u32* const numbers = numbering->numbers;
  u32* const first = numbering->first;
  u32* const number_of = numbering->number_of;
  const u32 mask = numbering->slots - 1;
  const u32 most = numbering->most;
  u32 distinct = numbering->distinct;
  u32 i = from;
  for (; i < words && distinct < most; ++i) {
    const u64 key = hash[i];
    u32 at = static_cast<u32>(key >> kWordSlotShift) & mask;
    at = (at + is_other(keys[at], key)) & mask;  // arithmetic: one word in eight takes this step
    while (__builtin_expect(is_other(keys[at], key), 0)) at = (at + 1) & mask;
    u32 known = keys[at] != 0 ? ~u32{0} : 0;
    asm("" : "+r"(known));
    const u32 id = (numbers[at] & known) | (distinct & ~known);
    first[distinct] = i;
    keys[at] = key;
    numbers[at] = id;
    number_of[i] = id;
    distinct += 1 + known;
  }
  u32* const count = numbering->count;
  for (u32 id = numbering->distinct; id < distinct; ++id) count[id] = 0;
  for (u32 k = from; k < i; ++k) ++count[number_of[k]];
  numbering->distinct = distinct;
  return i;
}

void mark_repeated(const u32* number_of, const u32* count, u32 words, u64* repeated) {
  u32 i = 0;
  for (; i + 64 <= words; i += 64) repeated[i / 64] = repeated_bits(number_of + i, count);
  u64 last = 0;
  for (u32 k = i; k < words; ++k) last |= u64{count[number_of[k]] > 1 ? 1u : 0u} << (k - i);
  repeated[i / 64] = last;
  repeated[i / 64 + 1] = 0;
}

u32 firsts(const u64* repeats, const u32* copies, u32 words, u32* which, u32* times,
           u64* repeated) {
  u32 count = 0;
  u32 base = 0;
  for (; base < words; base += 64) {
    const u64 valid = words - base < 64 ? (u64{1} << (words - base)) - 1 : ~u64{0};
    u64 bits = repeats[base / 64];
    for (u64 first = ~bits & valid; first; first &= first - 1) {
      const u32 place = static_cast<u32>(__builtin_ctzll(first));
      const u32 n = copies[base + place];
      which[count] = base + place;
      times[count] = n + 1;
      bits |= u64{n != 0 ? 1u : 0u} << place;
      ++count;
    }
    repeated[base / 64] = bits;
  }
  repeated[base / 64] = 0;
  return count;
}

INLINE u32 code_points_before(const TextBlock* blocks, u32 position) {
  const TextBlock& b = blocks[position / 64];
  return b.code_points_before + popcount(b.lead & ((u64{1} << (position % 64)) - 1));
}

// Most words are a Han character, or ASCII.
INLINE u32 length_of(const TextBlock* blocks, u32 begin, u32 end) {
  const TextBlock& here = blocks[begin / 64];
  if (here.han >> (begin % 64) & 1) return 1;
  if (end - begin <= 64 && (here.non_ascii | blocks[end / 64].non_ascii) == 0) return end - begin;
  return code_points_before(blocks, end) - code_points_before(blocks, begin);
}

void lengths(const TextBlock* blocks, const u32* begin, const u32* end, const u32* which, u32 count,
             u32* length) {
  for (u32 i = 0; i < count; ++i) length[i] = length_of(blocks, begin[which[i]], end[which[i]]);
}

INLINE u64 join(u64 left, u64 right) {
  const u64 x = left * kFactorA + (right << 23 | right >> 41) * kFactorB;
  return x ^ (x >> 29);
}

u32 pairs(const u64* repeated, const u64* hash, u32 words, const Survivors& survivors) {
  u32* const position = survivors.position;
  u64* const key = survivors.key;
  u32 count = 0;
  for (u32 base = 0; base < words; base += 64) {
    const u64 here = repeated[base / 64];
    u64 both = here & (here >> 1 | repeated[base / 64 + 1] << 63);
    if (words - base <= 64) both &= (u64{1} << (words - base - 1)) - 1;  // a pair ends within
    for (; both; both &= both - 1) {
      const u32 i = base + static_cast<u32>(__builtin_ctzll(both));
      position[count] = i;
      key[count] = join(hash[i], hash[i + 1]);
      ++count;
    }
  }
  return count;
}

u32 extend(const Survivors& survivors, u32 count) {
  if (count == 0) return 0;
  u32* const position = survivors.position;
  u64* const key = survivors.key;
  u32 kept = 0;
  position[count] = ~u32{0};
  for (u32 i = 0; i < count; ++i) {
    const u32 at = position[i];
    u32 next = position[i + 1] == at + 1 ? 1 : 0;
    asm("" : "+r"(next));
    const u64 joined = join(key[i], key[i + 1]);
    position[kept] = at;
    key[kept] = joined;
    kept += next;
  }
  return kept;
}

// The top bits of a product: keys are sums of products already, but of words that may differ in few
// bits.
INLINE u64 slot_of(u64 key, int shift) { return (key * kSlotFactor) >> shift; }

u32 keep(const Survivors& survivors, u32 count, std::uint16_t* counters, u32 slots, u32* largest) {
  u32* const position = survivors.position;
  u64* const key = survivors.key;
  u32* const times = survivors.times;  // first the slot
  const int shift = 64 - __builtin_ctz(slots);
  for (u32 i = 0; i < count; ++i) {
    times[i] = static_cast<u32>(slot_of(key[i], shift));
    ++counters[times[i]];
  }
  u32 kept = 0;
  u32 most = 0;
  for (u32 i = 0; i < count; ++i) {
    const u64 k = key[i];
    const u32 n = counters[times[i]];
    const u32 at = position[i];
    u32 again = n >= 2 ? 1 : 0;
    asm("" : "+r"(again));
    position[kept] = at;
    key[kept] = k;
    times[kept] = n;
    most = n > most ? n : most;
    kept += again;
  }
  __builtin_memset(counters, 0, slots * sizeof(std::uint16_t));
  *largest = most;
  return kept;
}

u32 count_equal(const u64* keys, u32 count, u64 key) {
  u32 equal = 0;
  for (u32 i = 0; i < count; ++i) equal += keys[i] == key ? 1 : 0;
  return equal;
}
