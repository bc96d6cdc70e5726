// SPDX-License-Identifier: Apache-2.0
// Regular expressions of tokenizer files, for the patterns that no scanner is written for.
//
// The two dialects are those of Oniguruma (tokenizer.json) and fancy-regex (tiktoken), on the
// Unicode tables that these engines have (16.0). What is not known is refused by name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "tokenize/code_point_set.h"

namespace headrace::tokenize {

enum class RegexDialect { kOniguruma, kFancyRegex };

struct RegexMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Immutable once parsed: thread-safe.
class Regex {
 public:
  // Places to come back to, of one search at a time.
  struct Frame {
    std::uint32_t pc = 0;
    std::size_t position = 0;
    std::size_t floor = 0;   // a run of characters gives back down to here
    std::uint32_t more = 0;  // a lazy run may take so many more
  };
  using Scratch = std::vector<Frame>;

  static Result<Regex> parse(std::string_view pattern, RegexDialect dialect);

  // The leftmost match at or after `from` (the begin of a character), as backtracking engines
  // choose it: alternatives in their order. `text` is valid UTF-8 and the whole of what the pattern
  // may see.
  bool find(std::string_view text, std::size_t from, Scratch* scratch, RegexMatch* match) const;

  bool may_match_nothing() const { return may_match_nothing_; }

  // --- what the parser makes and the matcher runs ---
  enum class Op : std::uint8_t {
    kSet,       // a character of set `a`
    kRun,       // min to max of them, as many as possible, gives back
    kRunLazy,   // as few as possible
    kRunKeep,   // as many as possible, gives none back
    kSplit,     // goes on at `a`, and if that fails at `b`
    kJump,      // goes on at `a`
    kAhead,     // what follows it up to a kMatch matches here; then on at `a`
    kNotAhead,  // it does not
    kAtomic,    // it matches and is passed, without coming back to it; then on at `a`
    kTextBegin,
    kTextEnd,
    kLineBegin,  // as Oniguruma has them
    kLineEnd,
    kMatch,
  };
  struct Instruction {
    Op op = Op::kMatch;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t min = 0;
    std::uint32_t max = 0;
  };
  // A set with a table for the characters below U+10000.
  class Set {
   public:
    explicit Set(CodePointSet set);
    bool contains(std::uint32_t c) const {
      return c < kTable ? (table_[c >> 6] >> (c & 63) & 1) != 0 : set_.contains(c);
    }

   private:
    static constexpr std::uint32_t kTable = 0x10000;
    CodePointSet set_;
    std::vector<std::uint64_t> table_;
  };

 private:
  static constexpr std::size_t kFails = static_cast<std::size_t>(-1);
  // The end of the match of the instructions from `pc` on at `position`.
  std::size_t run(std::uint32_t pc, std::string_view text, std::size_t position,
                  Scratch* stack) const;
  std::size_t take(const Instruction& run, std::string_view text, std::size_t position,
                   std::size_t* floor) const;
  bool is_at(Op place, std::string_view text, std::size_t position) const;

  std::vector<Instruction> code_;
  std::vector<Set> sets_;
  bool may_match_nothing_ = false;
};

// The set behind \p{NAME}. Unsupported: a property whose table is not known.
Result<CodePointSet> property_set(std::string_view name);
// \s, and \w as each dialect has it; Oniguruma has another one outside of [].
const CodePointSet& space_set();
const CodePointSet& word_set(RegexDialect dialect, bool in_class);

}  // namespace headrace::tokenize
