// SPDX-License-Identifier: Apache-2.0
// Algebra on masks that the rules of several pattern families share. For inclusion behind
// mask_classify.inl.h.
//
// before(x) is x moved up by one: the positions whose byte before is in x. A character's class
// stands on all of its bytes, so that is "whose character before".

// A mask with the same of the block before.
INLINE u64 moved(u64 now, u64 previous, int by) { return now << by | previous >> (64 - by); }
INLINE u64 before(u64 now, u64 previous) { return moved(now, previous, 1); }
INLINE u64 behind(u64 now, u64 next, int by) { return now >> by | next << (64 - by); }

// The bits of runs of `among` at and above the lowest bit of `starts` in each. starts ⊆ among.
// An addition carries through the run; a start inside it stops the carry's trace, not the carry.
INLINE u64 reach(u64 among, u64 starts) { return (((among + starts) ^ among) | starts) & among; }

// Bytes of the contraction at p ('s 't 'm 'd 're 've 'll), 0 if there is none.
INLINE u32 contraction(const u8* p, const u8* end, bool any_case) {
  if (end - p < 2) return 0;
  const auto letter = [any_case](u8 b) -> u8 {
    return any_case && b >= 'A' && b <= 'Z' ? b | 0x20 : b;
  };
  const u8 a = letter(p[1]);
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
  if (end - p < 3) return 0;
  if (any_case && p[1] == 0xC5 && p[2] == 0xBF) return 3;  // U+017F folds to s
  const u8 b = letter(p[2]);
  return ((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

// What the rules of one block look at.
struct View {
  const MaskTables& tables;
  const u8* text;
  u32 size;
  MaskState* state;
  const BlockMasks &previous, &now, &next;
};

INLINE u64 words(const BlockMasks& m) { return m.letter | m.upper | m.caseless; }

// Starts at bit i + length of this block, or in the next one. The text ends no piece early.
INLINE u64 force(const View& v, u32 i, u32 length) {
  if (v.state->base + i + length >= v.size) return 0;
  if (i + length < 64) return u64{1} << (i + length);
  v.state->force |= u64{1} << (i + length - 64);
  return 0;
}

// The last white space in front of something: the first class of the pattern takes it, or
// (?!\S) gives it back.
template <MaskFamily kFamily>
INLINE u64 last_spaces(const View& v) {
  const auto something = [](const BlockMasks& m) {
    if constexpr (kFamily == MaskFamily::kDeepseek) return m.letter | m.sign;  // walls end a text
    return words(m) | m.number | m.sign;
  };
  const u64 now = something(v.now);
  const u64 next = something(v.next);
  const u64 spaces = v.now.space & v.now.first;
  if (v.now.non_ascii == 0) return spaces & behind(now, next, 1);
  return spaces & ((v.now.of1 & behind(now, next, 1)) | (v.now.of2 & behind(now, next, 2)) |
                   (v.now.of3 & behind(now, next, 3)));
}

// `m`, first bytes, moved to the first byte of the next character.
INLINE u64 next_characters(const View& v, u64 m, u64 previous) {
  if ((v.now.non_ascii | v.previous.non_ascii) == 0) return before(m, previous);
  return moved(m & v.now.of1, previous & v.previous.of1, 1) |
         moved(m & v.now.of2, previous & v.previous.of2, 2) |
         moved(m & v.now.of3, previous & v.previous.of3, 3) |
         moved(m & v.now.of4, previous & v.previous.of4, 4);
}

// Of `starts`, white space behind a newline, those whose run has no further newline.
template <MaskFamily kFamily>
INLINE u64 without_newline(const View& v, u64 starts) {
  const u64 spaces = v.now.space;
  u64 sum;
  const bool leaves = __builtin_add_overflow(spaces, starts, &sum);
  if (!leaves && (sum & ~spaces & v.now.newline) == 0) return starts;
  u64 kept = 0;
  for (u64 rest = starts; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    const u64 others = ~spaces >> i;
    bool newline = false;
    if (others != 0) {
      newline = (v.now.newline >> (i + lowest(others)) & 1) != 0;
    } else {  // once per run, so that no text is read again and again
      const u8* p = v.text + v.state->base + 64;
      const u8* const end = v.text + v.size;
      while (p < end && (*p & 0xC0) == 0x80) ++p;
      for (u32 length; p < end; p += length) {
        const u32 c = decode(p, &length);
        newline = c == '\n' || c == '\r';
        if (newline || v.tables.fold[v.tables.classes[c] & 15] != MaskClass::kSpace) break;
      }
    }
    if (!newline) kept |= rest & -rest;
  }
  return kept;
}

// \p{N} or \p{N}{1,3}.
INLINE u64 number_starts(const View& v) {
  u64 digits = v.now.number & v.now.first;
  if (v.tables.pattern.digits == 1 || digits == 0) return digits;
  const u64 runs = digits & ~before(v.now.number, v.previous.number);
  u32 in_group = v.state->digit_run;
  u64 starts = 0;
  for (; digits != 0; digits &= digits - 1) {
    const u64 bit = digits & -digits;
    if ((bit & runs) != 0) in_group = 0;
    if (in_group == 0) starts |= bit;
    in_group = in_group == 2 ? 0 : in_group + 1;
  }
  v.state->digit_run = in_group;
  return starts;
}
