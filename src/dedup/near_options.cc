// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "dedup/near.h"

namespace headrace::dedup {
namespace {

constexpr double kWantedRecall = 0.995;  // at the threshold itself

constexpr std::uint32_t kSignatureVersion = 1;

}  // namespace

std::uint64_t SignatureSettings::fingerprint() const {
  const std::string all = fmt::format("{} {} {} {} {} {} {} {} {}", kSignatureVersion,
                                      kShingleVersion, static_cast<int>(method), permutations,
                                      ngram, kLongNgram, kShortHanNgram, kShortHanWords, "low 16");
  return hash64(all);
}

std::string SignatureSettings::text() const {
  return fmt::format("{}, {} values, n-grams of {}",
                     method == SignatureMethod::kSketch ? "sketch" : "minhash", permutations,
                     ngram == 0 ? std::string("3 or 5 words") : fmt::format("{} words", ngram));
}

double Bands::recall(double similarity) const {
  return 1 - std::pow(1 - std::pow(similarity, rows), count);
}

Result<void> complete(NearOptions* options) {
  const std::uint32_t permutations = options->signature.permutations;
  if (permutations < kLeastPermutations || permutations > kMostPermutations ||
      permutations % 16 != 0) {
    return invalid_argument("permutations must be a multiple of 16 from {} to {}, not {}",
                            kLeastPermutations, kMostPermutations, permutations);
  }
  if (options->signature.ngram > kMostNgram)
    return invalid_argument("n-grams have at most {} words, not {}", kMostNgram,
                            options->signature.ngram);
  if (!(options->threshold >= 0.1 && options->threshold <= 1))
    return invalid_argument("threshold must be from 0.1 to 1, not {}", options->threshold);
  Bands& bands = options->bands;
  if (std::max(bands.count, bands.rows) <= permutations) {
    if (bands.rows == 0 && bands.count > 0) bands.rows = permutations / bands.count;
    if (bands.count == 0 && bands.rows > 0) bands.count = permutations / bands.rows;
  }
  if (bands.count == 0) {
    bands = {permutations, 1};
    for (std::uint32_t rows = 2; rows <= permutations; ++rows) {
      const Bands tried{permutations / rows, rows};
      if (tried.recall(options->threshold) >= kWantedRecall) bands = tried;
    }
  }
  if (std::uint64_t{bands.count} * bands.rows > permutations) {
    return invalid_argument("{} bands of {} rows need {} permutations, not {}", bands.count,
                            bands.rows, std::uint64_t{bands.count} * bands.rows, permutations);
  }
  return {};
}

}  // namespace headrace::dedup
