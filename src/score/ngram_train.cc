// SPDX-License-Identifier: Apache-2.0
// With a(g) the count of an n-gram (of the highest order and of those that begin with <s>), or the
// number of different tokens in front of it (of all others):
//
//   p(w | c) = (a(c w) - D(a(c w))) / sum a(c x)  +  backoff(c) p(w | c without its first token)
//   backoff(c) = what is taken off and pruned / sum a(c x);  p(w) of no context is 1 / words
//   D(k) = k - (k + 1) Y t(k + 1) / t(k), Y = t(1) / (t(1) + 2 t(2)); D(3) holds for all above
//
// t(k): n-grams of the order with a = k, pruned ones too. Words of the last sum are all but <s>;
// <unk> among them has the share of a word that never stood there. <s> gets -99, as in other ARPA
// files: it is never predicted.
//
// Order by order over the sorted places (internal/sorted_tokens.h): `group_of` says of each place
// which n-gram of the order below ends there. So the suffix of an n-gram is the group of its own
// place, the context that of the place before, and nothing is hashed. lmplz does this with sorts on
// disk; a corpus beyond the memory is refused here: a sample of it gives nearly the same model.
#include "score/ngram_train.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.h"
#include "io/file.h"
#include "score/internal/sorted_tokens.h"
#include "score/letters.h"
#include "score/ngram_model.h"

namespace headrace::score {
namespace {

using internal::kSentenceBegin;
using internal::SortedTokens;

constexpr std::uint32_t kUnknown = 0;
constexpr std::uint32_t kSentenceEnd = 2;
constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};
constexpr std::uint64_t kMostTokens = kNoGroup - 1;
constexpr std::uint64_t kTokenBytes = 160;
constexpr std::uint64_t kTokenBytesPerOrderAbove5 = 36;
constexpr std::uint64_t kWordBytes = 100;
constexpr std::size_t kTokensPerLook = 1 << 14;  // between looks at the stop token
constexpr float kNeverPredicted = -99;
constexpr std::array<double, 3> kGuessedDiscounts = {0.5, 1.0, 1.5};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; }

// The n-grams of one order, in the order of the sorted places.
struct Order {
  std::vector<std::uint32_t> place;  // of the last token, where it stands first
  std::vector<bool> kept;
  std::vector<double> prob;
  std::vector<double> backoff;  // 1: it is the context of none that is kept
  // log10, for the file; the order above needs no more than these.
  std::vector<float> log_prob;
  std::vector<float> log_backoff;

  void seal() {
    const auto logs = [](std::vector<double>* values, std::vector<float>* out) {
      out->resize(values->size());
      std::transform(values->begin(), values->end(), out->begin(),
                     [](double value) { return static_cast<float>(std::log10(value)); });
      *values = {};
    };
    logs(&prob, &log_prob);
    logs(&backoff, &log_backoff);
  }
};

struct Groups {
  std::vector<std::uint32_t> place;
  std::vector<std::uint32_t> adjusted;
  std::vector<bool> kept;
};

// D of the counts of counts t[1] to t[4].
NgramTrainingReport::Discount discounts_of(const std::array<std::uint64_t, 5>& t) {
  NgramTrainingReport::Discount found;
  const auto of = [&](std::size_t k) { return static_cast<double>(t[k]); };
  const double y = of(1) / (of(1) + 2 * of(2));
  for (std::size_t k = 1; k <= 3; ++k) {
    const double count = static_cast<double>(k);
    const double d = count - (count + 1) * y * of(k + 1) / of(k);
    if (t[k] == 0 || !(d > 0 && d <= count)) return {kGuessedDiscounts, true};
    found.of[k - 1] = d;
  }
  return found;
}

}  // namespace

struct NgramTrainer::State {
  NgramTraining options;
  NgramTrainingReport report;
  std::deque<std::string> words = {"<unk>", "<s>", "</s>"};
  std::unordered_map<std::string_view, std::uint32_t> ids;
  std::vector<std::uint32_t> tokens;
  std::uint64_t word_bytes = 0;
  std::string split;
  std::vector<Order> orders;
  std::stop_token stop;

  std::uint64_t threshold(int order) const {
    const auto& prune = options.prune;
    return prune[std::min<std::size_t>(static_cast<std::size_t>(order), prune.size()) - 1];
  }

  void add_line(std::string_view line) {
    const std::size_t begin = tokens.size();
    tokens.push_back(kSentenceBegin);
    for (std::size_t at = 0; at < line.size();) {
      if (is_blank(line[at])) {
        ++at;
        continue;
      }
      std::size_t end = at + 1;
      while (end < line.size() && !is_blank(line[end])) ++end;
      add_token(line.substr(at, end - at));
      at = end;
    }
    if (tokens.size() == begin + 1) {
      tokens.pop_back();
      return;
    }
    tokens.push_back(kSentenceEnd);
    ++report.sentences;
    report.tokens += tokens.size() - begin - 1;
  }

  void add_token(std::string_view token) {
    if (token == "<s>" || token == "</s>" || token == "<unk>" || token == "<UNK>") {
      ++report.skipped;
      return;
    }
    auto found = ids.find(token);
    if (found == ids.end()) {
      words.emplace_back(token);
      word_bytes += kWordBytes + token.size();
      found = ids.emplace(words.back(), static_cast<std::uint32_t>(words.size() - 1)).first;
    }
    tokens.push_back(found->second);
  }

  // The n-grams of an order, and what counts of them there are. Sets group_of for each place.
  Groups find_groups(const SortedTokens& sorted, int order, std::vector<std::uint32_t>* group_of,
                     std::array<std::uint64_t, 5>* counts_of_counts) const {
    Groups groups;
    std::uint64_t raw = 0;
    const auto close = [&] {
      if (raw == 0) return;
      groups.kept.push_back(raw > threshold(order));
      ++(*counts_of_counts)[std::min<std::uint32_t>(groups.adjusted.back(), 5) % 5];
      raw = 0;
    };
    for (std::size_t i = 0; i < sorted.places.size(); ++i) {
      if (sorted.length[i] < order) continue;
      const std::uint32_t place = sorted.places[i];
      if (sorted.shared[i] < order) {
        close();
        groups.place.push_back(place);
        groups.adjusted.push_back(0);
      }
      const bool every = order == options.order ||
                         tokens[place - static_cast<std::uint32_t>(order - 1)] == kSentenceBegin;
      if (every || sorted.shared[i] <= order) ++groups.adjusted.back();
      ++raw;
      (*group_of)[place] = static_cast<std::uint32_t>(groups.place.size() - 1);
    }
    close();
    return groups;
  }

  Status stopped() const { return cancelled("stopped while training an n-gram model"); }

  Result<void> estimate(const SortedTokens& sorted) {
    std::vector<std::uint32_t> below(tokens.size(), kNoGroup);
    std::vector<std::uint32_t> group_of(tokens.size(), kNoGroup);
    for (int n = 1; n <= options.order; ++n) {
      if (stop.stop_requested()) return stopped();
      std::array<std::uint64_t, 5> counts_of_counts{};
      std::fill(group_of.begin(), group_of.end(), kNoGroup);
      Groups groups = find_groups(sorted, n, &group_of, &counts_of_counts);
      const auto discount = discounts_of(counts_of_counts);
      report.discounts.push_back(discount);
      if (n == 1) {
        estimate_unigrams(groups, discount, &group_of);
      } else {
        estimate_order(std::move(groups), discount, below);
      }
      below.swap(group_of);
    }
    orders.back().seal();
    return {};
  }

  // Unigrams lie by word, with <unk> and <s>.
  void estimate_unigrams(const Groups& groups, const NgramTrainingReport::Discount& discount,
                         std::vector<std::uint32_t>* group_of) {
    Order order;
    order.place.assign(words.size(), kNoGroup);
    order.prob.assign(words.size(), 0);
    order.backoff.assign(words.size(), 1);
    order.kept.assign(words.size(), true);
    double sum = 0;
    double taken = 0;
    for (const std::uint32_t a : groups.adjusted) {
      sum += a;
      taken += discount.of[std::min(a, 3u) - 1];
    }
    const double each = taken / sum / static_cast<double>(words.size() - 1);
    order.prob[kUnknown] = each;
    for (std::size_t i = 0; i < groups.place.size(); ++i) {
      const std::uint32_t a = groups.adjusted[i];
      const std::uint32_t word = tokens[groups.place[i]];
      order.prob[word] = (a - discount.of[std::min(a, 3u) - 1]) / sum + each;
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) (*group_of)[i] = tokens[i];
    orders.push_back(std::move(order));
  }

  void estimate_order(Groups groups, const NgramTrainingReport::Discount& discount,
                      const std::vector<std::uint32_t>& below) {
    Order& lower = orders.back();
    std::vector<double> sum(lower.place.size(), 0);
    std::vector<double> taken(lower.place.size(), 0);
    for (std::size_t i = 0; i < groups.place.size(); ++i) {
      const std::uint32_t context = below[groups.place[i] - 1];
      const std::uint32_t a = groups.adjusted[i];
      sum[context] += a;
      taken[context] += groups.kept[i] ? discount.of[std::min(a, 3u) - 1] : a;
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (sum[i] > 0) lower.backoff[i] = taken[i] / sum[i];
    }
    Order order;
    order.prob.resize(groups.place.size());
    for (std::size_t i = 0; i < groups.place.size(); ++i) {
      if (!groups.kept[i]) continue;
      const std::uint32_t context = below[groups.place[i] - 1];
      const std::uint32_t a = groups.adjusted[i];
      order.prob[i] = (a - discount.of[std::min(a, 3u) - 1]) / sum[context] +
                      lower.backoff[context] * lower.prob[below[groups.place[i]]];
    }
    order.backoff.assign(groups.place.size(), 1);
    order.place = std::move(groups.place);
    order.kept = std::move(groups.kept);
    lower.seal();
    orders.push_back(std::move(order));
  }

  // Calls take(words, log10 probability, log10 backoff) for each n-gram of an order that is kept.
  template <class Take>
  Result<void> each_ngram(int n, const Take& take) const {
    const Order& order = orders[static_cast<std::size_t>(n - 1)];
    for (std::size_t i = 0; i < order.log_prob.size(); ++i) {
      if (i % kTokensPerLook == 0 && stop.stop_requested()) return stopped();
      if (!order.kept[i]) continue;
      const auto word = static_cast<std::uint32_t>(i);
      const std::uint32_t* last = n == 1 ? &word : tokens.data() + order.place[i];
      const bool begin = n == 1 && word == kSentenceBegin;
      const float prob = begin ? kNeverPredicted : std::min(0.0f, order.log_prob[i]);
      HEADRACE_RETURN_IF_ERROR(
          take(std::span(last - (n - 1), static_cast<std::size_t>(n)), prob, order.log_backoff[i]));
    }
    return {};
  }

  Result<void> write_arpa(const std::string& path) const {
    HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
    std::string text = "\\data\\\n";
    const auto out = std::back_inserter(text);
    for (int n = 1; n <= options.order; ++n) {
      fmt::format_to(out, "ngram {}={}\n", n, report.ngrams[static_cast<std::size_t>(n - 1)]);
    }
    for (int n = 1; n <= options.order; ++n) {
      fmt::format_to(out, "\n\\{}-grams:\n", n);
      HEADRACE_RETURN_IF_ERROR(each_ngram(
          n, [&](std::span<const std::uint32_t> ngram, float prob, float backoff) -> Result<void> {
            fmt::format_to(out, "{}\t", prob);
            for (std::size_t i = 0; i < ngram.size(); ++i) {
              if (i > 0) text.push_back(' ');
              text += words[ngram[i]];
            }
            if (n < options.order && backoff != 0) fmt::format_to(out, "\t{}", backoff);
            text.push_back('\n');
            if (text.size() < (1 << 20)) return {};
            HEADRACE_RETURN_IF_ERROR(file.write(text));
            text.clear();
            return {};
          }));
    }
    text += "\n\\end\\\n";
    HEADRACE_RETURN_IF_ERROR(file.write(text));
    return file.commit();
  }

  Result<void> write_binary(const std::string& path) const {
    NgramModelBuilder builder(report.ngrams);
    for (int n = 1; n <= options.order; ++n) {
      HEADRACE_RETURN_IF_ERROR(each_ngram(
          n, [&](std::span<const std::uint32_t> ngram, float prob, float backoff) -> Result<void> {
            if (n == 1) {
              const bool taken = builder.add_word(words[ngram[0]], prob, backoff) == ngram[0];
              if (taken) return {};
              return internal_error("two words with one hash: '{}'", words[ngram[0]]);
            }
            const std::string fault = builder.add(ngram, prob, backoff);
            if (fault.empty()) return {};
            return internal_error("training an n-gram model: a {}-gram: {}", n, fault);
          }));
    }
    NgramModel model;
    if (const std::string fault = builder.finish(&model, {}); !fault.empty()) {
      return internal_error("training an n-gram model: {}", fault);
    }
    return model.write_binary(path);
  }
};

NgramTrainer::NgramTrainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
NgramTrainer::NgramTrainer(NgramTrainer&&) noexcept = default;
NgramTrainer::~NgramTrainer() = default;

Result<NgramTrainer> NgramTrainer::start(const NgramTraining& options) {
  if (options.order < 2 || options.order > kMaxNgramOrder) {
    return invalid_argument("training an n-gram model: order is {}, it must be 2 to {}",
                            options.order, kMaxNgramOrder);
  }
  const auto& prune = options.prune;
  if (prune.empty() || prune.size() > static_cast<std::size_t>(options.order) || prune[0] != 0 ||
      !std::is_sorted(prune.begin(), prune.end())) {
    return invalid_argument(
        "training an n-gram model: prune is '{}'; it must have 1 to {} numbers (order), the first "
        "0, none below the one before",
        fmt::join(prune, " "), options.order);
  }
  auto state = std::make_unique<State>();
  state->options = options;
  return NgramTrainer(std::move(state));
}

Result<void> NgramTrainer::add(std::string_view text) {
  State& s = *state_;
  if (s.options.split_han) {
    split_han(text, &s.split);
    text = s.split;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    s.add_line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::uint64_t above = static_cast<std::uint64_t>(std::max(s.options.order - 5, 0));
  const std::uint64_t token_bytes = kTokenBytes + kTokenBytesPerOrderAbove5 * above;
  const std::uint64_t needed = s.tokens.size() * token_bytes + s.word_bytes;
  if (needed > s.options.memory_bytes || s.tokens.size() > kMostTokens) {
    return resource_exhausted(
        "training an n-gram model: {} tokens and {} words need {} MB, memory_bytes allows {}; give "
        "fewer texts (a sample) or more memory",
        s.tokens.size(), s.words.size(), needed >> 20, s.options.memory_bytes >> 20);
  }
  return {};
}

Result<NgramTrainingReport> NgramTrainer::finish(const std::string& path, std::stop_token stop) {
  State& s = *state_;
  s.stop = std::move(stop);
  if (s.tokens.empty()) return invalid_argument("training an n-gram model: no token in the texts");
  HEADRACE_RETURN_IF_ERROR(s.estimate(internal::sort_tokens(
      s.tokens, static_cast<std::uint32_t>(s.words.size()), s.options.order, s.stop)));
  for (const Order& order : s.orders) {
    s.report.ngrams.push_back(
        static_cast<std::uint64_t>(std::count(order.kept.begin(), order.kept.end(), true)));
  }
  HEADRACE_RETURN_IF_ERROR(path.ends_with(".arpa") ? s.write_arpa(path) : s.write_binary(path));
  return s.report;
}

}  // namespace headrace::score
