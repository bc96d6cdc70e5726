// SPDX-License-Identifier: Apache-2.0
// Viterbi over the places between characters: from each, every piece that the text goes on with.
// Linear, since pieces have a longest.
//
// The text is not cut, though no piece may cross many a place: sums are rounded, and where two ways
// are as likely as each other the rounding of all that stands before decides which one is taken.
#include "tokenize/unigram.h"

#include <algorithm>

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

template <class Sum>
struct Place {
  Sum score = 0;
  std::uint32_t id = 0;
  std::uint32_t begin = ByteTrie::kNoValue;
};

template <class Sum>
struct UnigramScratch final : PieceModel::Scratch {
  std::vector<Place<Sum>> places;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // id, begin; last first
};

template <class Sum>
class Unigram final : public PieceModel {
 public:
  explicit Unigram(UnigramSpec spec) : spec_(std::move(spec)) {}

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<UnigramScratch<Sum>>();
  }

  void encode(std::string_view text, Scratch* scratch,
              std::vector<std::uint32_t>* ids) const override {
    auto& [places, path] = static_cast<UnigramScratch<Sum>&>(*scratch);
    places.assign(text.size() + 1, {});
    for (std::size_t at = 0; at < text.size();) at += extend(text, at, &places);
    path.clear();
    for (auto end = static_cast<std::uint32_t>(text.size()); end > 0; end = path.back().second) {
      path.emplace_back(places[end].id, places[end].begin);
    }
    std::ranges::reverse(path);
    emit(text, path, ids);
  }

 private:
  // Tries the pieces that begin at `at`. Returns the bytes of the character there.
  std::size_t extend(std::string_view text, std::size_t at, std::vector<Place<Sum>>* places) const {
    const std::size_t length = utf8_length(static_cast<std::uint8_t>(text[at]));
    const Sum here = (*places)[at].score;
    const auto offer = [&](std::size_t end, double score, std::uint32_t id) {
      Place<Sum>& place = (*places)[end];
      const Sum sum = static_cast<Sum>(score) + here;
      if (place.begin == ByteTrie::kNoValue || sum > place.score) {
        place = {sum, id, static_cast<std::uint32_t>(at)};
      }
    };
    bool has_single = false;
    std::uint32_t node = ByteTrie::kRoot;
    for (std::size_t end = at; end < text.size();) {
      node = spec_.trie.child(node, text[end]);
      if (node == ByteTrie::kNowhere) break;
      ++end;
      const std::uint32_t id = spec_.trie.value(node);
      if (id == ByteTrie::kNoValue) continue;
      has_single = has_single || end - at == length;
      double score = spec_.pieces[id].score;
      if (spec_.pieces[id].is_user_defined) {
        score = static_cast<Sum>(end - at) * static_cast<Sum>(spec_.user_defined_score) - 0.1;
      }
      offer(end, score, id);
    }
    if (!has_single) offer(at + length, spec_.unknown_score, kUnknown);
    return length;
  }

  void emit(std::string_view text, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& path,
            std::vector<std::uint32_t>* ids) const {
    const auto is_unknown = [this](std::uint32_t id) {
      return id == kUnknown || (spec_.unknown && id == *spec_.unknown);
    };
    for (std::size_t i = 0; i < path.size();) {
      if (!is_unknown(path[i].first)) {
        ids->push_back(path[i++].first);
        continue;
      }
      const std::size_t begin = path[i].second;
      while (i < path.size() && is_unknown(path[i].first)) ++i;
      emit_unknown(text.substr(begin, (i < path.size() ? path[i].second : text.size()) - begin),
                   ids);
    }
  }

  // A run of unknown characters.
  void emit_unknown(std::string_view run, std::vector<std::uint32_t>* ids) const {
    std::uint32_t id = 0;
    if (spec_.looks_up_unknown && spec_.trie.longest_prefix(run, &id) == run.size()) {
      return ids->push_back(id);
    }
    const auto byte_id = [this](char byte) { return spec_.bytes[static_cast<std::uint8_t>(byte)]; };
    if (std::ranges::all_of(run, [&](char byte) { return byte_id(byte).has_value(); })) {
      for (const char byte : run) ids->push_back(*byte_id(byte));
    } else {
      ids->push_back(spec_.unknown.value_or(0));
    }
  }

  static constexpr std::uint32_t kUnknown = ByteTrie::kNoValue;
  UnigramSpec spec_;
};

}  // namespace

std::unique_ptr<const PieceModel> make_unigram(UnigramSpec spec) {
  if (spec.single_precision) return std::make_unique<Unigram<float>>(std::move(spec));
  return std::make_unique<Unigram<double>>(std::move(spec));
}

}  // namespace headrace::tokenize
