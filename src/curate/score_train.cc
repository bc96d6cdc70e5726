// SPDX-License-Identifier: Apache-2.0
// headrace score train: labelled texts → a model, measured on texts that it has not seen, and its
// card.
#include "curate/score_train.h"

#include <set>

#include <nlohmann/json.hpp>

#include "headrace/version.h"

#include "base/error.h"
#include "base/hash.h"
#include "curate/held_out.h"
#include "curate/labelled_texts.h"
#include "curate/scoring.h"
#include "io/file.h"
#include "score/evaluate.h"
#include "score/model_card.h"
#include "score/trainer.h"

namespace headrace {
namespace curate {
namespace {

using Json = nlohmann::ordered_json;

struct Parts {
  LabelledRows training;
  LabelledRows validation;  // no rows: none is wanted
};

LabelledRows without_rows(const LabelledRows& from) {
  LabelledRows made;
  made.files = from.files;
  return made;
}

Parts hold_out(LabelledRows all, const HeldOutShare& held_out) {
  Parts parts{without_rows(all), without_rows(all)};
  for (LabelledRow& row : all.rows) {
    const bool is_held_out = held_out.holds(row.text);
    (is_held_out ? parts.validation : parts.training).rows.push_back(std::move(row));
  }
  return parts;
}

Result<Parts> hold_out_file(LabelledRows all, const ScoreTrainOptions& options,
                            std::uint64_t* leaked) {
  LabelledData data = options.data;
  data.files = {options.validation};
  auto validation = read_labelled(data, Join::kTexts, options.threads, options.stop);
  if (!validation) return validation.error().with_context("validation data");
  std::set<std::uint64_t> known;
  for (const LabelledRow& row : validation->rows) known.insert(text_key(row.text));
  Parts parts{without_rows(all), *std::move(validation)};
  for (LabelledRow& row : all.rows) {
    if (known.contains(text_key(row.text))) {
      ++*leaked;
    } else {
      parts.training.rows.push_back(std::move(row));
    }
  }
  return parts;
}

void count(LabelledRows* rows) {
  rows->counts.documents = rows->rows.size();
  rows->counts.by_label.clear();
  for (const LabelledRow& row : rows->rows) ++rows->counts.by_label[row.label];
}

Result<void> check_part(const LabelledRows& part, std::string_view name,
                        const std::string& positive) {
  const auto found = part.counts.by_label.find(positive);
  const std::uint64_t positives = found == part.counts.by_label.end() ? 0 : found->second;
  if (positives > 0 && positives < part.rows.size()) return {};
  return invalid_argument(
      "the {} part has {} documents of the label '{}' and {} of others; both are needed: more "
      "labels, another --validation or --seed",
      name, positives, positive, part.rows.size() - positives);
}

// "2" → 2, "0.1" → 0.1, "split" → "split".
Json typed(const std::string& value) {
  const Json number = Json::parse(value, nullptr, false);
  return number.is_number() ? number : Json(value);
}

Result<void> train_model(const score::TrainerInfo& trainer, const ScoreTrainOptions& options,
                         const LabelledRows& training, const OptionValues& values,
                         const std::string& path) {
  std::vector<score::LabelledText> texts;
  for (const LabelledRow& row : training.rows) texts.push_back({row.text, row.label});
  Progress progress("train", 1, "",
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  HEADRACE_RETURN_IF_ERROR(trainer.train(texts, values, path, options.stop));
  progress.add(1);
  return {};
}

Result<ScoreEvaluation> evaluate_model(const ScoreTrainOptions& options, const std::string& model,
                                       const std::string& positive, const OptionValues& values,
                                       const LabelledRows& validation) {
  OptionValues scoring;
  const auto* kind = score::registry().find(options.kind);
  for (const OptionInfo& option : kind->options) {
    if (const auto at = values.find(option.name); at != values.end()) scoring.insert(*at);
  }
  HEADRACE_ASSIGN_OR_RETURN(const OpenedModel opened,
                            open_model(model, options.kind, scoring, positive));
  std::vector<std::string_view> texts;
  for (const LabelledRow& row : validation.rows) texts.push_back(row.text);
  Progress progress("evaluate", texts.size(), "documents",
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  HEADRACE_ASSIGN_OR_RETURN(
      const auto values_of_texts,
      score_texts(*opened.scorer, texts, options.threads, options.stop, &progress));
  const auto wanted = positives_of(validation.rows, positive);
  HEADRACE_ASSIGN_OR_RETURN(ScoreEvaluation made,
                            evaluate_scores(values_of_texts, {wanted.get(), texts.size()},
                                            options.recalls, options.seed));
  made.files = validation.files;
  return made;
}

Result<ScoreTrainResult> train(const ScoreTrainOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(const score::TrainerInfo* trainer, score::find_trainer(options.kind));
  HEADRACE_ASSIGN_OR_RETURN(const OptionValues values,
                            complete_options(options.kind, trainer->options, options.options));
  ScoreTrainResult result;
  result.model = options.output.empty() ? "quality" + trainer->extension : options.output;
  std::vector<std::string> read = options.data.files;
  read.push_back(options.validation);
  for (const std::string& path : {result.model, score::card_path(result.model)})
    HEADRACE_RETURN_IF_ERROR(check_output(path, read));
  if (trainer->train_texts != nullptr)
    return train_on_texts(*trainer, options, values, result.model);
  HEADRACE_ASSIGN_OR_RETURN(
      LabelledRows all, read_labelled(options.data, Join::kTexts, options.threads, options.stop));
  result.data = all.counts;
  HEADRACE_ASSIGN_OR_RETURN(const std::string positive,
                            choose_positive(all.counts, options.positive));
  HEADRACE_ASSIGN_OR_RETURN(const auto share, validation_share(options.validation));
  Parts parts;
  if (share) {
    parts = hold_out(std::move(all), HeldOutShare(*share, options.seed));
  } else {
    HEADRACE_ASSIGN_OR_RETURN(parts, hold_out_file(std::move(all), options, &result.leaked));
    result.validation = parts.validation.counts;
  }
  count(&parts.training);
  count(&parts.validation);
  const bool evaluates = !share || *share > 0;
  HEADRACE_RETURN_IF_ERROR(check_part(parts.training, "training", positive));
  if (evaluates) HEADRACE_RETURN_IF_ERROR(check_part(parts.validation, "validation", positive));
  result.trained = parts.training.rows.size();
  result.held_out = parts.validation.rows.size();

  HEADRACE_RETURN_IF_ERROR(train_model(*trainer, options, parts.training, values, result.model));
  const Json about = {{"data",
                       {{"files", parts.training.files},
                        {"documents", parts.training.rows.size()},
                        {"by_label", parts.training.counts.by_label}}}};
  ModelCard& card = result.card;
  HEADRACE_ASSIGN_OR_RETURN(card, card_of_training(options, values, result.model, about));
  card.positive = positive;
  for (const auto& [label, documents] : parts.training.counts.by_label)
    card.labels.push_back(label);
  result.card_path = score::card_path(result.model);
  // Before the evaluation: a card of an earlier model would say what is not true of this one.
  HEADRACE_RETURN_IF_ERROR(score::write_card(card, result.model));
  if (!evaluates) return result;
  HEADRACE_ASSIGN_OR_RETURN(
      card.evaluation, evaluate_model(options, result.model, positive, values, parts.validation));
  HEADRACE_RETURN_IF_ERROR(score::write_card(card, result.model));
  return result;
}

}  // namespace

Result<ModelCard> card_of_training(const ScoreTrainOptions& options, const OptionValues& values,
                                   const std::string& model, const Json& about) {
  ModelCard card;
  card.kind = options.kind;
  card.model = file_name(model);
  HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(model));
  card.xxh3_128 = to_hex(hash);
  card.made_by = fmt::format("headrace {}", version());
  Json training = Json::object();
  for (const auto& [name, value] : values) training[name] = typed(value);
  training["validation"] = typed(options.validation);
  training["validation_seed"] = options.seed;
  training.update(about);
  card.training = training.dump(-1, ' ', false, Json::error_handler_t::replace);
  return card;
}

}  // namespace curate

Result<ScoreTrainResult> train_score(const ScoreTrainOptions& options) {
  return curate::train(options);
}

}  // namespace headrace
