// SPDX-License-Identifier: Apache-2.0
// The matcher: backtracking with a stack of its own, so that no text overflows it.
//
// Runs of single characters, which are nearly all of a split pattern, are one instruction and one
// frame, however long they are: giving back a character moves the frame. Cost: that of any
// backtracking engine, linear for patterns whose alternatives differ in their first characters.
#include "tokenize/regex.h"

#include <limits>

#include "base/error.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::size_t step_back(std::string_view text, std::size_t position) {
  do {
    --position;
  } while ((static_cast<std::uint8_t>(text[position]) & 0xC0) == 0x80);
  return position;
}

}  // namespace

Regex::Set::Set(CodePointSet set) : set_(std::move(set)), table_(kTable / 64) {
  for (const CodePointSet::Range& range : set_.ranges()) {
    for (std::uint32_t c = range.first; c <= range.last && c < kTable; ++c) {
      table_[c >> 6] |= std::uint64_t{1} << (c & 63);
    }
  }
}

bool Regex::find(std::string_view text, std::size_t from, Scratch* scratch,
                 RegexMatch* match) const {
  for (std::size_t begin = from; begin <= text.size();) {
    const std::size_t end = run(0, text, begin, scratch);
    if (end != kFails) {
      *match = {begin, end};
      return true;
    }
    if (begin == text.size()) break;
    begin += utf8_length(static_cast<std::uint8_t>(text[begin]));
  }
  return false;
}

// The end of as long a run as there may be, kFails if it is too short; *floor: of the shortest.
std::size_t Regex::take(const Instruction& run, std::string_view text, std::size_t position,
                        std::size_t* floor) const {
  const Set& set = sets_[run.a];
  const std::uint8_t* const bytes = bytes_of(text);
  for (std::uint32_t count = 0; count < run.max; ++count) {
    if (count == run.min) *floor = position;
    std::uint32_t length = 0;
    if (position == text.size() || !set.contains(utf8_decode(bytes + position, &length))) {
      return count < run.min ? kFails : position;
    }
    position += length;
  }
  if (run.max == run.min) *floor = position;
  return position;
}

bool Regex::is_at(Op place, std::string_view text, std::size_t position) const {
  const bool behind_newline = position > 0 && text[position - 1] == '\n';
  switch (place) {
    case Op::kTextBegin:
      return position == 0;
    case Op::kTextEnd:
      return position == text.size();
    case Op::kLineBegin:
      return position == 0 || (behind_newline && position < text.size());
    default:
      return position == text.size() || text[position] == '\n';
  }
}

std::size_t Regex::run(std::uint32_t pc, std::string_view text, std::size_t position,
                       Scratch* stack) const {
  const std::size_t base = stack->size();
  const std::uint8_t* const bytes = bytes_of(text);
  for (bool fails = false;;) {
    if (fails) {
      if (stack->size() == base) return kFails;
      Frame& frame = stack->back();
      pc = frame.pc;
      if (frame.more > 0) {  // a lazy run takes one more
        const Instruction& lazy = code_[pc - 1];
        std::uint32_t length = 0;
        if (frame.position == text.size() ||
            !sets_[lazy.a].contains(utf8_decode(bytes + frame.position, &length))) {
          stack->pop_back();
          continue;
        }
        position = frame.position += length;
        if (--frame.more == 0) stack->pop_back();
      } else if (frame.position > frame.floor) {
        position = frame.position = step_back(text, frame.position);
        if (position == frame.floor) stack->pop_back();
      } else {
        position = frame.position;
        stack->pop_back();
      }
    }
    fails = false;
    const Instruction& now = code_[pc];
    std::size_t floor = 0;
    switch (now.op) {
      case Op::kSet: {
        std::uint32_t length = 0;
        fails = position == text.size() ||
                !sets_[now.a].contains(utf8_decode(bytes + position, &length));
        position += length;
        ++pc;
        break;
      }
      case Op::kRun:
      case Op::kRunKeep: {
        const std::size_t end = take(now, text, position, &floor);
        fails = end == kFails;
        if (fails) break;
        ++pc;
        position = end;
        if (now.op == Op::kRun && end > floor) stack->push_back({pc, end, floor, 0});
        break;
      }
      case Op::kRunLazy: {
        Instruction least = now;
        least.max = now.min;
        const std::size_t end = take(least, text, position, &floor);
        fails = end == kFails;
        if (fails) break;
        ++pc;
        position = end;
        if (now.max > now.min) stack->push_back({pc, end, end, now.max - now.min});
        break;
      }
      case Op::kSplit:
        stack->push_back({now.b, position, position, 0});
        pc = now.a;
        break;
      case Op::kJump:
        pc = now.a;
        break;
      case Op::kAhead:
      case Op::kNotAhead:
      case Op::kAtomic: {
        const std::size_t end = run(pc + 1, text, position, stack);
        fails = (end == kFails) != (now.op == Op::kNotAhead);
        if (!fails && now.op == Op::kAtomic) position = end;
        pc = now.a;
        break;
      }
      case Op::kMatch:
        stack->resize(base);
        return position;
      default:
        fails = !is_at(now.op, text, position);
        ++pc;
        break;
    }
  }
}

}  // namespace headrace::tokenize
