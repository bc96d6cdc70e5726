// SPDX-License-Identifier: Apache-2.0
// Texts to labels and scores, one thread, each instruction set: the language model lid.176, a model
// of two classes (words and runs of two, 2,000,000 buckets), and one after the other.
//
// Needs HEADRACE_DATA. Documents are lines of real text joined to 4 KB. Before any timing all
// documents are scored with each instruction set and must agree bit for bit, and nearly all must
// be in the language they are. The two classes are made up (weights from a seed): that model says
// something about speed alone.
//
// Perplexity is by an n-gram model (order 5; of Chinese, Han characters are tokens) that is trained
// on every other document; it must find the others less likely than those, and both more than by
// chance. MB/s of all documents.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <zlib.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/counter_rng.h"
#include "score/fasttext_classifier.h"
#include "score/ngram_train.h"
#include "score/score.h"

namespace headrace::score {
namespace {

constexpr std::size_t kDocumentBytes = 4096;
constexpr std::size_t kBatch = 64;

struct Texts {
  std::string language;
  std::vector<std::string> documents;
  std::size_t bytes = 0;
};

// gzip or plain.
std::string read_gzip(const std::string& path) {
  std::string all;
  if (gzFile file = gzopen(path.c_str(), "rb")) {
    char buffer[1 << 16];
    for (int n = 0; (n = gzread(file, buffer, sizeof(buffer))) > 0;) {
      all.append(buffer, static_cast<std::size_t>(n));
    }
    gzclose(file);
  }
  return all;
}

Texts read_texts(const std::string& language, const std::vector<std::string>& paths) {
  Texts texts;
  texts.language = language;
  std::string document;
  for (const std::string& path : paths) {
    const std::string all = read_gzip(path);
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = std::min(all.find('\n', begin), all.size() - 1) + 1;
      document.append(all, begin, end - begin);
      begin = end;
      if (document.size() < kDocumentBytes && begin < all.size()) continue;
      texts.bytes += document.size();
      texts.documents.push_back(std::move(document));
      document.clear();
    }
  }
  return texts;
}

// Its vocabulary: the tokens of the texts that stand in them twice.
FastTextModel two_classes(const std::vector<const Texts*>& all) {
  FastTextModel model;
  model.arguments.dim = 4;
  model.arguments.word_ngrams = 2;
  model.arguments.buckets = 2'000'000;
  std::set<std::string> seen;
  std::set<std::string> twice;
  for (const Texts* texts : all) {
    for (const std::string& document : texts->documents) {
      for (std::size_t at = 0; at < document.size();) {
        const std::size_t end = std::min(document.find_first_of(" \n\t\r", at), document.size());
        const std::string token = document.substr(at, end - at);
        if (!token.empty() && !seen.insert(token).second) twice.insert(token);
        at = end + 1;
      }
    }
  }
  model.words = {"</s>"};
  model.words.insert(model.words.end(), twice.begin(), twice.end());
  model.word_counts.assign(model.words.size(), 2);
  model.labels = {"__label__low", "__label__high"};
  model.label_counts = {1, 1};
  const CounterRng rng(1, purpose("score_bench"));
  std::uint64_t drawn = 0;
  const auto fill = [&](FastTextMatrix* matrix, std::size_t rows) {
    matrix->rows = static_cast<std::int64_t>(rows);
    matrix->columns = model.arguments.dim;
    matrix->dense.resize(rows * static_cast<std::size_t>(model.arguments.dim));
    for (float& value : matrix->dense) value = static_cast<float>(rng.unit(drawn++) - 0.5);
  };
  fill(&model.input, model.words.size() + 2'000'000);
  fill(&model.output, 2);
  return model;
}

struct Models {
  FastTextClassifier language;
  FastTextClassifier quality;
};

Result<Models> make_models(const std::string& path, const FastTextModel& quality, SimdLevel level) {
  HEADRACE_ASSIGN_OR_RETURN(auto language, FastTextClassifier::open(path, level));
  HEADRACE_ASSIGN_OR_RETURN(auto two, FastTextClassifier::make(quality, "two classes", level));
  return Models{std::move(language), std::move(two)};
}

std::vector<Prediction> score_all(const FastTextClassifier& model, const Texts& texts) {
  FastTextClassifier::Scratch scratch;
  std::vector<Prediction> all;
  for (const std::string& document : texts.documents) {
    Prediction best;
    model.predict(document, &scratch, {&best, 1});
    all.push_back(best);
  }
  return all;
}

// What is wrong; empty: nothing.
std::string check(const Models& models, const Models& scalar, const Texts& texts) {
  for (const bool language : {true, false}) {
    const auto ours = score_all(language ? models.language : models.quality, texts);
    const auto wanted = score_all(language ? scalar.language : scalar.quality, texts);
    std::size_t right = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].label != wanted[i].label || ours[i].score != wanted[i].score) {
        return fmt::format("document {}: not the score of the scalar kernel", i);
      }
      const auto label = static_cast<std::size_t>(ours[i].label);
      right += language && models.language.labels()[label] == texts.language;
    }
    if (language && right < texts.documents.size() * 97 / 100) {
      return fmt::format("{} of {} documents are {}", right, texts.documents.size(),
                         texts.language);
    }
  }
  return texts.documents.empty() ? "no text" : "";
}

void add(const std::string& name, const Texts& texts, const std::string& wrong,
         std::vector<const FastTextClassifier*> models) {
  benchmark::RegisterBenchmark(name.c_str(), [=, &texts](benchmark::State& state) {
    if (!wrong.empty()) return state.SkipWithError(wrong.c_str());
    FastTextClassifier::Scratch scratch;
    Prediction best;
    for (auto _ : state) {
      // Model by model over a batch, as scorers take them: their tables do not share the cache.
      for (std::size_t begin = 0; begin < texts.documents.size(); begin += kBatch) {
        const std::size_t end = std::min(begin + kBatch, texts.documents.size());
        for (const FastTextClassifier* model : models) {
          for (std::size_t i = begin; i < end; ++i) {
            benchmark::DoNotOptimize(model->predict(texts.documents[i], &scratch, {&best, 1}));
          }
        }
      }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * texts.bytes));
  })->Unit(benchmark::kMillisecond);
}

struct PerplexityBench {
  std::unique_ptr<Scorer> scorer;
  std::vector<std::string_view> documents;
  std::string wrong;  // empty: nothing
};

double median_perplexity(const Scorer& scorer, const std::vector<std::string_view>& texts) {
  std::vector<Score> scores(texts.size());
  if (!(*scorer.start())->score(texts, scores)) return -1;
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
  std::nth_element(scores.begin(), middle, scores.end(),
                   [](const Score& a, const Score& b) { return a.value < b.value; });
  return middle->value;
}

Result<PerplexityBench> make_perplexity(const Texts& texts) {
  const bool han = texts.language == "zh";
  HEADRACE_ASSIGN_OR_RETURN(auto trainer, NgramTrainer::start({.split_han = han}));
  PerplexityBench bench;
  std::vector<std::string_view> seen;
  std::vector<std::string_view> others;
  for (std::size_t i = 0; i < texts.documents.size(); ++i) {
    (i % 2 == 0 ? seen : others).push_back(texts.documents[i]);
    bench.documents.push_back(texts.documents[i]);
    if (i % 2 == 0) HEADRACE_RETURN_IF_ERROR(trainer.add(texts.documents[i]));
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("score_bench_{}.bin", texts.language))
          .string();
  HEADRACE_ASSIGN_OR_RETURN(const auto report, trainer.finish(path));
  HEADRACE_ASSIGN_OR_RETURN(
      bench.scorer, make_scorer("perplexity", {{"model", path}, {"han", han ? "split" : "keep"}}));
  std::filesystem::remove(path);
  const double known = median_perplexity(*bench.scorer, seen);
  const double held_out = median_perplexity(*bench.scorer, others);
  const auto chance = static_cast<double>(report.ngrams[0]);
  if (!(known > 1 && known < held_out && held_out < chance / 2)) {
    bench.wrong = fmt::format("perplexity {} of texts it knows, {} of others", known, held_out);
  }
  return bench;
}

void add_perplexity(const Texts& texts, const PerplexityBench& bench) {
  const std::string name = "perplexity/" + texts.language;
  benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
    if (!bench.wrong.empty()) return state.SkipWithError(bench.wrong.c_str());
    const auto session = bench.scorer->start();
    std::vector<Score> scores(bench.documents.size());
    for (auto _ : state) {
      benchmark::DoNotOptimize((*session)->score(bench.documents, scores).has_value());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * texts.bytes));
  })->Unit(benchmark::kMillisecond);
}

int bench(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) {
    std::fprintf(stderr, "score_bench: HEADRACE_DATA is not set\n");
    return 0;
  }
  const std::string folder = std::string(data) + "/";
  const Texts english =
      read_texts("en", {folder + "dup-en-pairs/wiki-split/test.tsv.gz",
                        folder + "dup-en-pairs/msr-paraphrase-corpus/msr_paraphrase_train.txt.gz"});
  std::vector<std::string> novels;
  for (const char* name : {"三国演义", "水浒传", "红楼梦", "西游记"}) {
    novels.push_back(folder + "zh-novels/utf8/" + name + ".txt.gz");
  }
  const Texts chinese = read_texts("zh", novels);
  const FastTextModel quality = two_classes({&english, &chinese});
  std::vector<std::unique_ptr<Models>> all;
  for (int i = 0; i <= static_cast<int>(best_simd_level()); ++i) {
    const auto level = static_cast<SimdLevel>(i);
    auto models = make_models(folder + "model-lid176/lid.176.ftz", quality, level);
    if (!models) {
      std::fprintf(stderr, "score_bench: %s\n", models.error().message().c_str());
      return 1;
    }
    all.push_back(std::make_unique<Models>(std::move(*models)));
    for (const Texts* texts : {&english, &chinese}) {
      const std::string wrong = check(*all.back(), *all.front(), *texts);
      const std::string suffix = fmt::format("/{}/{}", texts->language, name_of(level));
      const Models& m = *all.back();
      add("language" + suffix, *texts, wrong, {&m.language});
      add("two_classes" + suffix, *texts, wrong, {&m.quality});
      add("both" + suffix, *texts, wrong, {&m.language, &m.quality});
    }
  }
  std::vector<PerplexityBench> perplexities;
  perplexities.reserve(2);
  for (const Texts* texts : {&english, &chinese}) {
    auto made = make_perplexity(*texts);
    if (!made) {
      std::fprintf(stderr, "score_bench: %s\n", made.error().message().c_str());
      return 1;
    }
    add_perplexity(*texts, perplexities.emplace_back(std::move(*made)));
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace headrace::score

int main(int argc, char** argv) { return headrace::score::bench(argc, argv); }
