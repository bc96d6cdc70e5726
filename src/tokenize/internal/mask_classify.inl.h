// SPDX-License-Identifier: Apache-2.0
// From 64 bytes to masks of character classes, for inclusion inside the anonymous namespace of a
// kernel unit that defines Block: 64 bytes with le(b), ge(b) and eq(b), the masks of bytes that are
// at most, at least and equal to b, and ascii<family>(tables, masks), the class masks of what is
// ASCII (anything where it is not).

INLINE u32 lowest(u64 bits) { return static_cast<u32>(__builtin_ctzll(bits)); }

INLINE u32 decode(const u8* p, u32* length) {
  const u32 b = p[0];
  if (b < 0x80) return *length = 1, b;
  if (b < 0xE0) return *length = 2, (b & 31) << 6 | (p[1] & 63U);
  if (b < 0xF0) return *length = 3, (b & 15) << 12 | (p[1] & 63U) << 6 | (p[2] & 63U);
  return *length = 4, (b & 7) << 18 | (p[1] & 63U) << 12 | (p[2] & 63U) << 6 | (p[3] & 63U);
}

template <MaskFamily kFamily>
INLINE MaskClass class_of(const MaskTables& tables, u32 code_point, u8 entry) {
  if constexpr (kFamily == MaskFamily::kDeepseek) {
    const bool is_wall = (code_point >= 0x4E00 && code_point <= 0x9FA5) ||
                         (code_point >= 0x3040 && code_point <= 0x30FF);
    // Letters of these make pieces of their own; the scanner knows what the few others do.
    if (is_wall) {
      const bool is_letter = entry == kModifier || entry == kOtherLetter;
      return is_letter ? MaskClass::kWall : MaskClass::kHard;
    }
  }
  return tables.fold[entry];
}

// Adds the characters of two bytes and more, and what earlier ones reach into this block. Han of
// U+4E00 on are painted by their first bytes; the others are looked up one by one.
template <MaskFamily kFamily>
__attribute__((noinline)) void add_non_ascii(const MaskTables& tables, const u8* p,
                                             const Block& block, u64 valid, MaskState* state,
                                             BlockMasks* m) {
  const u64 high = m->non_ascii;
  const u64 lead = high & ~block.le(0xBF);
  m->first = valid & ~(high & ~lead);
  m->of1 = m->first & ~lead;
  m->of2 = lead & block.le(0xDF);
  m->of4 = lead & block.ge(0xF0);
  m->of3 = lead & ~m->of2 & ~m->of4;

  u64 han = (lead & block.ge(0xE5) & block.le(0xE9)) | (block.eq(0xE4) & block.ge(0xB8) >> 1);
  if constexpr (kFamily == MaskFamily::kDeepseek) {
    han &= ~(block.eq(0xE9) & (block.ge(0xBE) >> 1 | u64{1} << 63));  // from U+9F80 on: looked up
  }
  constexpr int kHan = static_cast<int>(kFamily == MaskFamily::kO200k      ? MaskClass::kCaseless
                                        : kFamily == MaskFamily::kDeepseek ? MaskClass::kWall
                                                                           : MaskClass::kLetter);
  u64 here[kMaskClasses];
  u64 next[kMaskClasses] = {};
  __builtin_memcpy(here, state->painted, sizeof(here));
  here[kHan] |= han | han << 1 | han << 2;
  next[kHan] = han >> 63 | han >> 62;
  u32 seen = 0;
  for (u64 rest = lead & ~han; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    u32 length;
    const u32 code_point = decode(p + i, &length);
    const u8 entry = tables.classes[code_point];
    seen |= entry;
    const auto k = static_cast<int>(class_of<kFamily>(tables, code_point, entry & kClassMask));
    const u64 bytes = (u64{1} << length) - 1;
    here[k] |= bytes << i;
    if (i + length > 64) next[k] |= bytes >> (64 - i);
  }
  state->seen |= static_cast<u8>(seen);
  __builtin_memcpy(state->painted, next, sizeof(next));
  state->is_painted = false;
  for (const u64 bits : next) state->is_painted |= bits != 0;

  m->sign |= here[0] & valid;
  m->letter |= here[1] & valid;
  m->number |= here[2] & valid;
  m->space |= here[3] & valid;
  m->upper |= here[4] & valid;
  m->caseless |= here[5] & valid;
  m->wall |= here[6] & valid;
  m->hard |= here[7] & valid;
}

// The masks of the `size` > 0 bytes at p, of which 64 count.
template <MaskFamily kFamily>
INLINE void classify(const MaskTables& tables, const u8* p, u32 size, MaskState* state,
                     BlockMasks* m) {
  const u64 valid = size >= 64 ? ~u64{0} : (u64{1} << size) - 1;
  const Block block = size >= 64 ? Block(p) : Block(p, size);
  const u64 high = block.ge(0x80) & valid;
  const u64 ascii = valid & ~high;
  m->non_ascii = high;
  m->caseless = m->wall = 0;
  block.template ascii<kFamily>(tables, m);
  m->letter &= ascii;
  m->upper &= ascii;
  m->number &= ascii;
  m->space &= ascii;
  m->newline &= ascii;
  m->sign &= ascii;
  m->hard &= ascii;
  m->blank = block.eq(' ');
  m->quote = block.eq('\'');
  m->slash = kFamily == MaskFamily::kO200k ? block.eq('/') : 0;
  if (__builtin_expect(high != 0 || state->is_painted, 0)) {
    add_non_ascii<kFamily>(tables, p, block, valid, state, m);
  } else {
    m->first = m->of1 = valid;
    m->of2 = m->of3 = m->of4 = 0;
  }
}
