// SPDX-License-Identifier: Apache-2.0
#include "leak/internal/score.h"

#include <algorithm>
#include <cmath>

namespace headrace::leak {
namespace {

constexpr std::size_t kQ = static_cast<std::size_t>(Part::kQuestion);
constexpr std::size_t kO = static_cast<std::size_t>(Part::kOptions);
constexpr std::size_t kA = static_cast<std::size_t>(Part::kAnswer);
constexpr std::size_t kP = static_cast<std::size_t>(Part::kPassage);

// What must be there beside the sum, for views of two parts.
constexpr double kLeastOptions = 0.2;
constexpr double kLeastAnswer = 0.5;
constexpr double kLeastQuestion = 0.5;
constexpr double kLeastRunQuestion = 0.3;  // options alone are those of other questions too

constexpr int kMostEdits = 2;  // that a fill leads across

constexpr double kMostGapShare = 0.1;  // of a question to drop

constexpr double kMassUnit = 8;  // of ViewBound
constexpr double kMostRatio = 0.98;

double least_ratio(const ViewBound& bound, double mass) {
  const double line = bound.level - bound.slope * std::log(mass / kMassUnit);
  return std::max(bound.least_ratio, std::min(kMostRatio, line));
}

double share(double covered, double total) { return total > 0 ? covered / total : 0; }

}  // namespace

void Cover::cover(std::uint32_t position, std::uint32_t place) {
  if (!is_covered(position)) {
    stamps_[position] = stamp_;
    covered_.push_back(position);
  }
  places_[position] = place;
}

// A token next to covered ones is covered too if it stands where they lead one to expect it: an
// edit between two matches leaves single tokens that no n-gram reaches. `step` is 1 forward, -1
// backward; what is filled leads on.
void Cover::fill(const IndexData& index, const ItemEntry& entry, TokenRow row, int step) {
  std::sort(covered_.begin(), covered_.end());
  const auto part = [&](std::int64_t position) {
    return index.part(entry.first_token + static_cast<std::uint64_t>(position));
  };
  const std::uint32_t* const hashes = index.token_hashes.data() + entry.first_token;
  const auto size = static_cast<std::int64_t>(entry.tokens);
  const auto is_there = [&](std::int64_t position, std::int64_t place) {
    return place >= 0 && place < static_cast<std::int64_t>(row.size()) &&
           row.token(static_cast<std::size_t>(place)) == hashes[position];
  };
  const std::size_t known = covered_.size();
  for (std::size_t i = 0; i < known; ++i) {
    std::int64_t anchor = step > 0 ? covered_[i] : covered_[known - 1 - i];
    int edits = 0;
    // At most one token may lie between what is covered and what follows.
    for (std::int64_t position = anchor + step;
         position >= 0 && position < size && std::abs(position - anchor) <= 2 && edits < kMostEdits;
         position += step) {
      const auto at = static_cast<std::uint32_t>(position);
      if (is_covered(at)) break;
      if (part(position) != part(anchor)) break;
      const auto place = static_cast<std::int64_t>(places_[anchor]);
      const std::int64_t distance = std::abs(position - anchor);
      // Right behind, or behind an inserted token; at a distance of two, a replaced token lies
      // between, or one that was deleted.
      const std::int64_t first = distance;
      const std::int64_t second = 3 - distance;
      for (const std::int64_t by : {first, second}) {
        if (!is_there(position, place + step * by)) continue;
        cover(at, static_cast<std::uint32_t>(place + step * by));
        anchor = position;
        edits += by != 1 || distance != 1;
        break;
      }
    }
  }
}

Covered Cover::take(const IndexData& index, const ItemEntry& entry, TokenRow row,
                    std::span<const GramMatch> matches) {
  if (stamps_.size() < entry.tokens) {
    stamps_.resize(entry.tokens);
    places_.resize(entry.tokens);
  }
  if (++stamp_ == 0) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
  covered_.clear();
  const ItemGrams grams = index.grams(entry);
  std::uint32_t end = matches.front().begin;
  std::uint32_t held = 0;
  for (const GramMatch& match : matches) {
    held += match.end - std::min(match.end, std::max(end, match.begin));
    end = std::max(end, match.end);
    grams.visit(match.key, [&](std::uint32_t position) {
      const std::uint32_t most = std::min(match.end - match.begin, entry.tokens - position);
      for (std::uint32_t i = 0; i < most; ++i) cover(position + i, match.begin + i);
      return true;
    });
  }
  fill(index, entry, row, 1);
  fill(index, entry, row, -1);
  std::sort(covered_.begin(), covered_.end());

  Covered result;
  result.density = static_cast<double>(held) / (end - matches.front().begin);
  double run = 0;
  std::int64_t last = -2;
  std::size_t last_part = 0;
  for (const std::uint32_t position : covered_) {
    const std::uint64_t token = entry.first_token + position;
    const std::size_t part = index.part(token);
    const auto weight = static_cast<double>(index.weights[token]);
    result.parts[part] += weight;
    // Formulas are made of single letters, and two questions may share one.
    const double telling = (index.parts[token] & IndexData::kLetter) != 0 ? 0 : weight;
    run = position == last + 1 && part == last_part ? run + telling : telling;
    result.run = std::max(result.run, run);
    last = position;
    last_part = part;
  }
  double gap = 0;
  for (std::uint32_t i = 0; i < entry.tokens; ++i) {
    if (index.part(entry.first_token + i) != kQ) break;  // the question comes first
    gap = is_covered(i) ? 0 : gap + static_cast<double>(index.weights[entry.first_token + i]);
    result.gap = std::max(result.gap, gap);
  }
  return result;
}

std::optional<Judged> judge(const ScanSettings& settings, const std::array<double, kParts>& totals,
                            const Covered& covered) {
  const auto& c = covered.parts;
  const auto& t = totals;
  struct Seen {
    View view;
    bool applies;
    double ratio;
    double mass;
  };
  const Seen views[] = {
      {View::kQuestion, t[kQ] > 0, share(c[kQ], t[kQ]), c[kQ]},
      {View::kEditedQuestion, t[kQ] > 0 && covered.gap <= settings.most_gap, share(c[kQ], t[kQ]),
       c[kQ]},
      {View::kQuestionOptions, t[kO] > 0 && c[kO] >= kLeastOptions * t[kO],
       share(c[kQ] + c[kO], t[kQ] + t[kO]), c[kQ] + c[kO]},
      {View::kQuestionAnswer,
       t[kA] > 0 && c[kA] >= kLeastAnswer * t[kA] && c[kQ] >= kLeastQuestion * t[kQ],
       share(c[kQ] + c[kA], t[kQ] + t[kA]), c[kQ] + c[kA]},
      {View::kRun, t[kQ] > 0 && c[kQ] >= kLeastRunQuestion * t[kQ],
       share(covered.run, t[kQ] + t[kO]), std::min(covered.run, c[kQ] + c[kO])},
      {View::kPassage, t[kP] > 0, share(c[kP], t[kP]), c[kP]}};

  std::optional<Judged> best;
  double best_margin = 0;
  for (const Seen& seen : views) {
    const ViewBound& bound = settings.bounds[static_cast<std::size_t>(seen.view)];
    if (!seen.applies || seen.mass <= 0) continue;
    const double margin = seen.ratio - least_ratio(bound, seen.mass);
    const bool found =
        margin >= 0 && seen.mass >= bound.least_mass && covered.density >= settings.least_density;
    if (!found && !settings.keep_all) continue;
    if (best && margin <= best_margin) continue;
    best = Judged{Verdict::kFlag, seen.view, seen.ratio, seen.mass};
    best_margin = margin;
  }
  if (!best) return best;
  const double question = share(c[kQ], t[kQ]);
  const bool has_rest = (t[kO] > 0 && c[kO] >= settings.drop_options * t[kO]) ||
                        (t[kA] > 0 && c[kA] >= settings.drop_answer * t[kA]);
  const double most_gap = std::max(settings.most_gap, kMostGapShare * t[kQ]);
  if ((question >= settings.drop_question && covered.gap <= most_gap) ||
      (question >= settings.drop_question_with && has_rest)) {
    best->verdict = Verdict::kDrop;
  }
  return best;
}

}  // namespace headrace::leak
