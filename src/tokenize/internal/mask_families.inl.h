// SPDX-License-Identifier: Apache-2.0
// Where pieces start in a block, by pattern family. The patterns are in split_*.cc. For inclusion
// behind mask_common.inl.h.

INLINE u64 gpt2_starts(const View& v) {
  const BlockMasks &m = v.now, &p = v.previous;
  MaskState& state = *v.state;
  const u64 after_blank = before(m.blank, p.blank);
  const u64 signs = m.sign & m.first & ~before(m.sign, p.sign) & ~after_blank;
  const u64 free = m.space | m.newline;
  u64 starts = (m.letter & m.first & ~before(m.letter, p.letter) & ~after_blank) |
               (m.number & m.first & ~before(m.number, p.number) & ~after_blank) | signs |
               (free & ~before(free, state.free));
  const auto something = [](const BlockMasks& b) { return b.letter | b.number | b.sign; };
  const u64 spaces = free & m.first;
  starts |= spaces & m.of1 & behind(something(m), something(v.next), 1);
  if (m.non_ascii != 0) {
    starts |= spaces & ((m.of2 & behind(something(m), something(v.next), 2)) |
                        (m.of3 & behind(something(m), something(v.next), 3)));
  }
  starts |= state.force;
  u64 forbidden = state.forbid;
  state.force = state.forbid = 0;
  for (u64 rest = signs & m.quote & behind(m.letter, v.next.letter, 1); rest != 0;
       rest &= rest - 1) {
    const u32 i = lowest(rest);
    const u32 length = contraction(v.text + state.base + i, v.text + v.size, false);
    if (length == 0) continue;
    if (i == 63) {
      state.forbid = 1;
    } else {
      forbidden |= u64{2} << i;
    }
    starts |= force(v, i, length);
  }
  state.free = free;
  return starts & ~forbidden;
}

// What cl100k, o200k and DeepSeek share. `lone`: a sign that the letters behind it may take.
struct Common {
  u64 starts, lone, after_lone;
};

template <MaskFamily kFamily>
INLINE Common common_starts(const View& v) {
  const BlockMasks &m = v.now, &p = v.previous;
  MaskState& state = *v.state;
  // [\r\n]* or [\r\n/]* behind signs
  u64 tail = m.newline;
  if (kFamily == MaskFamily::kO200k && v.tables.pattern.slash_tail) tail |= m.slash;
  u64 absorbed = (m.newline & before(m.sign, p.sign)) | (tail & state.absorbed >> 63);
  if (absorbed != 0) absorbed = reach(tail, absorbed);
  const u64 free = (m.space | m.newline) & ~absorbed;
  const u64 free_newline = m.newline & ~absorbed;
  const u64 sign = m.sign & ~absorbed;
  const u64 sign_starts =
      sign & m.first & ~before(sign, state.free_sign) & ~before(m.blank, p.blank);
  u64 lone = sign_starts;
  if constexpr (kFamily == MaskFamily::kDeepseek) lone &= ~m.non_ascii;
  const u64 after_lone = next_characters(v, lone, state.lone);
  u64 starts =
      sign_starts | (free & ~before(free, state.free)) | last_spaces<kFamily>(v) | number_starts(v);
  const u64 spaces = m.space & m.first & before(free_newline, state.free_newline);
  if (spaces != 0) starts |= without_newline<kFamily>(v, spaces);
  state.absorbed = absorbed;
  state.free = free;
  state.free_newline = free_newline;
  state.free_sign = sign;
  state.lone = lone;
  return {starts, lone, after_lone};
}

INLINE u64 cl100k_starts(const View& v) {
  const BlockMasks &m = v.now, &p = v.previous;
  const Common common = common_starts<MaskFamily::kCl100k>(v);
  u64 starts = common.starts | v.state->force;
  v.state->force = 0;
  starts |= m.letter & m.first & ~before(m.letter, p.letter) & ~before(m.space, p.space) &
            ~common.after_lone;
  // Contractions show only where more letters follow.
  for (u64 rest = common.lone & m.quote & behind(m.letter, v.next.letter, 1) &
                  behind(m.letter, v.next.letter, 2);
       rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    const u32 length = contraction(v.text + v.state->base + i, v.text + v.size, true);
    if (length != 0) starts |= force(v, i, length);
  }
  return starts;
}

// A letter behind a contraction begins a word inside a run of letters, which the rules below do not
// know. Returns whether there is one in this block; else *starts and *forbidden are what the
// contractions of the block make.
INLINE bool suffixes(const View& v, u64* starts, u64* forbidden) {
  const BlockMasks& m = v.now;
  MaskState& state = *v.state;
  const u64 word = words(m);
  const u64 next = words(v.next);
  for (u64 rest = m.quote & before(word, words(v.previous)) & behind(word, next, 1); rest != 0;
       rest &= rest - 1) {
    const u32 i = lowest(rest);
    const u32 at = state.base + i;
    if (at == state.suffix_end) continue;  // behind another: it starts a word
    const u32 length = contraction(v.text + at, v.text + v.size, true);
    if (length == 0) continue;
    const u64 is_word = i + length < 64 ? word >> (i + length) : next >> (i + length - 64);
    if ((is_word & 1) != 0) {
      state.hard_end = at + length;
      return true;
    }
    state.suffix_end = at + length;
    const u64 bytes = (u64{1} << length) - 1;
    *forbidden |= bytes << i;
    if (i + length > 64) state.forbid |= bytes >> (64 - i);
    *starts |= force(v, i, length);
  }
  return false;
}

// Upper-case letters behind caseless ones in the first half of a word. The first half must end in a
// caseless letter, if no lower-case one follows: then the capitals start a word of their own.
INLINE u64 given_back(const View& v, u64 capitals) {
  const BlockMasks& m = v.now;
  u64 starts = 0;
  for (u64 rest = capitals; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    const u64 others = ~m.upper >> i;
    bool goes_on = false;
    if (others != 0) {
      goes_on = ((m.letter | m.caseless) >> (i + lowest(others)) & 1) != 0;
    } else {  // once per run of capitals
      const u8* p = v.text + v.state->base + 64;
      const u8* const end = v.text + v.size;
      while (p < end && (*p & 0xC0) == 0x80) ++p;
      for (u32 length; p < end; p += length) {
        const MaskClass c = v.tables.fold[v.tables.classes[decode(p, &length)] & 15];
        goes_on = c == MaskClass::kLetter || c == MaskClass::kCaseless || c == MaskClass::kHard;
        if (c != MaskClass::kUpper) break;
      }
    }
    if (!goes_on) starts |= rest & -rest;
  }
  return starts;
}

INLINE bool o200k_starts(const View& v, u64* result) {
  const BlockMasks &m = v.now, &p = v.previous;
  MaskState& state = *v.state;
  u64 starts = state.force;
  u64 forbidden = state.forbid;
  state.force = state.forbid = 0;
  if (v.tables.pattern.contractions && suffixes(v, &starts, &forbidden)) return false;
  const Common common = common_starts<MaskFamily::kO200k>(v);
  const u64 word = words(m);
  starts |= common.starts;
  starts |=
      word & m.first & ~before(word, words(p)) & ~before(m.space, p.space) & ~common.after_lone;
  const u64 after_lower = before(m.letter, p.letter);
  starts |= m.upper & m.first & after_lower;
  const u64 capitals = m.upper & m.first & before(m.caseless, p.caseless);
  u64 reached = (m.caseless & after_lower) | (m.caseless & state.reached >> 63);
  if (reached != 0) reached = reach(m.caseless, reached);
  if (capitals != 0) {  // behind caseless letters of a second half, and of a first half
    const u64 second = capitals & before(reached, state.reached);
    starts |= second | given_back(v, capitals & ~second);
  }
  state.reached = reached;
  *result = starts & ~forbidden;
  return true;
}

INLINE u64 deepseek_starts(const View& v) {
  const BlockMasks &m = v.now, &p = v.previous;
  MaskState& state = *v.state;
  const Common common = common_starts<MaskFamily::kDeepseek>(v);
  const u64 ascii = m.letter & ~m.non_ascii;
  const u64 joins = common.after_lone & ascii;
  u64 starts = common.starts | (m.wall & m.first & ~before(m.wall, p.wall));
  starts |= m.letter & m.first & ~before(m.letter, p.letter) & ~before(m.space, p.space) & ~joins;
  // A sign takes ASCII letters only.
  u64 reached = joins | (ascii & state.reached >> 63);
  if (reached != 0) reached = reach(ascii, reached);
  starts |= m.letter & ~ascii & m.first & before(reached, state.reached);
  state.reached = reached;
  return starts;
}
