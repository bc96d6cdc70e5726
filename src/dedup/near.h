// SPDX-License-Identifier: Apache-2.0
// Near duplicates: what is asked for, and the signature of one text.
//
// A text is the set of its shingles (dedup/shingles.h). Two texts are near duplicates when the
// Jaccard similarity of their sets, |A ∩ B| / |A ∪ B|, reaches a threshold. Signatures only find
// candidates: `permutations` values of a text, of which two texts share each one with a probability
// that is their similarity. Values go into bands of rows; texts that agree in a whole band are
// candidates, and candidates are compared by their true sets (dedup/near_index.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"
#include "dedup/shingles.h"

namespace headrace::dedup {

inline constexpr std::uint32_t kLeastPermutations = 16;
inline constexpr std::uint32_t kMostPermutations = 1024;

enum class SignatureMethod : std::uint8_t {
  kSketch,   // fast similarity sketching (Dahlgaard, Knudsen, Thorup 2017): one pass, and a smaller
             // error on short texts
  kMinHash,  // the minimum of each of `permutations` multiply-add hashes of 32 bits
};

// What the values of a signature depend on: signatures of other settings cannot be compared. All
// affect results.
struct SignatureSettings {
  SignatureMethod method = SignatureMethod::kSketch;
  std::uint32_t permutations = 128;  // kLeastPermutations to kMostPermutations, a multiple of 16
  std::uint32_t ngram = 0;  // words of a shingle, 1 to kMostNgram; 0 = by script and length

  bool operator==(const SignatureSettings&) const = default;
  // Of the settings and of how this version reads them: what a file of signatures is bound to.
  std::uint64_t fingerprint() const;
  // "sketch, 128 values, n-grams auto"
  std::string text() const;
};

// `count` bands of `rows` values: texts of similarity s are candidates with the probability
// 1 - (1 - s^rows)^count.
struct Bands {
  std::uint32_t count = 0;
  std::uint32_t rows = 0;

  bool operator==(const Bands&) const = default;
  double recall(double similarity) const;
};

struct NearOptions {
  SignatureSettings signature;
  double threshold = 0.8;  // similarity, 0.1 to 1; equal is a near duplicate
  Bands bands;             // 0: follows from the others, see complete()

  bool operator==(const NearOptions&) const = default;
};

// Fills in what is 0 of the bands: the most rows for which all bands that fit find 995 of 1000
// pairs at the threshold itself (pairs above it are found more often still). With `count` or `rows`
// given, the other is as many as fit. invalid_argument for settings that cannot be.
Result<void> complete(NearOptions* options);

// What one n-gram length says of one text.
struct Signature {
  std::uint32_t ngram = 0;     // words of a shingle
  std::uint32_t shingles = 0;  // with repeats; at least 1
  Hash128 set;                 // of the shingles with repeats, in any order: copies have the same
  // `permutations` values; only their low 16 bits are kept, so two different ones are taken for
  // equal once in 65,536 times.
  std::span<const std::uint16_t> values;
};

// Signs texts. One per thread; single-threaded.
class Signer {
 public:
  explicit Signer(const SignatureSettings& settings);

  // The signatures of a text: none where it has no words; two where it lies near a border between
  // n-gram lengths, so that it meets texts on both sides of it. Valid until the next call.
  std::span<const Signature> sign(const TextView& view);

 private:
  void sketch(std::span<const std::uint64_t> shingles, std::uint16_t* values);
  void min_hash(std::span<const std::uint64_t> shingles, std::uint16_t* values);

  SignatureSettings settings_;
  Shingler shingler_;
  std::vector<std::uint64_t> bins_;
  std::vector<std::uint64_t> hashes_;    // of a round
  std::vector<std::uint32_t> multiply_;  // of kMinHash, as the next two
  std::vector<std::uint32_t> add_;
  std::vector<std::uint32_t> minima_;
  std::vector<std::uint16_t> values_;
  std::array<Signature, 2> signatures_;
};

// Of two signatures' values, the share that is equal: an estimate of the similarity with a standard
// error of sqrt(s (1 - s) / permutations) or less.
double estimated_similarity(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b);

}  // namespace headrace::dedup
