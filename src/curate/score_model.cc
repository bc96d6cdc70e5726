// SPDX-License-Identifier: Apache-2.0
// Scores by a model of this process: one session a task, texts in batches.
#include "base/error.h"
#include "curate/context.h"
#include "curate/part_rows.h"
#include "curate/score_source.h"
#include "curate/scoring.h"
#include "score/score.h"

namespace headrace::curate {
namespace {

class Batch {
 public:
  Batch(const score::Scorer& scorer, score::Session& session, ScoredPart* scores)
      : labels_(scorer.labels()), session_(session), scores_(*scores) {}

  void add(std::size_t row, std::string text) {
    rows_.push_back(row);
    texts_.add(std::move(text));
  }
  bool full() const { return texts_.full(); }

  Result<void> score() {
    HEADRACE_RETURN_IF_ERROR(texts_.score(session_));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const score::Score& found = texts_.scores()[i];
      scores_.set(rows_[i], found.value,
                  found.label == score::kNoLabel
                      ? std::string_view()
                      : labels_.at(static_cast<std::size_t>(found.label)));
    }
    rows_.clear();
    texts_.clear();
    return {};
  }

 private:
  const std::vector<std::string>& labels_;
  score::Session& session_;
  ScoredPart& scores_;
  std::vector<std::size_t> rows_;
  TextBatch texts_;
};

class ModelSource final : public ScoreSource {
 public:
  explicit ModelSource(std::unique_ptr<score::Scorer> scorer)
      : scorer_(std::move(scorer)), fingerprint_(to_hex(scorer_->fingerprint())) {}

  const std::string& fingerprint() const override { return fingerprint_; }

  Result<void> score(const Context& context, const RowsToScore& wanted,
                     ScoredPart* scores) override {
    HEADRACE_ASSIGN_OR_RETURN(const auto session, scorer_->start());
    Batch batch(*scorer_, *session, scores);
    Result<void> scored;
    HEADRACE_RETURN_IF_ERROR(for_each_text(
        context, wanted.part, wanted.rows,
        [&](std::size_t row, RowText& text) {
          batch.add(row, std::move(text.text));
          if (!batch.full()) return true;
          scored =
              context.stop.stop_requested() ? cancelled("stopped while scoring") : batch.score();
          return scored.has_value();
        },
        TextFields::kText));
    HEADRACE_RETURN_IF_ERROR(scored);
    return batch.score();
  }

 private:
  std::unique_ptr<score::Scorer> scorer_;
  std::string fingerprint_;
};

}  // namespace

Result<std::unique_ptr<ScoreSource>> open_model_source(const ScoreSpec& spec,
                                                       const std::optional<ModelCard>& card) {
  HEADRACE_ASSIGN_OR_RETURN(auto scorer, open_scorer(spec.kind, spec.options, card));
  return std::make_unique<ModelSource>(std::move(scorer));
}

}  // namespace headrace::curate
