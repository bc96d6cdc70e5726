// SPDX-License-Identifier: Apache-2.0
// A bijection of [0, n) for any n, computed at one position without a table.
//
// A shuffled array of 10^12 samples does not fit a node, and a generator that walks through the
// order cannot start in its middle. A Feistel network is a bijection whatever its round function
// is, so a keyed hash makes a keyed permutation, at O(1) time and memory per position.
//
// The usual network works on two halves of equal bit length, so on a power of four, and walks
// ("cycle walking", Black and Rogaway, CT-RSA 2002) until it lands below n: just above a power of
// four that is four walks on average. Here the halves are digits of a mixed radix: i = y * a + x
// with x in Z_a, y in Z_b, a = ceil(sqrt(n)), b = ceil(n / a). Rounds add a hash of one digit to
// the other, modulo its radix. a * b < n + a, so a walk is repeated with probability below
// 1 / sqrt(n).
//
// Walking keeps it a bijection: the cycle of a permutation of [0, ab) that starts below n comes
// back below n, at the next such element of the cycle.
//
// Rounds: what a few rounds leave uneven matters only where there are few orders. Counted exactly
// with ideal round functions, the probabilities of the 120 orders of n = 5 stray from 1 / 120 by
// 15 % (root mean square) after 8 rounds, by 0.2 % after 20; each two rounds halve it. So small n,
// which are cheap to be generous with (shards, ends of lanes), take 20 rounds, the rest 8.
//
// Cost: 8 rounds about 50 ns, registers only.
#include "shuffle/permutation.h"

#include <cmath>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace::shuffle {
namespace {

// These four are part of the order: they never change.
constexpr int kRounds = 8;
constexpr int kSmallRounds = 20;
constexpr std::uint64_t kSmallSize = 256;
constexpr std::uint64_t kRoundStep = 0xD1B54A32D192ED03;  // odd; not mix64's own increment

// Smallest a with a * a >= n; exact, whatever the rounding of sqrt.
std::uint64_t ceil_sqrt(std::uint64_t n) {
  auto a = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (a > 0 && (a - 1) * (a - 1) >= n) --a;
  while (a * a < n) ++a;
  return a;
}

// A number in [0, radix) from one digit.
std::uint64_t round_hash(std::uint64_t key, int round, std::uint64_t digit, std::uint64_t radix) {
  const std::uint64_t round_key = key + kRoundStep * static_cast<std::uint64_t>(round);
  return static_cast<std::uint64_t>((static_cast<Uint128>(mix64(round_key ^ digit)) * radix) >> 64);
}

std::uint64_t add_modulo(std::uint64_t x, std::uint64_t y, std::uint64_t radix) {
  const std::uint64_t sum = x + y;
  return sum >= radix ? sum - radix : sum;
}

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t key) : n_(n), a_(1), b_(1), key_(key) {
  HEADRACE_DCHECK(n <= kMaxSize);
  if (n <= 1) return;
  a_ = ceil_sqrt(n);
  b_ = (n + a_ - 1) / a_;
}

std::uint64_t Permutation::at(std::uint64_t i) const {
  HEADRACE_DCHECK(i < n_);
  if (n_ <= 1) return i;
  const int rounds = n_ < kSmallSize ? kSmallRounds : kRounds;
  do {
    std::uint64_t x = i % a_;
    std::uint64_t y = i / a_;
    for (int round = 0; round < rounds; round += 2) {
      x = add_modulo(x, round_hash(key_, round, y, a_), a_);
      y = add_modulo(y, round_hash(key_, round + 1, x, b_), b_);
    }
    i = y * a_ + x;
  } while (i >= n_);
  return i;
}

}  // namespace headrace::shuffle
