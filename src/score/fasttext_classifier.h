// SPDX-License-Identifier: Apache-2.0
// What a supervised fastText model says of a text: the labels and scores of libfasttext 0.9.2, many
// times as fast.
//
// A text is one line: newlines are blanks, and the token of its end, </s>, is always there, as the
// Python package has it. As in fastText a token </s> in the text ends it, and tokens that look like
// labels (__label__...) do not count.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "record/simd_level.h"
#include "score/fasttext_model.h"

namespace headrace::score {

struct Prediction {
  std::int32_t label = -1;  // index in labels()
  float score = 0;          // as fastText reports it: up to 1e-5 more than the probability, with
                            // hierarchical softmax for each node on the way to the label
};

// Read-only once made: thread-safe, one for all threads.
class FastTextClassifier {
 public:
  // Memory for one thread.
  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

   private:
    friend class FastTextClassifier;
    struct Memory;
    std::unique_ptr<Memory> memory_;
  };

  // Errors of read_fasttext_model(); unsupported for a model that is not supervised; corrupt for
  // weights that are not finite numbers. `level` above what the machine has is lowered to it: speed
  // only, all levels give the same scores bit for bit.
  static Result<FastTextClassifier> open(const std::string& path,
                                         SimdLevel level = best_simd_level());
  // The same for a model in memory; `name` is what messages call it.
  static Result<FastTextClassifier> make(FastTextModel model, std::string_view name,
                                         SimdLevel level = best_simd_level());
  ~FastTextClassifier();
  FastTextClassifier(FastTextClassifier&&) noexcept;
  FastTextClassifier& operator=(FastTextClassifier&&) noexcept;

  // Without __label__, in the order of the file.
  const std::vector<std::string>& labels() const { return labels_; }
  // XXH3-128 of the file: goes into the lineage of all that was scored with it.
  Hash128 fingerprint() const { return fingerprint_; }
  // Which of the three ways the model takes: "rows of 16" (language models), "folded" (two classes
  // of words and their runs), "full rows" (all others).
  std::string_view way() const;

  // Fills `best` with the labels of the highest scores, best first, and returns how many there are;
  // fewer than asked when there are fewer labels or, with hierarchical softmax, when the others are
  // below 1e-5; none for a text of which the model knows nothing. Equal scores: the earlier label.
  std::size_t predict(std::string_view text, Scratch* scratch, std::span<Prediction> best) const;

 private:
  struct Parts;
  FastTextClassifier();

  std::vector<std::string> labels_;
  Hash128 fingerprint_;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace headrace::score
