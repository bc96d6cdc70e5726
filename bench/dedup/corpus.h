// SPDX-License-Identifier: Apache-2.0
// A corpus of any size whose duplicates are known, drawn from a seed document by document: nothing
// of it is stored. 60 of 100 documents are unique, 20 exact copies, 20 near copies by a list of
// edits.
#pragma once

#include <cstdint>
#include <string>

#include "base/counter_rng.h"

namespace headrace::dedup::bench {

enum class Kind { kUnique, kExact, kNear };

struct Planted {
  Kind kind = Kind::kUnique;
  std::uint64_t base = 0;  // the unique document that it is a copy of; itself if unique
};

class Corpus {
 public:
  explicit Corpus(std::uint64_t seed = 1, std::uint64_t least_words = 50, std::uint64_t span = 50)
      : kinds_(seed, purpose("kind")),
        bases_(seed, purpose("base")),
        words_(seed, purpose("words")),
        edits_(seed, purpose("edits")),
        least_words_(least_words),
        span_(span) {}

  Planted planted(std::uint64_t i) const {
    const std::uint64_t draw = kinds_.below(i, 100);
    if (i == 0 || draw < 60) return {Kind::kUnique, i};
    for (std::uint64_t attempt = 0;; ++attempt) {
      const std::uint64_t base = bases_.below(i * 64 + attempt, i);
      if (base == 0 || kinds_.below(base, 100) < 60)
        return {draw < 80 ? Kind::kExact : Kind::kNear, base};
    }
  }

  // English-like words of four to nine letters; a near copy has one word in 40 or so replaced, left
  // out or added to.
  void text(std::uint64_t i, std::string* text) const {
    const Planted what = planted(i);
    const std::uint64_t count = least_words_ + words_.below(what.base << 16, span_);
    const std::uint64_t edits =
        what.kind == Kind::kNear ? 1 + edits_.below(i << 16, 1 + count / 40) : 0;
    text->clear();
    for (std::uint64_t k = 0; k < count; ++k) {
      std::uint64_t word = words_.at(what.base << 16 | (k + 1));
      for (std::uint64_t edit = 0; edit < edits; ++edit) {
        if (edits_.below(i << 16 | (2 * edit + 1), count) != k) continue;
        const std::uint64_t how = edits_.below(i << 16 | (2 * edit + 2), 3);
        if (how == 0) word = 0;
        if (how == 1) word = edits_.at(i << 16 | (2 * edit + 2));
        if (how == 2) add(edits_.at(i << 16 | (2 * edit + 2)), text);
      }
      if (word != 0) add(word, text);
    }
  }

 private:
  static void add(std::uint64_t word, std::string* text) {
    for (std::uint64_t length = 4 + word % 6; length > 0; --length, word /= 26)
      *text += static_cast<char>('a' + word % 26);
    *text += ' ';
  }

  CounterRng kinds_;
  CounterRng bases_;
  CounterRng words_;
  CounterRng edits_;
  std::uint64_t least_words_;
  std::uint64_t span_;
};

}  // namespace headrace::dedup::bench
