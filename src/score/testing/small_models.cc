// SPDX-License-Identifier: Apache-2.0
#include "score/testing/small_models.h"

#include <cmath>
#include <map>
#include <set>

#include "base/counter_rng.h"

namespace headrace::score {
namespace {

const std::vector<std::string> kWords = {
    "the", "of",      "a",   "北京",   "x",  "internationalization",
    "é",   "naïve",   "中",  "word",   "</", "sixteen_bytes_ok",
    "_",   "__lab__", "<b>", "ünïcödé"};

const std::vector<std::string> kParts = {"the",
                                         "</s>",
                                         "</s",
                                         "__label__A",
                                         "__label__zz",
                                         "__label__",
                                         "<",
                                         ">",
                                         "\xE4\xB8",
                                         "\x80\x81",
                                         "\xFF\xFE",
                                         std::string(1, '\0'),
                                         "\t",
                                         "\r\n",
                                         "\v",
                                         "\f",
                                         "\n",
                                         "中文字符没有空格，一整行",
                                         "привет",
                                         "naïve",
                                         "😀😀",
                                         "\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                                         "hello",
                                         "internationalization",
                                         "sixteen_bytes_ok",
                                         "seventeen_bytes_x",
                                         "é",
                                         "北京",
                                         "word",
                                         "_",
                                         std::string(100, 'a'),
                                         "\xF0\x9F\x98",
                                         "<b>",
                                         "ünïcödé"};

std::uint32_t slow_hash(const std::string& text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) {
    hash ^= static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<signed char>(c)));
    hash *= 16777619u;
  }
  return hash;
}

// The characters of "<word>": a byte and the 10xxxxxx bytes behind it.
std::vector<std::string> characters(const std::string& word) {
  std::vector<std::string> all;
  for (const char c : "<" + word + ">") {
    if ((c & 0xC0) == 0x80) {
      all.back() += c;
    } else {
      all.emplace_back(1, c);
    }
  }
  return all;
}

class SlowRows {
 public:
  explicit SlowRows(const FastTextModel& model) : model_(model) {
    for (std::size_t i = 0; i < model.words.size(); ++i) ids_[model.words[i]] = i;
    for (const auto& [bucket, row] : model.kept_buckets) kept_[bucket] = row;
  }

  std::vector<std::size_t> of(std::string_view text) {
    std::vector<std::string> tokens;
    std::string token;
    for (const char c : std::string(text) + "\n") {
      if (std::string_view(" \n\r\t\v\f\0", 7).find(c) == std::string_view::npos) {
        token += c;
        continue;
      }
      if (token == "</s>") break;
      if (!token.empty()) tokens.push_back(token);
      token.clear();
    }
    tokens.push_back("</s>");
    for (const std::string& t : tokens) add_token(t);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      std::uint64_t hash = widened(hashes_[i]);
      for (std::int32_t n = 1; n < model_.arguments.word_ngrams && i + n < hashes_.size(); ++n) {
        hash = hash * 116049371 + widened(hashes_[i + static_cast<std::size_t>(n)]);
        add_bucket(hash % static_cast<std::uint64_t>(model_.arguments.buckets));
      }
    }
    return rows_;
  }

 private:
  static std::uint64_t widened(std::uint32_t hash) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(hash)));
  }

  void add_token(const std::string& token) {
    const auto id = ids_.find(token);
    if (id == ids_.end() && token.starts_with("__label__")) return;
    hashes_.push_back(slow_hash(token));
    if (id != ids_.end()) rows_.push_back(id->second);
    if (token == "</s>" || model_.arguments.max_gram <= 0) return;
    const auto chars = characters(token);
    for (std::size_t i = 0; i < chars.size(); ++i) {
      std::string gram;
      for (std::size_t n = 1; i + n <= chars.size(); ++n) {
        gram += chars[i + n - 1];
        const bool alone = n == 1 && (i == 0 || i + 1 == chars.size());
        if (static_cast<std::int32_t>(n) > model_.arguments.max_gram) break;
        if (static_cast<std::int32_t>(n) < model_.arguments.min_gram || alone) continue;
        add_bucket(slow_hash(gram) % static_cast<std::uint32_t>(model_.arguments.buckets));
      }
    }
  }

  void add_bucket(std::uint64_t bucket) {
    if (!model_.pruned) return rows_.push_back(model_.words.size() + bucket);
    const auto row = kept_.find(static_cast<std::int32_t>(bucket));
    if (row != kept_.end())
      rows_.push_back(model_.words.size() + static_cast<std::size_t>(row->second));
  }

  const FastTextModel& model_;
  std::map<std::string, std::size_t> ids_;
  std::map<std::int32_t, std::int32_t> kept_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::size_t> rows_;
};

// The Huffman tree by its definition: join the two of least weight; of equals, inner nodes before
// labels, then older inner nodes and later labels.
void descend(std::size_t node, double score,
             const std::vector<std::pair<std::size_t, std::size_t>>& tree,
             const std::vector<double>& products, std::vector<double>* scores) {
  const std::size_t labels = scores->size();
  if (node < labels) {
    (*scores)[node] = std::exp(score);
    return;
  }
  const auto& [left, right] = tree[node - labels];
  const double f = 1 / (1 + std::exp(-products[node - labels]));
  descend(left, score + std::log(1 - f + 1e-5), tree, products, scores);
  descend(right, score + std::log(f + 1e-5), tree, products, scores);
}

std::vector<double> tree_scores(const FastTextModel& model, const std::vector<double>& products) {
  const std::size_t labels = model.labels.size();
  std::vector<double> scores(labels);
  std::vector<std::pair<std::size_t, std::size_t>> tree;
  using Key = std::pair<std::int64_t, std::int64_t>;
  std::map<Key, std::size_t> open;
  const auto count = static_cast<std::int64_t>(labels);
  for (std::size_t i = 0; i < labels; ++i) {
    open[{model.label_counts[i], 2 * count - static_cast<std::int64_t>(i)}] = i;
  }
  while (open.size() > 1) {
    const auto take = [&] {
      const auto first = *open.begin();
      open.erase(open.begin());
      return first;
    };
    const auto a = take();
    const auto b = take();
    const std::size_t node = labels + tree.size();
    tree.emplace_back(a.second, b.second);
    open[{a.first.first + b.first.first, static_cast<std::int64_t>(node - labels)}] = node;
  }
  descend(open.begin()->second, 0, tree, products, &scores);
  return scores;
}

double table_sigmoid(double x) {
  if (x < -8) return 0;
  if (x > 8) return 1;
  const double step = std::floor((x + 8) * 32);
  return 1 / (1 + std::exp(-(step / 32 - 8)));
}

}  // namespace

FastTextModel make_model(const ModelShape& shape, std::uint64_t seed) {
  FastTextModel model;
  const bool grams = shape.word_ngrams > 1 || shape.max_gram > 0;
  model.arguments = {.dim = shape.dim,
                     .word_ngrams = shape.word_ngrams,
                     .loss = shape.loss,
                     .buckets = grams ? shape.buckets : 0,
                     .min_gram = shape.min_gram,
                     .max_gram = shape.max_gram};
  model.tokens = 1234;
  if (shape.end_of_line) model.words.emplace_back("</s>");
  model.words.insert(model.words.end(), kWords.begin(), kWords.end());
  model.word_counts.assign(model.words.size(), 3);
  for (std::int32_t i = 0; i < shape.labels; ++i) {
    model.labels.push_back("__label__" + std::string(1, static_cast<char>('A' + i)));
    model.label_counts.push_back(100 - 7 * i);
  }
  std::size_t bucket_rows = static_cast<std::size_t>(model.arguments.buckets);
  if (shape.pruned) {
    model.pruned = true;
    for (std::int32_t b = 0; b < model.arguments.buckets; b += 3) {
      model.kept_buckets.emplace_back(b, (b / 3 * 7) % ((model.arguments.buckets + 2) / 3));
    }
    bucket_rows = model.kept_buckets.size();
  }
  const CounterRng rng(seed, purpose("test_model"));
  std::uint64_t drawn = 0;
  const auto fill = [&](FastTextMatrix* matrix, std::size_t rows, double spread) {
    matrix->rows = static_cast<std::int64_t>(rows);
    matrix->columns = shape.dim;
    matrix->dense.resize(rows * static_cast<std::size_t>(shape.dim));
    for (float& value : matrix->dense) {
      value = static_cast<float>((2 * rng.unit(drawn++) - 1) * spread);
    }
  };
  fill(&model.input, model.words.size() + bucket_rows, 3);
  fill(&model.output, model.labels.size(), 2);
  return model;
}

std::vector<double> slow_scores(const FastTextModel& model, std::string_view text) {
  const auto rows = SlowRows(model).of(text);
  if (rows.empty()) return {};
  const auto dim = static_cast<std::size_t>(model.arguments.dim);
  std::vector<double> hidden(dim);
  for (const std::size_t row : rows) {
    for (std::size_t d = 0; d < dim; ++d) {
      hidden[d] += static_cast<double>(model.input.dense[row * dim + d]);
    }
  }
  std::vector<double> scores(model.labels.size());
  for (std::size_t l = 0; l < scores.size(); ++l) {
    for (std::size_t d = 0; d < dim; ++d) {
      scores[l] += hidden[d] / static_cast<double>(rows.size()) *
                   static_cast<double>(model.output.dense[l * dim + d]);
    }
  }
  if (model.arguments.loss == FastTextLoss::kHierarchicalSoftmax) return tree_scores(model, scores);
  double sum = 0;
  for (double& score : scores) {
    const bool softmax = model.arguments.loss == FastTextLoss::kSoftmax;
    score = softmax ? std::exp(score) : table_sigmoid(score);
    sum += score;
  }
  for (double& score : scores) {
    score = score / (model.arguments.loss == FastTextLoss::kSoftmax ? sum : 1) + 1e-5;
  }
  return scores;
}

std::vector<std::string> odd_texts(std::size_t count) {
  const CounterRng rng(7, purpose("odd_texts"));
  std::uint64_t drawn = 0;
  std::vector<std::string> texts = {"", " ", "\n", "a", "the</s>", std::string(3, '\0')};
  while (texts.size() < count) {
    std::string text;
    for (std::uint64_t parts = rng.below(drawn++, 25); parts > 0; --parts) {
      text += kParts[rng.below(drawn++, kParts.size())];
      if (rng.below(drawn++, 10) < 4) text += ' ';
    }
    if (rng.below(drawn++, 5) == 0) {
      for (std::uint64_t bytes = rng.below(drawn++, 60); bytes > 0; --bytes) {
        text += static_cast<char>(rng.below(drawn++, 256));
      }
    }
    texts.push_back(std::move(text));
  }
  // Longer than any buffer: one token, and many; well-formed and not.
  std::string han;
  for (int i = 0; i < 9000; ++i) han += i % 3 ? "中" : "a𠀀é";
  texts.push_back(han);
  texts.push_back(han + "\x80\x80\x80\x80" + han);
  texts.push_back(han + " " + han + " the");
  std::string many;
  for (int i = 0; i < 20000; ++i)
    many += "w" + std::to_string(i * 7919 % 5000) + (i % 9 ? " " : "的");
  texts.push_back(many);
  return texts;
}

std::string model_bytes(FastTextModel model) {
  const TestPath file;
  const auto written = write_fasttext_model(&model, file.path());
  EXPECT_TRUE(written.has_value()) << written.error().message();
  return file.read();
}

}  // namespace headrace::score
