// SPDX-License-Identifier: Apache-2.0
// The kind transformer on small models (tests/data/transformer/make.py), with a tokenizer that
// knows their texts by heart.
#include <cmath>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file.h"
#include "score/score.h"
#include "score/testing/small_models.h"

// Its TBB asks dlopen for RTLD_DEEPBIND, which ends a program with a sanitizer.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SKIP_WITHOUT_OPENVINO() GTEST_SKIP() << "skipped: OpenVINO does not run with a sanitizer"
#else
#define SKIP_WITHOUT_OPENVINO() ((void)0)
#endif

namespace headrace::score {
namespace {

const std::string kFolder = HEADRACE_TEST_DATA "/transformer/";
constexpr std::size_t kNan = 7;  // the text that the models give no number for

const nlohmann::json& expected() {
  static const auto kExpected = nlohmann::json::parse(std::ifstream(kFolder + "expected.json"));
  return kExpected;
}

class KnownEncoder final : public SequenceEncoder {
 public:
  Result<void> encode(std::string_view text, std::size_t max_length,
                      std::vector<std::int64_t>* ids) override {
    const auto& texts = expected().at("texts");
    const auto at = std::find(texts.begin(), texts.end(), text) - texts.begin();
    if (at == static_cast<std::ptrdiff_t>(texts.size())) return corrupt("not UTF-8");
    *ids = expected().at("ids").at(static_cast<std::size_t>(at)).get<std::vector<std::int64_t>>();
    ids->resize(std::min(ids->size(), max_length));
    return {};
  }
};

class KnownTokenizer final : public SequenceTokenizer {
 public:
  explicit KnownTokenizer(std::size_t size) : size_(size) {}
  std::size_t vocabulary_size() const override { return size_; }
  std::size_t added() const override { return 2; }
  std::int64_t padding_id() const override { return 0; }
  std::optional<std::size_t> max_length() const override { return std::nullopt; }
  Hash128 fingerprint() const override { return {.high = 0, .low = size_}; }
  std::unique_ptr<SequenceEncoder> start() const override {
    return std::make_unique<KnownEncoder>();
  }

 private:
  std::size_t size_;
};

// Remembers what was opened.
class KnownTokenizers final : public SequenceTokenizers {
 public:
  explicit KnownTokenizers(std::size_t size = 16) : size_(size) {}
  Result<std::unique_ptr<SequenceTokenizer>> open(const std::string& path,
                                                  const SequenceTokenizerOptions&) const override {
    opened = path;
    return std::make_unique<KnownTokenizer>(size_);
  }
  mutable std::string opened;

 private:
  std::size_t size_;
};

Result<std::unique_ptr<Scorer>> make(OptionValues options, std::size_t vocabulary = 16) {
  const KnownTokenizers tokenizers(vocabulary);
  options.try_emplace("model", kFolder + "tiny.onnx");
  return make_scorer("transformer", options, {.tokenizers = &tokenizers});
}

std::vector<double> values(const Scorer& scorer, const std::vector<std::string>& texts) {
  const auto session = scorer.start();
  EXPECT_TRUE(session.has_value());
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<Score> scores(texts.size());
  const auto scored = (*session)->score(views, scores);
  EXPECT_TRUE(scored.has_value()) << scored.error().message();
  std::vector<double> all;
  for (const Score& score : scores) all.push_back(score.value);
  return all;
}

std::vector<std::string> texts() { return expected().at("texts"); }

// Of the logits of onnxruntime; one logit is that of class 1.
double wanted(const std::string& model, std::size_t text, std::size_t positive) {
  std::vector<double> logits = expected().at(model).at(text);
  if (logits.size() == 1) logits.insert(logits.begin(), 0);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  return std::exp(logits[positive]) / sum;
}

TEST(TransformerTest, ScoresAreThoseOfOnnxRuntime) {
  SKIP_WITHOUT_OPENVINO();
  const struct {
    const char* model;
    OptionValues options;
    std::size_t positive;
  } kCases[] = {
      {"tiny", {}, 1},          {"tiny", {{"positive", "0"}}, 0},
      {"one_logit", {}, 1},     {"one_logit", {{"positive", "bad"}, {"labels", "bad,good"}}, 0},
      {"three_classes", {}, 2}, {"three_classes", {{"positive", "b"}, {"labels", "a,b,c"}}, 1},
  };
  for (const auto& c : kCases) {
    OptionValues options = c.options;
    options["model"] = kFolder + c.model + ".onnx";
    const auto scorer = make(options);
    ASSERT_TRUE(scorer.has_value()) << scorer.error().message();
    EXPECT_TRUE((*scorer)->labels().empty());
    const auto got = values(**scorer, texts());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (i == kNan) {
        EXPECT_TRUE(std::isnan(got[i]));
      } else {
        EXPECT_NEAR(got[i], wanted(c.model, i, c.positive), 1e-6) << c.model << " " << i;
      }
    }
  }
}

TEST(TransformerTest, TextsThatAreNoneHaveNoValue) {
  SKIP_WITHOUT_OPENVINO();
  const auto scorer = make({});
  ASSERT_TRUE(scorer.has_value()) << scorer.error().message();
  const auto got = values(**scorer, {"a", "not known: no UTF-8", "a"});
  EXPECT_TRUE(std::isnan(got[1]));
  EXPECT_EQ(got[0], got[2]);
  EXPECT_TRUE(values(**scorer, {}).empty());
}

TEST(TransformerTest, SameBitsInEveryBatchAndThread) {
  SKIP_WITHOUT_OPENVINO();
  std::vector<std::string> many;
  for (std::size_t i = 0; i < 200; ++i) many.push_back(texts()[i * i % texts().size()]);
  std::vector<double> alone;
  const auto scorer = make({});
  ASSERT_TRUE(scorer.has_value()) << scorer.error().message();
  for (const std::string& text : texts()) alone.push_back(values(**scorer, {text})[0]);
  const auto check = [&](const std::vector<double>& got) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double value = alone[i * i % texts().size()];
      EXPECT_TRUE(got[i] == value || (std::isnan(got[i]) && std::isnan(value))) << i;
    }
  };
  for (const char* const batch : {"1", "64", "100", "4096"}) {
    const auto other = make({{"batch_tokens", batch}});
    ASSERT_TRUE(other.has_value()) << other.error().message();
    EXPECT_EQ((*other)->fingerprint(), (*scorer)->fingerprint());
    check(values(**other, many));
  }
  std::vector<std::vector<double>> by_thread(4);
  {
    std::vector<std::jthread> threads;
    for (auto& got : by_thread) threads.emplace_back([&] { got = values(**scorer, many); });
  }
  for (const auto& got : by_thread) check(got);
}

TEST(TransformerTest, ModelsThatDoNotFitAreRefusedByName) {
  SKIP_WITHOUT_OPENVINO();
  const std::string tiny = *io::read_file(kFolder + "tiny.onnx");
  const std::string sliced = *io::read_file(kFolder + "three_classes.onnx");
  const auto renamed = [&](const std::string& from, const std::string& to) {
    std::string bytes = tiny;
    for (std::size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size()) {
      bytes.replace(at, from.size(), to);
    }
    return bytes;
  };
  const struct {
    std::string bytes;
    OptionValues options;
    std::size_t vocabulary;
    const char* says;
  } kCases[] = {
      {tiny.substr(0, tiny.size() / 2), {}, 16, "not a whole ONNX model of"},
      {"", {}, 16, "not a whole ONNX model of 0 bytes"},
      {"no model at all\n", {}, 16, "not a whole ONNX model"},
      {renamed("input_ids", "input_idz"), {}, 16, "has no input 'input_ids'; it has"},
      {renamed("attention_mask", "attention_musk"), {}, 16, "no input 'attention_mask'"},
      {tiny, {}, 17, "has 17 tokens, the model's table 16 rows"},
      {tiny, {{"max_length", "41"}}, 16, "max_length is 41, the model has places for 40"},
      {sliced, {{"max_length", "41"}}, 16, "max_length is 41, the model has places for 40"},
      {tiny, {{"max_length", "2"}}, 16, "no room for a text"},
      {tiny, {{"max_length", "x"}}, 16, "max_length is 'x'"},
      {tiny, {{"batch_tokens", "0"}}, 16, "batch_tokens is '0'"},
      {tiny, {{"labels", "a,b,c"}}, 16, "3 labels (a,b,c), but the model has 2 classes"},
      {tiny, {{"labels", "a,b"}, {"positive", "c"}}, 16, "one of the labels (a,b) or a class"},
      {tiny, {{"positive", "2"}}, 16, "a class, 0 to 1"},
      {tiny, {{"quantized_activations", "yes"}}, 16, "quantized_activations"},
  };
  for (const auto& c : kCases) {
    const TestPath file;
    std::ofstream(file.path(), std::ios::binary) << c.bytes;
    OptionValues options = c.options;
    options["model"] = file.path();
    options["tokenizer"] = "known";
    const auto scorer = make(options, c.vocabulary);
    ASSERT_FALSE(scorer.has_value()) << c.says;
    EXPECT_NE(scorer.error().message().find(c.says), std::string::npos) << scorer.error().message();
  }
  const auto external = make({{"model", kFolder + "external.onnx"}});
  ASSERT_FALSE(external.has_value());
  EXPECT_NE(external.error().message().find("weights are in other files"), std::string::npos)
      << external.error().message();
  const auto hidden = make({{"model", kFolder + "no_classifier.onnx"}});
  ASSERT_FALSE(hidden.has_value());
  EXPECT_NE(hidden.error().message().find("output kept is [?, ?, 8]: a sequence classifier gives"),
            std::string::npos)
      << hidden.error().message();
}

TEST(TransformerTest, TokenizerIsFoundBesideTheModel) {
  SKIP_WITHOUT_OPENVINO();
  const KnownTokenizers tokenizers;
  OptionValues options = {{"model", kFolder + "tiny.onnx"}};
  ASSERT_TRUE(make_scorer("transformer", options, {.tokenizers = &tokenizers}).has_value());
  EXPECT_EQ(tokenizers.opened, kFolder + "vocab.txt");
  options["tokenizer"] = "elsewhere.json";
  ASSERT_TRUE(make_scorer("transformer", options, {.tokenizers = &tokenizers}).has_value());
  EXPECT_EQ(tokenizers.opened, "elsewhere.json");

  const TestPath file;
  const auto alone = make({{"model", file.path() + ".folder/quality.onnx"}});
  ASSERT_FALSE(alone.has_value());
  EXPECT_NE(alone.error().message().find("neither tokenizer.json nor vocab.txt is beside"),
            std::string::npos);
  const auto without = make_scorer("transformer", options);
  ASSERT_FALSE(without.has_value());
  EXPECT_NE(without.error().message().find("no tokenizers were handed in"), std::string::npos);
}

TEST(TransformerTest, FingerprintCoversWhatChangesScores) {
  SKIP_WITHOUT_OPENVINO();
  const auto print = [](const OptionValues& options, std::size_t vocabulary = 16) {
    const auto scorer = make(options, vocabulary);
    EXPECT_TRUE(scorer.has_value()) << scorer.error().message();
    return (*scorer)->fingerprint();
  };
  const Hash128 base = print({});
  EXPECT_EQ(base, print({{"positive", "1"}, {"max_length", "40"}}));
  EXPECT_NE(base, print({{"model", kFolder + "three_classes.onnx"}, {"positive", "1"}}));
  EXPECT_NE(base, print({{"positive", "0"}}));
  EXPECT_NE(base, print({{"max_length", "30"}}));
  EXPECT_NE(base, print({{"quantized_activations", "on"}}));
  EXPECT_NE(base, print({}, 15));
}

}  // namespace
}  // namespace headrace::score
