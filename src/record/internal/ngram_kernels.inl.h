// SPDX-License-Identifier: Apache-2.0
// Hashes of code points and of their runs, the same for every instruction set. A unit includes this
// file inside its anonymous namespace, after it has defined
//
//   u64 codes(const u8* p, u64 lead, u32* out)
//     the code points that begin at the set bits, each as the 32-bit little-endian number of its
//     own UTF-8 bytes; returns how many, may write 64
//   void mix_sixteen(const u32* codes, u64* out)
//     mix_code() of each
//
// A run is hashed by the cyclic polynomial of Cohen (1997): each code point becomes 64 random bits,
// and run i is the exclusive or of them, each rotated by its distance from the end of the run. With
// truly random bits two different runs of n agree with probability 2^(n-65) (Lemire and Kaser
// 2010). Unlike a polynomial in one multiplier it has no structure that text meets, and unlike a
// rolling update it has no chain from one run to the next: runs of 2, 4, 8 ... are made of two
// halves each, by loops that the compiler turns into vectors.

u64 hash_code_points(const u8* text, const TextBlock* blocks, u64 count, u64* hashes) {
  u32 buffer[64] = {};
  u64 written = 0;
  for (u64 b = 0; b < count; ++b) {
    const u64 n = codes(text + 64 * b, blocks[b].lead, buffer);
    // Sixteen at a time, whatever n: loops of fixed length become straight vector code.
    u64* out = hashes + written;
    for (u32 k = 0; k < n; k += 16) mix_sixteen(buffer + k, out + k);
    written += n;
  }
  return written;
}

// Runs of a and b make runs of a + b: run i is run i of a, rotated, and run i + a of b. 1 <= b
// < 64.
INLINE void join(const u64* __restrict left, u32 a, const u64* __restrict right, u32 b,
                 u64* __restrict out, u64 count) {
  for (u64 i = 0; i < count; ++i) {
    out[i] = ((left[i] << b) | (left[i] >> (64 - b))) ^ right[i + a];
  }
}

// Works on pieces that stay in the first-level cache. `runs` are as long as a power of two, `done`
// as long as the low bits of n seen so far; no array is written twice in a piece, because `done`
// may still be one of the `runs`.
void combine(u64* hashes, u64 count, u32 n) {
  constexpr u64 kPiece = 192;
  if (count < n || n == 1) return;
  const u64 total = count - n + 1;
  u64 arrays[12][kPiece + 64];  // by width for `runs`, then for `done`
  for (u64 at = 0; at < total; at += kPiece) {
    const u64 results = total - at < kPiece ? total - at : kPiece;
    const u64 inputs = results + n - 1;
    const u64* runs = hashes + at;
    const u64* done = nullptr;
    u32 have = 0;
    u32 step = 0;
    for (u32 width = 1; width <= n; width *= 2, ++step) {
      if ((n & width) != 0 && have == 0) {
        done = runs;
        have = width;
      } else if ((n & width) != 0) {
        join(done, have, runs, width, arrays[6 + step - 1], inputs - (have + width) + 1);
        done = arrays[6 + step - 1];
        have += width;
      }
      if (2 * width <= n) {
        join(runs, width, runs, width, arrays[step], inputs - 2 * width + 1);
        runs = arrays[step];
      }
    }
    __builtin_memcpy(hashes + at, done, results * sizeof(u64));
  }
}
