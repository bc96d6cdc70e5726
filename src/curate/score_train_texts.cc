// SPDX-License-Identifier: Apache-2.0
// headrace score train for kinds without labels: the files are read once for the training and once
// for what was held out, so that no text need be kept.
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/progress.h"
#include "curate/file_inputs.h"
#include "curate/held_out.h"
#include "curate/score_train.h"
#include "score/model_card.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

class TextSink final : public read::RecordSink {
 public:
  explicit TextSink(const score::TakeText& take) : take_(take) {}

  Result<void> document(Document& document) override { return take_(document.text); }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_count;
    return {};
  }

  std::uint64_t rejected_count = 0;

 private:
  const score::TakeText& take_;
};

Result<std::unique_ptr<Context>> open_texts(const ScoreTrainOptions& options,
                                            const std::vector<std::string>& files) {
  return open_files({.paths = files,
                     .text = options.data.text,
                     .keep = std::vector<std::string>{},
                     .threads = options.threads,
                     .stop = options.stop});
}

Result<void> each_text(const Context& context, const ScoreTrainOptions& options,
                       std::string_view doing, const score::TakeText& take,
                       std::uint64_t* rejected = nullptr) {
  std::uint64_t bytes = 0;
  for (const InputTask& task : context.tasks) bytes += task.bytes;
  Progress progress(std::string(doing), bytes, kBytes,
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  TextSink sink(take);
  for (const InputTask& task : context.tasks) {
    for (const read::Split& split : task.splits) {
      HEADRACE_RETURN_IF_ERROR(context.readers->of(split.file).read(split, sink, options.stop));
      if (options.stop.stop_requested()) return cancelled("stopped while reading texts");
      progress.add(split.bytes);
    }
  }
  if (rejected != nullptr) *rejected = sink.rejected_count;
  return {};
}

Result<void> check(const ScoreTrainOptions& options) {
  if (options.data.files.empty()) return invalid_argument("texts are needed: --data FILE");
  if (!options.positive.empty()) {
    return invalid_argument("the kind {} has no labels, so none is the positive one, '{}'",
                            options.kind, options.positive);
  }
  if (options.data.run.empty()) return {};
  return invalid_argument(
      "the kind {} takes its texts from files: 'headrace cat {} --kept' writes those of a run",
      options.kind, options.data.run);
}

std::vector<std::string> paths_of(const Context& context) {
  std::vector<std::string> paths;
  for (const InputFile& file : context.files) paths.push_back(file.path);
  return paths;
}

}  // namespace

Result<ScoreTrainResult> train_on_texts(const score::TrainerInfo& trainer,
                                        const ScoreTrainOptions& options,
                                        const OptionValues& values, const std::string& model) {
  HEADRACE_RETURN_IF_ERROR(check(options));
  ScoreTrainResult result;
  result.model = model;
  HEADRACE_ASSIGN_OR_RETURN(const auto share, validation_share(options.validation));
  HEADRACE_ASSIGN_OR_RETURN(const auto texts, open_texts(options, options.data.files));
  std::unique_ptr<Context> others;  // a file to measure on
  std::unordered_set<std::uint64_t> known;
  if (!share) {
    HEADRACE_ASSIGN_OR_RETURN(others, open_texts(options, {options.validation}));
    HEADRACE_RETURN_IF_ERROR(each_text(
        *others, options, "read",
        [&](std::string_view text) -> Result<void> {
          known.insert(text_key(text));
          ++result.validation.documents;
          return {};
        },
        &result.validation.rejected));
  }
  const HeldOutShare held_out(share.value_or(0), options.seed);
  const auto trains = [&](std::string_view text) {
    return share ? !held_out.holds(text) : !known.contains(text_key(text));
  };

  std::uint64_t left_out = 0;
  const score::EachText training = [&](const score::TakeText& take) {
    return each_text(
        *texts, options, "train",
        [&](std::string_view text) -> Result<void> {
          ++result.data.documents;
          if (!trains(text)) {
            ++left_out;
            return {};
          }
          ++result.trained;
          return take(text);
        },
        &result.data.rejected);
  };
  HEADRACE_RETURN_IF_ERROR(trainer.train_texts(training, values, model, options.stop));
  if (!share) result.leaked = left_out;

  Json about = {{"data", {{"files", paths_of(*texts)}, {"documents", result.trained}}}};
  HEADRACE_ASSIGN_OR_RETURN(result.card, card_of_training(options, values, model, about));
  result.card_path = score::card_path(model);
  // Before the measurement: a card of an earlier model would say what is not true of this one.
  HEADRACE_RETURN_IF_ERROR(score::write_card(result.card, model));
  if (share && *share == 0) return result;
  const score::EachText unseen = [&](const score::TakeText& take) {
    return each_text(share ? *texts : *others, options, "measure",
                     [&](std::string_view text) -> Result<void> {
                       if (share && trains(text)) return {};
                       ++result.held_out;
                       return take(text);
                     });
  };
  HEADRACE_ASSIGN_OR_RETURN(result.measured, trainer.measure_texts(unseen, values, model));
  about["held_out"] = {{"documents", result.held_out}};
  for (const auto& [name, value] : result.measured) about["held_out"][name] = value;
  HEADRACE_ASSIGN_OR_RETURN(result.card, card_of_training(options, values, model, about));
  HEADRACE_RETURN_IF_ERROR(score::write_card(result.card, model));
  return result;
}

}  // namespace headrace::curate
