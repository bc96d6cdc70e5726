// SPDX-License-Identifier: Apache-2.0
// Tree → instructions.
#include "base/error.h"
#include "tokenize/regex_syntax.h"

namespace headrace::tokenize {
namespace {

constexpr std::size_t kMostInstructions = 20000;

class Emitter {
 public:
  Emitter(std::vector<Regex::Instruction>* code, std::vector<Regex::Set>* sets)
      : code_(*code), sets_(*sets) {}

  bool is_too_long() const { return code_.size() > kMostInstructions; }

  void emit(const RegexNode& node) {
    if (is_too_long()) return;
    switch (node.kind) {
      case RegexNode::Kind::kSet:
        add({.op = Regex::Op::kSet, .a = set(node.set)});
        break;
      case RegexNode::Kind::kSequence:
        for (const RegexNode& part : node.parts) emit(part);
        break;
      case RegexNode::Kind::kChoice:
        emit_choice(node);
        break;
      case RegexNode::Kind::kRepeat:
        emit_repeat(node);
        break;
      case RegexNode::Kind::kLook:
        emit_inner(node.negated ? Regex::Op::kNotAhead : Regex::Op::kAhead, node.parts[0]);
        break;
      case RegexNode::Kind::kAtomic:
        emit_inner(Regex::Op::kAtomic, node.parts[0]);
        break;
      case RegexNode::Kind::kPlace:
        add({.op = node.place});
        break;
    }
  }

  std::size_t add(const Regex::Instruction& instruction) {
    code_.push_back(instruction);
    return code_.size() - 1;
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.size()); }

  std::uint32_t set(const CodePointSet& s) {
    const auto known = std::ranges::find(known_, s);
    const auto number = static_cast<std::uint32_t>(known - known_.begin());
    if (known == known_.end()) {
      known_.push_back(s);
      sets_.emplace_back(s);
    }
    return number;
  }

  void emit_inner(Regex::Op op, const RegexNode& inner) {
    const std::size_t begin = add({.op = op});
    emit(inner);
    add({.op = Regex::Op::kMatch});
    code_[begin].a = here();
  }

  void emit_choice(const RegexNode& node) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      if (i + 1 == node.parts.size()) {
        emit(node.parts[i]);
        break;
      }
      const std::size_t split = add({.op = Regex::Op::kSplit, .a = here() + 1});
      emit(node.parts[i]);
      jumps.push_back(add({.op = Regex::Op::kJump}));
      code_[split].b = here();
    }
    for (const std::size_t jump : jumps) code_[jump].a = here();
  }

  void emit_repeat(const RegexNode& node) {
    const RegexNode& inner = node.parts[0];
    if (inner.kind == RegexNode::Kind::kSet) {
      const Regex::Op op = node.mode == RegexNode::Mode::kGreedy ? Regex::Op::kRun
                           : node.mode == RegexNode::Mode::kLazy ? Regex::Op::kRunLazy
                                                                 : Regex::Op::kRunKeep;
      add({.op = op, .a = set(inner.set), .min = node.min, .max = node.max});
      return;
    }
    if (node.mode == RegexNode::Mode::kPossessive) {
      RegexNode greedy = node;
      greedy.mode = RegexNode::Mode::kGreedy;
      emit_inner(Regex::Op::kAtomic, greedy);
      return;
    }
    for (std::uint32_t i = 0; i < node.min && !is_too_long(); ++i) emit(inner);
    const auto split = [&](std::size_t at, std::uint32_t on, std::uint32_t out) {
      const bool is_lazy = node.mode == RegexNode::Mode::kLazy;
      code_[at].a = is_lazy ? out : on;
      code_[at].b = is_lazy ? on : out;
    };
    if (node.max == kNoLimit) {
      const std::size_t loop = add({.op = Regex::Op::kSplit});
      emit(inner);
      add({.op = Regex::Op::kJump, .a = static_cast<std::uint32_t>(loop)});
      split(loop, static_cast<std::uint32_t>(loop) + 1, here());
      return;
    }
    std::vector<std::size_t> splits;
    for (std::uint32_t i = node.min; i < node.max && !is_too_long(); ++i) {
      splits.push_back(add({.op = Regex::Op::kSplit}));
      emit(inner);
    }
    for (const std::size_t at : splits) split(at, static_cast<std::uint32_t>(at) + 1, here());
  }

  std::vector<Regex::Instruction>& code_;
  std::vector<Regex::Set>& sets_;
  std::vector<CodePointSet> known_;
};

}  // namespace

Result<Regex> Regex::parse(std::string_view pattern, RegexDialect dialect) {
  HEADRACE_ASSIGN_OR_RETURN(const RegexNode node, parse_regex(pattern, dialect));
  Regex regex;
  Emitter emitter(&regex.code_, &regex.sets_);
  emitter.emit(node);
  emitter.add({.op = Op::kMatch});
  if (emitter.is_too_long()) return unsupported("pattern {}: too long", pattern);
  regex.may_match_nothing_ = node.may_be_empty();
  return regex;
}

}  // namespace headrace::tokenize
