// SPDX-License-Identifier: Apache-2.0
// Pattern → tree.
//
// Where the dialects differ: `X{n,m}+` is possessive in fancy-regex and a repeated group in
// Oniguruma; ^ and $ are at lines in Oniguruma and at the text in fancy-regex; \w. Refused by name:
// back references, look-behind, \b, [:names:], loops over what may match nothing, and properties
// whose table of Unicode 16.0 is not known.
#include "tokenize/regex_syntax.h"

#include <optional>

#include <unicode/uniset.h>

#include "base/error.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr int kDeepest = 100;
constexpr std::uint32_t kMostRepeats = 1000;

// The characters that match those of `set` when case does not count.
CodePointSet with_other_cases(const CodePointSet& set) {
  icu::UnicodeSet closed;
  for (const CodePointSet::Range& range : set.ranges()) {
    closed.add(static_cast<UChar32>(range.first), static_cast<UChar32>(range.last));
  }
  closed.closeOver(USET_CASE_INSENSITIVE);
  CodePointSet all;
  for (std::int32_t i = 0; i < closed.getRangeCount(); ++i) {
    all.add(static_cast<std::uint32_t>(closed.getRangeStart(i)),
            static_cast<std::uint32_t>(closed.getRangeEnd(i)));
  }
  return all;
}

class Parser {
 public:
  Parser(std::string_view pattern, RegexDialect dialect) : pattern_(pattern), dialect_(dialect) {}

  Result<RegexNode> parse() {
    HEADRACE_ASSIGN_OR_RETURN(RegexNode node, choice(0));
    if (!at_end()) return refuse("an unmatched ')'");
    return node;
  }

 private:
  bool at_end() const { return at_ == pattern_.size(); }
  bool starts(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
  bool take(std::string_view text) {
    if (!starts(text)) return false;
    at_ += text.size();
    return true;
  }
  std::uint32_t next() {
    std::uint32_t length = 0;
    const std::uint32_t c =
        utf8_decode(reinterpret_cast<const std::uint8_t*>(pattern_.data()) + at_, &length);
    at_ += length;
    return c;
  }
  Status refuse(std::string_view what) const {
    return unsupported("pattern {}: {} at byte {} is not supported", pattern_, what, at_);
  }

  Result<RegexNode> choice(int depth) {
    if (depth > kDeepest) return refuse("a group so deep");
    RegexNode node{.kind = RegexNode::Kind::kChoice};
    do {
      HEADRACE_ASSIGN_OR_RETURN(RegexNode part, sequence(depth));
      node.parts.push_back(std::move(part));
    } while (take("|"));
    if (node.parts.size() == 1) return std::move(node.parts[0]);
    return node;
  }

  Result<RegexNode> sequence(int depth) {
    RegexNode node;
    while (!at_end() && !starts("|") && !starts(")")) {
      // (?i) counts up to the end of its group.
      if (take("(?i)")) {
        any_case_ = true;
        continue;
      }
      HEADRACE_ASSIGN_OR_RETURN(RegexNode part, atom(depth));
      HEADRACE_ASSIGN_OR_RETURN(part, repeated(std::move(part)));
      node.parts.push_back(std::move(part));
    }
    return node;
  }

  Result<RegexNode> repeated(RegexNode node) {
    for (bool is_first = true;; is_first = false) {
      std::uint32_t min = 0;
      std::uint32_t max = kNoLimit;
      bool is_braced = false;
      if (take("*")) {
      } else if (take("+")) {
        min = 1;
      } else if (take("?")) {
        max = 1;
      } else if (starts("{")) {
        HEADRACE_RETURN_IF_ERROR(braces(&min, &max));
        is_braced = true;
      } else {
        return node;
      }
      if (!is_first && dialect_ == RegexDialect::kFancyRegex) return refuse("a repeated repeat");
      if (node.may_be_empty() && max == kNoLimit) return refuse("a loop over what may be nothing");
      RegexNode repeat{.kind = RegexNode::Kind::kRepeat, .min = min, .max = max};
      repeat.parts.push_back(std::move(node));
      if (take("?")) {
        if (is_braced && min == max && dialect_ == RegexDialect::kOniguruma) return refuse("{n}?");
        repeat.mode = RegexNode::Mode::kLazy;
      } else if (starts("+") && !(is_braced && dialect_ == RegexDialect::kOniguruma)) {
        ++at_;
        repeat.mode = RegexNode::Mode::kPossessive;
      }
      node = std::move(repeat);
    }
  }

  Result<void> braces(std::uint32_t* min, std::uint32_t* max) {
    ++at_;
    const auto number = [this](std::uint32_t* value) {
      const std::size_t begin = at_;
      for (*value = 0; !at_end() && pattern_[at_] >= '0' && pattern_[at_] <= '9'; ++at_) {
        *value = std::min(*value * 10 + static_cast<std::uint32_t>(pattern_[at_] - '0'),
                          kMostRepeats + 1);
      }
      return at_ > begin;
    };
    if (!number(min)) return refuse("'{' without a number");
    *max = *min;
    if (take(",") && !number(max)) *max = kNoLimit;
    if (!take("}") || *max < *min) return refuse("'{'");
    if (*min > kMostRepeats || (*max != kNoLimit && *max > kMostRepeats)) {
      return refuse("a repeat of more than a thousand times");
    }
    return {};
  }

  Result<RegexNode> atom(int depth) {
    if (starts("(")) return group(depth);
    RegexNode node{.kind = RegexNode::Kind::kPlace};
    const bool is_by_line = dialect_ == RegexDialect::kOniguruma;
    if (take("^")) {
      node.place = is_by_line ? Regex::Op::kLineBegin : Regex::Op::kTextBegin;
      return node;
    }
    if (take("$")) {
      node.place = is_by_line ? Regex::Op::kLineEnd : Regex::Op::kTextEnd;
      return node;
    }
    if (take("\\A") || take("\\z")) {
      node.place = pattern_[at_ - 1] == 'A' ? Regex::Op::kTextBegin : Regex::Op::kTextEnd;
      return node;
    }
    node.kind = RegexNode::Kind::kSet;
    if (take(".")) {
      node.set = CodePointSet{{'\n', '\n'}}.inverted();
    } else if (take("[")) {
      HEADRACE_ASSIGN_OR_RETURN(node.set, bracket(depth));
    } else if (starts("\\")) {
      HEADRACE_ASSIGN_OR_RETURN(node.set, escape(false));
    } else if (starts("*") || starts("+") || starts("?") || starts("{")) {
      return refuse("a repeat of nothing");
    } else {
      const std::uint32_t c = next();
      node.set.add(c, c);
    }
    if (any_case_) node.set = with_other_cases(node.set);
    return node;
  }

  Result<RegexNode> group(int depth) {
    ++at_;
    RegexNode node;
    const bool was_any_case = any_case_;
    bool wraps = true;
    if (take("?:")) {
      wraps = false;
    } else if (take("?i:")) {
      any_case_ = true;
      wraps = false;
    } else if (take("?=") || take("?!")) {
      node.kind = RegexNode::Kind::kLook;
      node.negated = pattern_[at_ - 1] == '!';
    } else if (take("?>")) {
      node.kind = RegexNode::Kind::kAtomic;
    } else if (starts("?")) {
      return refuse("a group of this kind");
    } else {
      wraps = false;  // what it captures nobody asks for
    }
    HEADRACE_ASSIGN_OR_RETURN(RegexNode inner, choice(depth + 1));
    if (!take(")")) return refuse("a group without its ')'");
    any_case_ = was_any_case;
    if (!wraps) return inner;
    node.parts.push_back(std::move(inner));
    return node;
  }

  // Behind '['. With &&, what is on both sides.
  Result<CodePointSet> bracket(int depth) {
    if (depth > kDeepest) return refuse("a class so deep");
    const bool is_negated = take("^");
    std::optional<CodePointSet> all;
    CodePointSet operand;
    const auto join = [&] { all = all ? all->intersected(operand) : operand; };
    for (bool is_first = true;; is_first = false) {
      if (at_end()) return refuse("a class without its ']'");
      if (starts("]") && !is_first) break;
      if (starts("]") || starts("[:")) return refuse("this in a class");
      if (take("&&")) {
        join();
        operand = {};
      } else if (take("[")) {
        HEADRACE_ASSIGN_OR_RETURN(const CodePointSet inner, bracket(depth + 1));
        operand.add(inner);
      } else {
        HEADRACE_RETURN_IF_ERROR(range(&operand));
      }
    }
    ++at_;
    join();
    return is_negated ? all->inverted() : *all;
  }

  Result<void> range(CodePointSet* set) {
    const auto end = [this]() -> Result<CodePointSet> {
      if (starts("\\")) return escape(true);
      const std::uint32_t c = next();
      return CodePointSet{{c, c}};
    };
    const auto single = [](const CodePointSet& s) {
      return s.ranges().size() == 1 && s.ranges()[0].first == s.ranges()[0].last;
    };
    HEADRACE_ASSIGN_OR_RETURN(const CodePointSet first, end());
    if (!starts("-") || pattern_.substr(at_).starts_with("-]") || !single(first)) {
      set->add(first);
      return {};
    }
    ++at_;
    if (at_end()) return refuse("a class without its ']'");
    if (starts("[") || starts("&&")) return refuse("'-' before a class");
    HEADRACE_ASSIGN_OR_RETURN(const CodePointSet last, end());
    if (!single(last) || last.ranges()[0].first < first.ranges()[0].first) {
      return refuse("a range that ends so");
    }
    set->add(first.ranges()[0].first, last.ranges()[0].first);
    return {};
  }

  Result<CodePointSet> escape(bool in_class) {
    ++at_;
    if (at_end()) return refuse("'\\' at the end");
    const std::uint32_t c = next();
    const auto one = [](std::uint32_t code) { return CodePointSet{{code, code}}; };
    switch (c) {
      case 's':
        return space_set();
      case 'S':
        return space_set().inverted();
      case 'w':
        return word_set(dialect_, in_class);
      case 'W':
        return word_set(dialect_, in_class).inverted();
      case 'd':
        return property_set("Nd");
      case 'D': {
        HEADRACE_ASSIGN_OR_RETURN(const CodePointSet digits, property_set("Nd"));
        return digits.inverted();
      }
      case 'p':
      case 'P':
        return property(c == 'P');
      case 'r':
        return one('\r');
      case 'n':
        return one('\n');
      case 't':
        return one('\t');
      case 'f':
        return one('\f');
      case 'v':
        return one('\v');
      case 'x':
      case 'u':
        return code_point(c == 'x' ? 2 : 4);
      default:
        break;
    }
    // A letter or digit has a meaning, here an unknown one; anything else is itself.
    const bool has_meaning = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                             (c >= 'A' && c <= 'Z') || (c >= 0x80 && !in_class);
    if (has_meaning) return refuse("this escape");
    return one(c);
  }

  // Behind \x or \u: {HEX} or `digits` of them.
  Result<CodePointSet> code_point(std::size_t digits) {
    std::size_t end = at_ + digits;
    std::size_t begin = at_;
    if (take("{")) {
      begin = at_;
      end = pattern_.find('}', at_);
    }
    if (end == std::string_view::npos || end > pattern_.size() || end == begin) {
      return refuse("this number of a character");
    }
    std::uint32_t c = 0;
    for (; begin < end; ++begin) {
      const auto digit =
          std::string_view("0123456789abcdef").find(static_cast<char>(pattern_[begin] | 0x20));
      if (digit == std::string_view::npos || c > kLastCodePoint) {
        return refuse("this number of a character");
      }
      c = c << 4 | static_cast<std::uint32_t>(digit);
    }
    at_ = end;
    take("}");
    if (c > kLastCodePoint) return refuse("this number of a character");
    return CodePointSet{{c, c}};
  }

  Result<CodePointSet> property(bool is_negated) {
    std::string_view name;
    if (take("{")) {
      if (take("^")) is_negated = !is_negated;
      const std::size_t end = pattern_.find('}', at_);
      if (end == std::string_view::npos) return refuse("\\p without its '}'");
      name = pattern_.substr(at_, end - at_);
      at_ = end + 1;
    } else if (dialect_ == RegexDialect::kFancyRegex && !at_end()) {
      name = pattern_.substr(at_++, 1);
    }
    auto set = property_set(name);
    if (!set) return set.error().with_context(fmt::format("pattern {}", pattern_));
    return is_negated ? set->inverted() : *set;
  }

  std::string_view pattern_;
  RegexDialect dialect_;
  std::size_t at_ = 0;
  bool any_case_ = false;
};

}  // namespace

Result<RegexNode> parse_regex(std::string_view pattern, RegexDialect dialect) {
  return Parser(pattern, dialect).parse();
}

}  // namespace headrace::tokenize
