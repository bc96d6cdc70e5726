// SPDX-License-Identifier: Apache-2.0
// A model file → a scorer, and texts → scores, for the functions of headrace/score.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"
#include "headrace/score.h"

#include "base/options.h"
#include "base/progress.h"
#include "score/score.h"

namespace headrace::curate {

struct OpenedModel {
  std::unique_ptr<score::Scorer> scorer;
  std::string kind;
  std::optional<ModelCard> card;
};

// Refuses, before any work, an output that is one of the files (paths or globs) that are read for
// it, or a card, and one that cannot be written.
Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs);

// The card beside a model, where there is one.
Result<std::optional<ModelCard>> card_of(const std::string& model);

// not_found for a model that is not there; the message says what makes one of the kind.
Result<void> check_model(const std::string& model, const std::string& kind);

// A scorer with all that this program has for it. Options that are not given come from the card, if
// it is one of the kind.
Result<std::unique_ptr<score::Scorer>> open_scorer(const std::string& kind,
                                                   const OptionValues& options,
                                                   const std::optional<ModelCard>& card);

// `kind` "" = as the card says, else by the file's first bytes and name. `positive` goes to kinds
// that take one (or a `label`), and to no others.
Result<OpenedModel> open_model(const std::string& model, const std::string& kind,
                               const OptionValues& options, const std::string& positive);

// Texts that go through a model together: enough that one that sorts them by length finds some of
// about one length.
class TextBatch {
 public:
  void add(std::string text);
  bool full() const { return texts_.size() >= kTexts || bytes_ >= kBytes; }
  std::size_t bytes() const { return bytes_; }
  Result<void> score(score::Session& session);
  // Of each text, once they are scored; what is not finite is NaN.
  const std::vector<score::Score>& scores() const { return scores_; }
  void clear();

 private:
  static constexpr std::size_t kTexts = 256;
  static constexpr std::size_t kBytes = 1 << 20;

  std::vector<std::string> texts_;
  std::vector<score::Score> scores_;
  std::size_t bytes_ = 0;
};

// The value of each text; what is not finite is NaN. The same for any number of threads.
Result<std::vector<double>> score_texts(const score::Scorer& scorer,
                                        std::span<const std::string_view> texts,
                                        std::size_t threads, std::stop_token stop,
                                        Progress* progress);

// "fasttext.bin" of "models/fasttext.bin".
std::string file_name(const std::string& path);

}  // namespace headrace::curate
