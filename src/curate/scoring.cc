// SPDX-License-Identifier: Apache-2.0
#include "curate/scoring.h"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/recipe_score.h"
#include "io/file.h"
#include "io/uri.h"
#include "score/model_card.h"
#include "score/model_kind.h"
#include "score/trainer.h"
#include "tokenize/sequence_tokenizer.h"

namespace headrace {
namespace curate {
namespace {

// Enough for a batch of a transformer, sorted by length, and for threads to share.
constexpr std::size_t kTextsPerJob = 256;

Result<std::string> kind_of(const std::string& model, const std::optional<ModelCard>& card) {
  if (card && score::registry().find(card->kind) != nullptr) return card->kind;
  if (card) {
    const score::TrainerInfo* trainer = score::trainers().find(card->kind);
    return unsupported(
        "{} is a model of the kind {}, which this command cannot open{}: score the texts there, "
        "and measure the scores with 'headrace score eval --scores FILE'",
        model, card->kind,
        trainer != nullptr && !trainer->elsewhere.empty()
            ? fmt::format(" (it is trained by {})", trainer->elsewhere)
            : "");
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::string kind, score::kind_of_file(model));
  if (!kind.empty()) return kind;
  return invalid_argument(
      "the kind of the model {} cannot be told by its first bytes, nor by its name, and it has no "
      "card: say it by --kind ({})",
      model, fmt::join(score::registry().names(), ", "));
}

std::vector<ScoreKind::Option> options_of(const std::vector<OptionInfo>& options) {
  std::vector<ScoreKind::Option> made;
  for (const OptionInfo& option : options)
    made.push_back({option.name, option.default_value, option.allowed, option.summary});
  return made;
}

}  // namespace

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code none;
  if (output.empty() || io::is_remote(output)) return {};
  if (std::filesystem::is_directory(output, none))
    return invalid_argument("{} is a folder, and a file would be written there", output);
  if (const auto created = io::AtomicFile::create(output); !created)
    return created.error().with_context("the output");
  if (!std::filesystem::exists(output, none)) return {};
  for (const std::string& input : inputs) {
    if (input.empty() || io::is_remote(input)) continue;
    for (const std::string& path : {input, score::card_path(input)}) {
      const auto files = io::glob(path);
      if (!files) continue;  // opening it says why
      for (const std::string& file : *files) {
        if (!std::filesystem::equivalent(output, file, none)) continue;
        return invalid_argument(
            "{} would be written over, and {} is read for it: name another file", output, file);
      }
    }
  }
  return {};
}

Result<void> check_model(const std::string& model, const std::string& kind) {
  const auto info = io::file_info(model);
  if (info || info.error().code() != Code::kNotFound) return {};  // opening it says what is wrong
  const score::TrainerInfo* const trainer = score::trainers().find(kind);
  const std::string how = kind == kLanguageKind ? "fastText's lid.176.ftz is one"
                          : trainer != nullptr && !trainer->elsewhere.empty()
                              ? trainer->elsewhere + " makes one"
                              : fmt::format("'headrace score train{} --output {}' makes one",
                                            trainer != nullptr ? " --kind " + kind : "", model);
  return not_found("the model {} is not there: {}", model, how);
}

Result<std::optional<ModelCard>> card_of(const std::string& model) {
  if (auto card = score::read_card(model)) {
    return *std::move(card);
  } else if (card.error().code() != Code::kNotFound) {
    return card.error();
  }
  return std::nullopt;
}

Result<std::unique_ptr<score::Scorer>> open_scorer(const std::string& kind,
                                                   const OptionValues& options,
                                                   const std::optional<ModelCard>& card) {
  const bool knows = card && card->kind == kind;
  return score::make_scorer(kind, knows ? score::options_with_card(kind, *card, options) : options,
                            {.tokenizers = &tokenize::sequence_tokenizers()});
}

Result<OpenedModel> open_model(const std::string& model, const std::string& kind,
                               const OptionValues& options, const std::string& positive) {
  if (model.empty()) return invalid_argument("a model is needed: --model FILE");
  HEADRACE_RETURN_IF_ERROR(check_model(model, kind));
  OpenedModel opened;
  HEADRACE_ASSIGN_OR_RETURN(opened.card, card_of(model));
  opened.kind = kind;
  if (kind.empty()) {
    HEADRACE_ASSIGN_OR_RETURN(opened.kind, kind_of(model, opened.card));
  }
  OptionValues values = options;
  values["model"] = model;
  if (const auto* info = score::registry().find(opened.kind);
      info != nullptr && !positive.empty()) {
    for (const OptionInfo& option : info->options) {
      if (option.name == "label" || option.name == "positive")
        values.try_emplace(option.name, positive);
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(opened.scorer, open_scorer(opened.kind, values, opened.card));
  return opened;
}

void TextBatch::add(std::string text) {
  bytes_ += text.size();
  texts_.push_back(std::move(text));
}

Result<void> TextBatch::score(score::Session& session) {
  const std::vector<std::string_view> views(texts_.begin(), texts_.end());
  scores_.assign(views.size(), {});
  HEADRACE_RETURN_IF_ERROR(session.score(views, scores_));
  for (score::Score& score : scores_) score.value = score::finite_or_none(score.value);
  return {};
}

void TextBatch::clear() {
  texts_.clear();
  scores_.clear();
  bytes_ = 0;
}

Result<std::vector<double>> score_texts(const score::Scorer& scorer,
                                        std::span<const std::string_view> texts,
                                        std::size_t threads, std::stop_token stop,
                                        Progress* progress) {
  std::vector<double> values(texts.size());
  const std::size_t jobs = (texts.size() + kTextsPerJob - 1) / kTextsPerJob;
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(jobs, thread_count(threads), stop, [&](std::size_t job) -> Result<void> {
        const std::size_t begin = job * kTextsPerJob;
        const std::size_t count = std::min(kTextsPerJob, texts.size() - begin);
        HEADRACE_ASSIGN_OR_RETURN(const auto session, scorer.start());
        std::vector<score::Score> scores(count);
        HEADRACE_RETURN_IF_ERROR(session->score(texts.subspan(begin, count), scores));
        for (std::size_t i = 0; i < count; ++i) {
          values[begin + i] = score::finite_or_none(scores[i].value);
        }
        progress->add(count);
        return {};
      }));
  if (stop.stop_requested()) return cancelled("stopped while scoring");
  return values;
}

}  // namespace curate

std::vector<ScoreKind> score_kinds() {
  std::vector<ScoreKind> kinds;
  for (const score::ScorerInfo& info : score::registry().all())
    kinds.push_back({info.name, info.summary, curate::options_of(info.options), ""});
  return kinds;
}

std::vector<ScoreKind> score_trainers() {
  std::vector<ScoreKind> kinds;
  for (const score::TrainerInfo& info : score::trainers().all())
    kinds.push_back({info.name, info.summary, curate::options_of(info.options), info.elsewhere});
  return kinds;
}

}  // namespace headrace
