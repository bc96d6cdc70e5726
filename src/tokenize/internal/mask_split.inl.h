// SPDX-License-Identifier: Apache-2.0
// The loop over the blocks of a text, with the exact cut. For inclusion behind mask_families.inl.h
// in a kernel unit that defines positions(bits, base, out), which writes base + i for each bit i
// and may write kMaskSlack entries.

INLINE u64 load_key(const u8* q, u32 left, u32 right) {
  u32 head;
  __builtin_memcpy(&head, q - left, 4);
  if (left + right == 4) return head;
  std::uint16_t tail;
  __builtin_memcpy(&tail, q + 1, 2);
  return head | u64{tail} << 32;
}

// 1 if the junction of `left` bytes before q and `right` at q may be cut.
INLINE u64 is_cut(const MaskTables& tables, const u8* q, u32 left, u32 right) {
  const u64 bit = junction_bit(load_key(q, left, right));
  const u64 crosses =
      (tables.may_cross[bit >> 6] >> (bit & 63)) | u64{tables.unlisted[q[-1]]} >> (q[0] & 15);
  return ~crosses & 1;
}

// Cuts inside the pieces of the block: junctions of characters of 3|3, 1|3 and 3|1 bytes.
INLINE u64 cuts(const View& v, u64 starts) {
  const BlockMasks &m = v.now, &p = v.previous;
  const u8* const block = v.text + v.state->base;
  const u64 after3 = moved(m.of3, p.of3, 3) & ~starts;
  u64 found = 0;
  for (u64 rest = m.of3 & after3; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    found |= is_cut(v.tables, block + i, 3, 3) << i;
  }
  for (u64 rest = m.of3 & moved(m.of1, p.of1, 1) & ~starts; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    found |= is_cut(v.tables, block + i, 1, 3) << i;
  }
  for (u64 rest = m.of1 & after3; rest != 0; rest &= rest - 1) {
    const u32 i = lowest(rest);
    found |= is_cut(v.tables, block + i, 3, 1) << i;
  }
  return found;
}

template <MaskFamily kFamily>
MaskResult split(const MaskTables& tables, const u8* text, u32 size, bool mark_parts,
                 MaskState* given, u32* starts, u32 room) {
  constexpr bool kHasHard = kFamily == MaskFamily::kO200k || kFamily == MaskFamily::kDeepseek;
  MaskState state = *given;
  u32* out = starts;
  const u32* const full = starts + room - kMaskSlack;
  MaskStop stop = MaskStop::kEnd;
  if (!state.started && state.base < size) {
    classify<kFamily>(tables, text + state.base, size - state.base, &state, &state.current);
    state.started = true;
  }
  for (; state.base < size; state.base += 64) {
    if (out > full) {
      stop = MaskStop::kRoom;
      break;
    }
    BlockMasks next;
    if (size - state.base > 64) {
      classify<kFamily>(tables, text + state.base + 64, size - state.base - 64, &state, &next);
    } else {
      __builtin_memset(&next, 0, sizeof(next));
    }
    const View v{tables, text, size, &state, state.previous, state.current, next};
    u64 begins = 0;
    if constexpr (kHasHard) {
      const u64 hard = state.current.hard | next.hard;
      if (__builtin_expect(hard != 0, 0)) {
        const u64 last = next.hard != 0 ? next.hard : state.current.hard;
        state.hard_end =
            state.base + (next.hard != 0 ? 128 : 64) - static_cast<u32>(__builtin_clzll(last));
        stop = MaskStop::kHard;
        break;
      }
    }
    if constexpr (kFamily == MaskFamily::kGpt2) begins = gpt2_starts(v);
    if constexpr (kFamily == MaskFamily::kCl100k) begins = cl100k_starts(v);
    if constexpr (kFamily == MaskFamily::kDeepseek) begins = deepseek_starts(v);
    if constexpr (kFamily == MaskFamily::kO200k) {
      if (!o200k_starts(v, &begins)) {
        stop = MaskStop::kHard;
        break;
      }
    }
    if constexpr (kHasHard) {
      if (begins != 0) state.last = state.base + 63 - static_cast<u32>(__builtin_clzll(begins));
    }
    u64 parts = 0;
    if (tables.may_cross != nullptr && (state.current.of3 | state.previous.of3) != 0) {
      parts = cuts(v, begins);
    }
    const u64 all = begins | parts;
    const u32 count = positions(all, state.base, out);
    if (mark_parts) {
      for (u64 rest = parts; rest != 0; rest &= rest - 1) {
        out[__builtin_popcountll(all & ((rest & -rest) - 1))] |= kPartBit;
      }
    }
    out += count;
    state.previous = state.current;
    state.current = next;
  }
  *given = state;
  return {static_cast<u32>(out - starts), stop};
}

constexpr MaskKernels kKernels = {split<MaskFamily::kGpt2>, split<MaskFamily::kCl100k>,
                                  split<MaskFamily::kO200k>, split<MaskFamily::kDeepseek>};
