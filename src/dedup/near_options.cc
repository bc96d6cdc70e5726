// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "dedup/near.h"
#include "dedup/simhash_keys.h"

namespace headrace::dedup {
namespace {

constexpr double kWantedRecall = 0.995;  // at the threshold itself

constexpr std::uint32_t kSignatureVersion = 1;

// Keys and bands are those of the tables in which near hashes meet.
Result<void> complete_simhash(NearOptions* options) {
  SignatureSettings& signature = options->signature;
  if (signature.radius > kLargestRadius)
    return invalid_argument("radius must be from 0 to {}, not {}", kLargestRadius,
                            signature.radius);
  const SimhashKeys keys(signature.radius);
  options->bands = keys.bands();
  signature.permutations = keys.values();
  return {};
}

}  // namespace

std::uint64_t SignatureSettings::fingerprint() const {
  const std::string all = fmt::format("{} {} {} {} {} {} {} {} {}", kSignatureVersion,
                                      kShingleVersion, static_cast<int>(method), permutations,
                                      ngram, kLongNgram, kShortHanNgram, kShortHanWords, "low 16");
  return hash64(method == SignatureMethod::kSimhash ? fmt::format("{} radius {}", all, radius)
                                                    : all);
}

std::string SignatureSettings::text() const {
  if (method == SignatureMethod::kSimhash) {
    return fmt::format("simhash, radius {}, n-grams of {}", radius,
                       ngram == 0 ? std::string("3 or 5 words") : fmt::format("{} words", ngram));
  }
  return fmt::format("{}, {} values, n-grams of {}",
                     method == SignatureMethod::kSketch ? "sketch" : "minhash", permutations,
                     ngram == 0 ? std::string("3 or 5 words") : fmt::format("{} words", ngram));
}

double Bands::recall(double similarity) const {
  return 1 - std::pow(1 - std::pow(similarity, rows), count);
}

Result<void> complete(NearOptions* options) {
  if (options->signature.method == SignatureMethod::kSimhash)
    HEADRACE_RETURN_IF_ERROR(complete_simhash(options));
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
  if (bands.rows == 0 && bands.count > 0)
    bands.rows = std::max<std::uint32_t>(1, permutations / bands.count);
  if (bands.count == 0 && bands.rows > 0)
    bands.count = std::max<std::uint32_t>(1, permutations / bands.rows);
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
