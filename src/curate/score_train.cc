// SPDX-License-Identifier: Apache-2.0
// headrace score train: labelled texts → a model, measured on texts that it has not seen, and its
// card.
//
// Which texts are held out follows from a keyed hash of each text, white space left aside: the same
// text cannot stand on both sides, however often and in whatever file it comes, and a file that
// grows moves no text from one side to the other.
#include <charconv>
#include <set>

#include <nlohmann/json.hpp>

#include "headrace/score.h"
#include "headrace/version.h"

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/hash.h"
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

std::uint64_t text_key(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') letters += c;
  }
  return hash64(letters);
}

// Nothing where `text` names a file.
std::optional<double> share_of(const std::string& text) {
  double share = 0;
  const bool percent = text.ends_with('%');
  const char* end = text.data() + text.size() - (percent ? 1 : 0);
  const auto [at, error] = std::from_chars(text.data(), end, share);
  if (error != std::errc() || at != end) return std::nullopt;
  return percent ? share / 100 : share;
}

struct Parts {
  LabelledRows training;
  LabelledRows validation;  // no rows: none is wanted
};

LabelledRows without_rows(const LabelledRows& from) {
  LabelledRows made;
  made.files = from.files;
  return made;
}

Result<Parts> hold_out(LabelledRows all, double share, std::uint64_t seed) {
  if (!(share >= 0 && share < 1)) {
    return invalid_argument("--validation is {}: it takes a share from 0 to less than 1, or a file",
                            share);
  }
  const CounterRng rng(seed, purpose("score_validation"));
  Parts parts{without_rows(all), without_rows(all)};
  for (LabelledRow& row : all.rows) {
    const bool held_out = rng.unit(text_key(row.text)) < share;
    (held_out ? parts.validation : parts.training).rows.push_back(std::move(row));
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

std::string training_json(const ScoreTrainOptions& options, const OptionValues& values,
                          const LabelledRows& training) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = typed(value);
  json["validation"] = typed(options.validation);
  json["validation_seed"] = options.seed;
  json["data"] = {{"files", training.files},
                  {"documents", training.rows.size()},
                  {"by_label", training.counts.by_label}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> train_model(const score::TrainerInfo& trainer, const ScoreTrainOptions& options,
                         const LabelledRows& training, const OptionValues& values,
                         const std::string& path) {
  std::vector<score::LabelledText> texts;
  for (const LabelledRow& row : training.rows) texts.push_back({row.text, row.label});
  Progress progress("train", 1, "",
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  HEADRACE_RETURN_IF_ERROR(trainer.train(texts, values, path));
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
  HEADRACE_ASSIGN_OR_RETURN(
      LabelledRows all, read_labelled(options.data, Join::kTexts, options.threads, options.stop));
  result.data = all.counts;
  HEADRACE_ASSIGN_OR_RETURN(const std::string positive,
                            choose_positive(all.counts, options.positive));
  const std::optional<double> share = share_of(options.validation);
  HEADRACE_ASSIGN_OR_RETURN(Parts parts,
                            share ? hold_out(std::move(all), *share, options.seed)
                                  : hold_out_file(std::move(all), options, &result.leaked));
  count(&parts.training);
  count(&parts.validation);
  const bool evaluates = !share || *share > 0;
  HEADRACE_RETURN_IF_ERROR(check_part(parts.training, "training", positive));
  if (evaluates) HEADRACE_RETURN_IF_ERROR(check_part(parts.validation, "validation", positive));
  result.trained = parts.training.rows.size();
  result.held_out = parts.validation.rows.size();

  HEADRACE_RETURN_IF_ERROR(train_model(*trainer, options, parts.training, values, result.model));
  ModelCard& card = result.card;
  card.kind = options.kind;
  card.model = file_name(result.model);
  HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(result.model));
  card.xxh3_128 = to_hex(hash);
  card.positive = positive;
  for (const auto& [label, documents] : parts.training.counts.by_label)
    card.labels.push_back(label);
  card.made_by = fmt::format("headrace {}", version());
  card.training = training_json(options, values, parts.training);
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
}  // namespace curate

Result<ScoreTrainResult> train_score(const ScoreTrainOptions& options) {
  return curate::train(options);
}

}  // namespace headrace
