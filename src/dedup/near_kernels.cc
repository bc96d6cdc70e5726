// SPDX-License-Identifier: Apache-2.0
// See internal/near_kernels.h. Highway compiles this file once for each instruction set: the part
// between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE stands in a namespace of its own each time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dedup/near_kernels.cc"  // this file
#include "dedup/internal/near_kernels.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headrace::dedup::internal::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int kTurn = 13;
constexpr u64 kMixer = 0x9E3779B97F4A7C15;   // 2^64 / golden ratio
constexpr u64 kRounds = 0xD1B54A32D192ED03;  // odd; steps of the round number
constexpr u64 kFresh = 0xAEF17502108EF2D9;   // odd

HWY_INLINE u64 turned(u64 x) { return x << kTurn | x >> (64 - kTurn); }
HWY_INLINE u64 mixed(u64 x, u64 factor) {
  x ^= x >> 32;
  x *= factor;
  return x ^ x >> 29;
}

template <class V>
HWY_INLINE V turned(V x) {
  return hn::RotateRight<64 - kTurn>(x);
}
template <class V>
HWY_INLINE V mixed(V x, V factor) {
  x = hn::Xor(x, hn::ShiftRight<32>(x));
  x = hn::Mul(x, factor);
  return hn::Xor(x, hn::ShiftRight<29>(x));
}

// The words of a shingle, each turned by its place and added up. Their hashes are uniform already,
// so that one multiplication at the end is enough.
void MakeShingles(const u64* words, std::size_t count, u32 ngram, u64* out) {
  const hn::ScalableTag<u64> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, kMixer);
  const std::size_t shingles = count - ngram + 1;
  std::size_t i = 0;
  for (; i + lanes <= shingles; i += lanes) {
    auto sum = hn::LoadU(d, words + i);
    for (u32 k = 1; k < ngram; ++k) sum = hn::Add(turned(sum), hn::LoadU(d, words + i + k));
    hn::StoreU(mixed(sum, factor), d, out + i);
  }
  for (; i < shingles; ++i) {
    u64 sum = words[i];
    for (u32 k = 1; k < ngram; ++k) sum = turned(sum) + words[i + k];
    out[i] = mixed(sum, kMixer);
  }
}

void HashForRound(const u64* in, std::size_t count, u32 round, u64* out) {
  const hn::ScalableTag<u64> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, kFresh);
  const auto step = hn::Set(d, kRounds * round);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(mixed(hn::Add(hn::LoadU(d, in + i), step), factor), d, out + i);
  for (; i < count; ++i) out[i] = mixed(in[i] + kRounds * round, kFresh);
}

ShingleSums SumShingles(const u64* in, std::size_t count) {
  const hn::ScalableTag<u64> d;
  const std::size_t lanes = hn::Lanes(d);
  auto plain = hn::Zero(d);
  auto products = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::LoadU(d, in + i);
    plain = hn::Add(plain, x);
    products = hn::Add(products, hn::Mul(x, hn::ShiftRight<32>(x)));
  }
  ShingleSums sums{hn::GetLane(hn::SumOfLanes(d, plain)), hn::GetLane(hn::SumOfLanes(d, products))};
  for (; i < count; ++i) {
    sums.plain += in[i];
    sums.products += in[i] * (in[i] >> 32);
  }
  return sums;
}

// Four vectors of permutations at a time: their factors, terms and minima stay in registers (twelve
// of the sixteen that AVX2 has).
void MinHashes(const u64* in, std::size_t count, const u32* multiply, const u32* add,
               std::size_t permutations, u32* minima) {
  const hn::ScalableTag<u32> full;
  const std::size_t lanes = hn::Lanes(full);
  std::size_t p = 0;
  for (; p + 4 * lanes <= permutations; p += 4 * lanes) {
    const auto m0 = hn::LoadU(full, multiply + p);
    const auto m1 = hn::LoadU(full, multiply + p + lanes);
    const auto m2 = hn::LoadU(full, multiply + p + 2 * lanes);
    const auto m3 = hn::LoadU(full, multiply + p + 3 * lanes);
    const auto a0 = hn::LoadU(full, add + p);
    const auto a1 = hn::LoadU(full, add + p + lanes);
    const auto a2 = hn::LoadU(full, add + p + 2 * lanes);
    const auto a3 = hn::LoadU(full, add + p + 3 * lanes);
    auto least0 = hn::Set(full, ~u32{0});
    auto least1 = least0;
    auto least2 = least0;
    auto least3 = least0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = hn::Set(full, static_cast<u32>(in[i] >> 32));
      least0 = hn::Min(least0, hn::Add(hn::Mul(x, m0), a0));
      least1 = hn::Min(least1, hn::Add(hn::Mul(x, m1), a1));
      least2 = hn::Min(least2, hn::Add(hn::Mul(x, m2), a2));
      least3 = hn::Min(least3, hn::Add(hn::Mul(x, m3), a3));
    }
    hn::StoreU(least0, full, minima + p);
    hn::StoreU(least1, full, minima + p + lanes);
    hn::StoreU(least2, full, minima + p + 2 * lanes);
    hn::StoreU(least3, full, minima + p + 3 * lanes);
  }
  for (; p < permutations; ++p) {
    u32 least = ~u32{0};
    for (std::size_t i = 0; i < count; ++i) {
      const u32 value = static_cast<u32>(in[i] >> 32) * multiply[p] + add[p];
      least = value < least ? value : least;
    }
    minima[p] = least;
  }
}

// Blocks of both sets, all pairs: no branch inside a block depends on the data. Blocks of 16 make
// more comparisons than they save.
u64 Intersect(const u32* a, std::size_t a_size, const u32* b, std::size_t b_size) {
  const hn::CappedTag<u32, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  std::size_t j = 0;
  u64 common = 0;
  while (i + lanes <= a_size && j + lanes <= b_size) {
    const auto of_a = hn::LoadU(d, a + i);
    auto hit = hn::Eq(of_a, hn::Set(d, b[j]));
    for (std::size_t k = 1; k < lanes; ++k) hit = hn::Or(hit, hn::Eq(of_a, hn::Set(d, b[j + k])));
    common += hn::CountTrue(d, hit);
    const u32 last_a = a[i + lanes - 1];
    const u32 last_b = b[j + lanes - 1];
    i += last_a <= last_b ? lanes : 0;
    j += last_b <= last_a ? lanes : 0;
  }
  // A block that one side has left behind was compared with all that it may meet.
  while (i < a_size && j < b_size) {
    const u32 of_a = a[i];
    const u32 of_b = b[j];
    common += of_a == of_b;
    i += of_a <= of_b;
    j += of_b <= of_a;
  }
  return common;
}

}  // namespace
}  // namespace headrace::dedup::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headrace::dedup::internal {

HWY_EXPORT(MakeShingles);
HWY_EXPORT(HashForRound);
HWY_EXPORT(SumShingles);
HWY_EXPORT(MinHashes);
HWY_EXPORT(Intersect);

void make_shingles(const std::uint64_t* word_hashes, std::size_t words, std::uint32_t ngram,
                   std::uint64_t* shingles) {
  HWY_DYNAMIC_DISPATCH(MakeShingles)(word_hashes, words, ngram, shingles);
}

void hash_for_round(const std::uint64_t* shingles, std::size_t count, std::uint32_t round,
                    std::uint64_t* hashes) {
  HWY_DYNAMIC_DISPATCH(HashForRound)(shingles, count, round, hashes);
}

ShingleSums sum_shingles(const std::uint64_t* shingles, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(SumShingles)(shingles, count);
}

void min_hashes(const std::uint64_t* shingles, std::size_t count, const std::uint32_t* multiply,
                const std::uint32_t* add, std::size_t permutations, std::uint32_t* minima) {
  HWY_DYNAMIC_DISPATCH(MinHashes)(shingles, count, multiply, add, permutations, minima);
}

std::uint64_t intersect(const std::uint32_t* a, std::size_t a_size, const std::uint32_t* b,
                        std::size_t b_size) {
  return HWY_DYNAMIC_DISPATCH(Intersect)(a, a_size, b, b_size);
}

}  // namespace headrace::dedup::internal
#endif  // HWY_ONCE
