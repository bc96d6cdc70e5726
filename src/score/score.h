// SPDX-License-Identifier: Apache-2.0
// A text → what a model says of it: one number, and for some kinds a label. One kind of scorer per
// file; each scorer is a column of the run, kept for every document.
//
// Models are opened once and shared; a thread scores through a session of its own. Texts come in
// batches, because some models (transformers, anything on a device or in another process) are fast
// only so; others take them one by one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"
#include "base/options.h"
#include "base/registry.h"
#include "record/sequence_tokenizer.h"

namespace headrace::score {

inline constexpr std::int32_t kNoLabel = -1;

struct Score {
  // NaN: there is none. A text that is too short for a verdict is undetermined, and a model may
  // fail on one text; neither is ever a guess, and no threshold keeps or drops by it unless a rule
  // says so.
  double value = std::numeric_limits<double>::quiet_NaN();
  std::int32_t label = kNoLabel;  // index in Scorer::labels()
};

// A number that is not finite is none.
inline double finite_or_none(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

// One thread's way to score: its buffers. Not thread-safe; lives no longer than its scorer.
class Session {
 public:
  virtual ~Session() = default;
  // scores[i] of texts[i], the same whatever stands in the batch beside it. An error is one of the
  // model or the machine, never of a text: a text that can not be scored has no value.
  virtual Result<void> score(std::span<const std::string_view> texts, std::span<Score> scores) = 0;
};

// Read-only: thread-safe.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // Empty for kinds that give no label.
  virtual const std::vector<std::string>& labels() const = 0;
  // Of the model's bytes and of all options that affect results: the column's lineage.
  virtual Hash128 fingerprint() const = 0;
  virtual Result<std::unique_ptr<Session>> start() const = 0;
};

// What a kind may need from rooms that `score` does not know: the driver hands it in.
struct ScorerServices {
  const SequenceTokenizers* tokenizers = nullptr;  // for kinds that read tokens; outlives the call
};

// Where the values of a kind lie, and which end of them is good.
struct ScoreRange {
  double least = 0;
  double most = 1;
  bool low_is_better = false;
};

struct ScorerInfo {
  std::string name;     // the kind: "language"
  std::string summary;  // one sentence: what the value is, and when there is none
  std::vector<OptionInfo> options;
  // Opens the model. Options are complete and allowed.
  Result<std::unique_ptr<Scorer>> (*make)(const OptionValues& options,
                                          const ScorerServices& services);
  ScoreRange range = {};  // a probability, unless it says otherwise
};

using Registry = headrace::Registry<ScorerInfo>;

void register_all(Registry& registry);
const Registry& registry();

// Makes a scorer by kind; unknown kinds and options are errors with a suggestion.
Result<std::unique_ptr<Scorer>> make_scorer(std::string_view kind, const OptionValues& options,
                                            const ScorerServices& services = {});

}  // namespace headrace::score
