// SPDX-License-Identifier: Apache-2.0
// Transformer: the probability of one class by a sequence classifier in ONNX, BERT or its like.
//
// A session sorts what it is given by length and runs texts of one padded length together, so
// little is spent on padding, and a text's score does not depend on the texts beside it. Some
// models break that by themselves: those exported with "dynamic quantization" scale by the largest
// number of the whole batch. That shows when a text is scored alone and beside another while the
// model is opened; such a model gets its texts one by one.
//
// One logit is that of the class itself (a sigmoid), more are those of all classes (a softmax). A
// logit that is no finite number makes a score that is none.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/thread_pool.h"
#include "io/file.h"
#include "score/inference.h"
#include "score/score.h"
#include "score/sequence_batches.h"
#include "score/transformer_settings.h"

namespace headrace::score {
namespace {

constexpr double kSameScore = 1e-4;

double probability(std::span<const float> logits, std::size_t positive) {
  const auto logit = [&](std::size_t i) {
    if (logits.size() == 1) return i == 0 ? 0.0 : static_cast<double>(logits[0]);
    return static_cast<double>(logits[i]);
  };
  double sum = 0;
  for (std::size_t i = 0; i < std::max<std::size_t>(logits.size(), 2); ++i) {
    sum += std::exp(logit(i) - logit(positive));
  }
  const bool valid = std::ranges::all_of(logits, [](float each) { return std::isfinite(each); });
  return valid ? 1 / sum : std::numeric_limits<double>::quiet_NaN();
}

class TransformerSession final : public Session {
 public:
  TransformerSession(const TransformerSettings& settings, std::unique_ptr<SequenceEncoder> encoder,
                     std::unique_ptr<InferenceRequest> request)
      : settings_(settings), encoder_(std::move(encoder)), request_(std::move(request)) {}

  Result<void> score(std::span<const std::string_view> texts, std::span<Score> scores) override {
    std::fill(scores.begin(), scores.end(), Score());
    sequences_.resize(std::max(sequences_.size(), texts.size()));
    places_.clear();
    lengths_.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::vector<std::int64_t>& ids = sequences_[i];
      if (!encoder_->encode(texts[i], settings_.max_length, &ids) || ids.empty()) continue;
      places_.push_back(i);
      lengths_.push_back(ids.size());
    }
    for (const SequenceBatch& batch :
         batches_by_length(lengths_, settings_.max_length, settings_.batch_tokens)) {
      HEADRACE_RETURN_IF_ERROR(run(batch));
      for (std::size_t row = 0; row < batch.rows.size(); ++row) {
        const auto logits = std::span(logits_).subspan(row * settings_.classes, settings_.classes);
        scores[places_[batch.rows[row]]].value = probability(logits, settings_.positive);
      }
    }
    return {};
  }

 private:
  Result<void> run(const SequenceBatch& batch) {
    ids_.assign(batch.rows.size() * batch.length, settings_.padding_id);
    mask_.assign(ids_.size(), 0);
    for (std::size_t row = 0; row < batch.rows.size(); ++row) {
      const std::vector<std::int64_t>& ids = sequences_[places_[batch.rows[row]]];
      const auto at = static_cast<std::ptrdiff_t>(row * batch.length);
      std::ranges::copy(ids, ids_.begin() + at);
      std::fill_n(mask_.begin() + at, ids.size(), 1);
    }
    logits_.resize(batch.rows.size() * settings_.classes);
    return request_->run({batch.rows.size(), batch.length, ids_, mask_}, logits_);
  }

  const TransformerSettings& settings_;
  std::unique_ptr<SequenceEncoder> encoder_;
  std::unique_ptr<InferenceRequest> request_;
  std::vector<std::vector<std::int64_t>> sequences_;  // by text
  std::vector<std::size_t> places_;                   // texts that have a sequence
  std::vector<std::size_t> lengths_;                  // of these
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> mask_;
  std::vector<float> logits_;
};

class Transformer final : public Scorer {
 public:
  Transformer(std::unique_ptr<InferenceModel> model, std::unique_ptr<SequenceTokenizer> tokenizer,
              const TransformerSettings& settings, Hash128 fingerprint)
      : model_(std::move(model)),
        tokenizer_(std::move(tokenizer)),
        settings_(settings),
        fingerprint_(fingerprint) {}

  const std::vector<std::string>& labels() const override {
    static const std::vector<std::string> none;
    return none;
  }
  Hash128 fingerprint() const override { return fingerprint_; }
  Result<std::unique_ptr<Session>> start() const override {
    HEADRACE_ASSIGN_OR_RETURN(auto request, model_->start());
    return std::make_unique<TransformerSession>(settings_, tokenizer_->start(), std::move(request));
  }

  // Runs the longest sequence, and one text alone and beside another.
  Result<void> try_out() {
    HEADRACE_ASSIGN_OR_RETURN(const auto request, model_->start());
    const std::size_t length = std::min<std::size_t>(kPaddedTo, settings_.max_length);
    const auto tokens = static_cast<std::int64_t>(tokenizer_->vocabulary_size());
    std::vector<std::int64_t> ids(std::max(settings_.max_length, 2 * length));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ids[i] = static_cast<std::int64_t>(i) * (tokens / 7 + 1) % tokens;
    }
    const std::vector<std::int64_t> mask(ids.size(), 1);
    const auto first = [&](std::size_t rows, std::size_t columns) -> Result<std::vector<float>> {
      std::vector<float> logits(rows * settings_.classes);
      const TokenBatch batch = {rows, columns, std::span(ids).first(rows * columns),
                                std::span(mask).first(rows * columns)};
      HEADRACE_RETURN_IF_ERROR(request->run(batch, logits));
      logits.resize(settings_.classes);
      return logits;
    };
    HEADRACE_RETURN_IF_ERROR(first(1, settings_.max_length));
    HEADRACE_ASSIGN_OR_RETURN(const auto alone, first(1, length));
    HEADRACE_ASSIGN_OR_RETURN(const auto beside, first(2, length));
    for (std::size_t i = 0; i < alone.size(); ++i) {
      if (std::abs(alone[i] - beside[i]) > kSameScore) settings_.batch_tokens = 1;
    }
    return {};
  }

 private:
  std::unique_ptr<InferenceModel> model_;
  std::unique_ptr<SequenceTokenizer> tokenizer_;
  TransformerSettings settings_;
  Hash128 fingerprint_;
};

Result<std::unique_ptr<Scorer>> open(const std::string& path, const OptionValues& options,
                                     const SequenceTokenizers& tokenizers) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string token_path, tokenizer_path(options, path));
  HEADRACE_ASSIGN_OR_RETURN(
      auto tokenizer, tokenizers.open(token_path, {.lowercase = options.at("lowercase") == "on"}));
  HEADRACE_ASSIGN_OR_RETURN(const std::string onnx, io::read_file(path));
  const bool quantized = options.at("quantized_activations") == "on";
  auto opened = open_inference_model(
      onnx, {.quantized_activations = quantized, .streams = static_cast<int>(thread_count(0))});
  if (!opened) return opened.error().with_context("model " + path);
  const ModelFacts& facts = (*opened)->facts();

  HEADRACE_RETURN_IF_ERROR(check_vocabulary(facts, *tokenizer, token_path));
  HEADRACE_ASSIGN_OR_RETURN(const TransformerSettings settings,
                            transformer_settings(options, facts, *tokenizer));
  const Hash128 fingerprint = hash128(fmt::format(
      "transformer {} {} {} {} {}", to_hex(hash128(onnx)), to_hex(tokenizer->fingerprint()),
      settings.max_length, settings.positive, quantized));
  auto scorer = std::make_unique<Transformer>(std::move(*opened), std::move(tokenizer), settings,
                                              fingerprint);
  if (const auto tried = scorer->try_out(); !tried) {
    return tried.error().with_context("model " + path);
  }
  return scorer;
}

Result<std::unique_ptr<Scorer>> make(const OptionValues& options, const ScorerServices& services) {
  const auto model = options.find("model");
  if (model == options.end()) {
    return invalid_argument(
        "score transformer: 'model' is needed: the path of a sequence classifier in ONNX");
  }
  if (services.tokenizers == nullptr) {
    return internal_error("score transformer: no tokenizers were handed in");
  }
  return open(model->second, options, *services.tokenizers);
}

}  // namespace

void register_transformer(Registry& registry) {
  registry.add(
      {"transformer",
       "the probability of a class by a sequence classifier in ONNX (BERT and its like), run by "
       "OpenVINO; none where the model gives no finite number",
       {{"model",
         "",
         {},
         "path of the ONNX file: inputs input_ids, attention_mask and maybe token_type_ids, output "
         "logits"},
        {"tokenizer",
         "",
         {},
         "path of its tokenizer.json (WordPiece) or vocab.txt; without, that beside the model"},
        {"lowercase", "on", {"on", "off"}, "small letters, no accents; for vocab.txt only"},
        {"labels", "", {}, "names of the classes in the order of the logits, joined by commas"},
        {"positive",
         "",
         {},
         "the class whose probability is the value: a name of `labels` or a number from 0; "
         "without, the last"},
        {"max_length",
         "",
         {},
         "tokens of the longest sequence, 1 to 65536; without, what tokenizer.json says or 512, at "
         "most the places of the model"},
        {"quantized_activations",
         "off",
         {"off", "on"},
         "whether activations become int8 where the weights are: faster, and other scores"},
        {"batch_tokens", "4096", {}, "tokens that go through the model together; speed only"}},
       make});
}

}  // namespace headrace::score
