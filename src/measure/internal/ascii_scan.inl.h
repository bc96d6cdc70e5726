// SPDX-License-Identifier: Apache-2.0
// The scan over masks, the same for every instruction set. A unit includes this file inside its
// anonymous namespace, after it has defined
//
//   struct Masks { u64 same, bracket, url, control, encoded, unseen; }
//   Masks masks_of(const u8* p, const AsciiCounts& counts)
//
// where bit i of a mask speaks of byte p[i]: equal to p[i + 1]; one of ( ) [ ] { }; : or .;
// a control character other than white space; one of A-Z a-z 0-9 + / =; ASCII and not in
// counts.seen.

inline u32 ones(u64 mask) { return static_cast<u32>(__builtin_popcountll(mask)); }
inline u32 first_of(u64 mask) { return static_cast<u32>(__builtin_ctzll(mask)); }
inline u32 leading_ones(u64 mask) {
  return ~mask == 0 ? 64 : static_cast<u32>(__builtin_clzll(~mask));
}

// Length of the run of set bits that ends in the first bits of `mask`, with what `carry` brings
// from the blocks before; 0 while a run goes on through the whole block. The last block has a bit
// behind the text, which is never set, so every run ends.
inline u32 run_into(u64 mask, u32* carry) {
  if (~mask == 0) {
    *carry += 64;
    return 0;
  }
  const u32 length = *carry + first_of(~mask);
  *carry = leading_ones(mask);
  return length;
}

void scan(const u8* text, u32 size, const TextBlock* blocks, u32 block_count, AsciiCounts* result,
          AsciiFinds* finds) {
  AsciiCounts counts = *result;
  u32 same_carry = 0;
  u32 encoded_carry = 0;
  u32 longest = 0;  // run of set bits of `same`: one less than of characters
  for (u32 b = 0; b < block_count; ++b) {
    const TextBlock& block = blocks[b];
    const u32 begin = 64 * b;
    const u64 ascii = block.lead & ~block.non_ascii;
    const Masks masks = masks_of(text + begin, counts);
    const u64 control = masks.control & ascii;
    counts.ascii += ones(ascii);
    counts.control += ones(control);
    counts.special += ones(ascii & ~block.letter & ~control);
    if (masks.bracket) {
      counts.brackets += ones(masks.bracket);
      for (u64 rest = masks.bracket; rest; rest &= rest - 1)
        counts.braces += (text[begin + first_of(rest)] | 6) == ('{' | 6) ? 1 : 0;
    }
    u64 same = masks.same & ascii;
    // The zero byte behind the text is no character.
    if (size - begin <= 64 && size > begin) same &= ~(u64{1} << (size - 1 - begin));
    if (same | same_carry) {
      const u32 across = run_into(same, &same_carry);
      longest = across > longest ? across : longest;
      u32 inside = same != 0 ? 1 : 0;  // double letters stand everywhere, three of a kind seldom
      for (u64 rest = same & same >> 1; rest; rest &= rest >> 1) ++inside;
      longest = inside > longest ? inside : longest;
    }
    for (u64 unseen = masks.unseen & ascii; unseen; unseen &= unseen - 1) {
      const u32 c = text[begin + first_of(unseen)];
      counts.seen[c % 16] = static_cast<u8>(counts.seen[c % 16] | 1U << c / 16);
    }
    for (u64 url = masks.url; url; url &= url - 1)
      finds->url_marks[finds->url_mark_count++] = begin + first_of(url);
    const u32 run = run_into(masks.encoded, &encoded_carry);
    if (run >= kEncodedRun) {
      finds->encoded_ends[finds->encoded_count] = begin + first_of(~masks.encoded);
      finds->encoded_sizes[finds->encoded_count++] = run;
    }
  }
  counts.longest_run = longest == 0 ? 0 : longest + 1;
  *result = counts;
}
