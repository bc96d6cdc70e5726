// SPDX-License-Identifier: Apache-2.0
// Telephone numbers, by shape: a number is cut into its groups of digits and what separates them,
// and a form must fit whole groups.
//
//   Chinese mobile   13812345678  138-1234-5678  138 1234 5678; +86, 0086, 86- before it
//   Chinese landline 010-88886666  (0571)8888666  021-6888 8888  0755-12345678-801  400-820-8820
//   North America    (415) 555-2671  415-555-2671  415.555.2671  1-415-555-2671
//   international    +44 20 7946 0958  +8613812345678  +1 (415) 555-2671
//
// Numbers without a form of their own (seven or eight bare digits; ten bare digits) are left alone:
// they are prices, counts and identifiers far more often. So is a number that stands in a longer
// one (ISBN 978-7-302-12345-6, 13812345678.5), in a path or in a row of numbers.
#include <array>

#include "normalize/internal/pii.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kMaxDigits = 15;  // E.164
constexpr char kDash = '~';             // stands for the dashes beyond ASCII

// What stands between two groups of digits.
struct Separator {
  char kind = 0;  // '-', kDash, ' ', '.', '(' or ')'; 0: none
  std::size_t length = 0;
};

// A dash, also those of Unicode and the full-width one.
std::size_t dash_length(std::string_view text) {
  if (text.starts_with('-')) return 1;
  if (text.starts_with("\xE2\x80") && text.size() > 2 && text[2] >= '\x90' && text[2] <= '\x95')
    return 3;
  return text.starts_with("\xEF\xBC\x8D") ? 3 : 0;
}

Separator separator_at(std::string_view text) {
  if (const std::size_t dash = dash_length(text); dash > 0) return {dash == 1 ? '-' : kDash, dash};
  if (text.starts_with(" (")) return {'(', 2};
  if (text.starts_with('(')) return {'(', 1};
  if (text.starts_with(' ')) return {' ', 1};
  if (text.starts_with('.')) return {'.', 1};
  const std::size_t close = text.starts_with(')') ? 1 : text.starts_with("\xEF\xBC\x89") ? 3 : 0;
  if (close == 0) return {};
  text.remove_prefix(close);
  return {')', close + (text.starts_with(' ') ? 1 : dash_length(text))};
}

struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;
  char separator = 0;  // before it
  std::size_t digits() const { return end - begin; }
};

class Groups {
 public:
  Groups(const MaskedText& text, std::size_t begin) : text_(text) {
    for (std::size_t i = begin; count_ < groups_.size();) {
      const Separator separator = i == begin ? Separator{} : separator_at(text.text.substr(i));
      const std::size_t first = i + separator.length;
      if ((i != begin && separator.kind == 0) || !is_digit(text.at(first))) break;
      const std::size_t limit = first + kMaxDigits;
      std::size_t end = first;
      while (end <= limit && is_digit(text.at(end))) ++end;
      groups_[count_++] = {first, end, separator.kind};
      if (end > limit) break;
      i = end;
    }
  }

  std::size_t size() const { return count_; }
  const Group& operator[](std::size_t i) const { return groups_[i]; }
  char digit(std::size_t group, std::size_t i) const {
    return text_.text[groups_[group].begin + i];
  }

  // Whether the groups from `first` on have these lengths, with `separator` between them.
  bool fit(std::size_t first, std::initializer_list<std::size_t> lengths, char separator) const {
    std::size_t i = first;
    for (const std::size_t length : lengths) {
      if (i >= count_ || groups_[i].digits() != length) return false;
      if (i > first && groups_[i].separator != separator) return false;
      ++i;
    }
    return true;
  }

 private:
  const MaskedText& text_;
  std::array<Group, 8> groups_;
  std::size_t count_ = 0;
};

// Each form gives the number of groups that it takes, 0 if it does not fit.

std::size_t mobile(const Groups& groups, std::size_t first) {
  if (first >= groups.size() || groups[first].digits() < 3) return 0;
  if (groups.digit(first, 0) != '1' || groups.digit(first, 1) < '3') return 0;
  if (groups.fit(first, {11}, 0)) return 1;
  for (const char separator : {'-', kDash, ' '}) {
    if (groups.fit(first, {3, 4, 4}, separator) || groups.fit(first, {3, 3, 5}, separator))
      return 3;
  }
  return 0;
}

std::size_t landline(const Groups& groups) {
  if (groups.size() < 2 || groups.digit(0, 0) != '0' || groups[1].separator == '.') return 0;
  const std::size_t area = groups[0].digits();
  const bool big_city = area == 3 && (groups.digit(0, 1) == '1' || groups.digit(0, 1) == '2');
  if (!big_city && !(area == 4 && groups.digit(0, 1) >= '3')) return 0;
  if (groups.digit(1, 0) < '2') return 0;
  const std::size_t local = groups[1].digits();
  if (local == 8 || (local == 7 && !big_city)) {
    const bool extension =
        groups.size() > 2 && groups[2].separator == '-' && groups[2].digits() <= 5;
    return extension ? 3 : 2;
  }
  const bool halves = groups.size() > 2 && groups[2].digits() == 4 &&
                      (groups[2].separator == '-' || groups[2].separator == ' ') &&
                      (local == 4 || (local == 3 && !big_city));
  return halves ? 3 : 0;
}

std::size_t north_american(const Groups& groups, std::size_t first) {
  for (const char separator : {'-', '.', ')'}) {
    const char last = separator == ')' ? '-' : separator;
    if (groups.size() < first + 3 || !groups.fit(first + 1, {3, 4}, last)) continue;
    if (groups[first].digits() != 3 || groups[first + 1].separator != separator) continue;
    if (groups.digit(first, 0) >= '2' && groups.digit(first + 1, 0) >= '2') return first + 3;
  }
  return 0;
}

// 400 and 800: numbers of companies; 400-820-8820 has the North American form.
std::size_t service(const Groups& groups) {
  const bool known = groups.digit(0, 0) == '4' || groups.digit(0, 0) == '8';
  return known && groups.fit(0, {3, 4, 3}, '-') && groups.digit(0, 1) == '0' ? 3 : 0;
}

bool currency_before(std::string_view left) {
  return left.ends_with("\xC2\xA5") || left.ends_with("\xEF\xBF\xA5") ||
         left.ends_with("\xE2\x82\xAC") || left.ends_with("\xC2\xA3");
}

bool begins_well(const MaskedText& text, std::size_t begin, bool spaced) {
  const char before = text.before(begin);
  if (is_word(before)) return false;
  // A list of numbers with slashes is masked from its first on.
  if (before == '/') return begin - 1 > 0 && text.before(begin - 1) == '>';
  if (std::string_view(".-@#$%+*\\").find(before) != std::string_view::npos) return false;
  if (currency_before(text.left_of(begin, 3))) return false;
  return !(spaced && before == ' ' && begin - 1 > text.floor && is_digit(text.before(begin - 1)));
}

bool ends_well(const MaskedText& text, std::size_t end, bool spaced) {
  const char after = text.at(end);
  if (is_word(after) || after == '@' || after == '%') return false;
  if ((after == '.' || after == '-') && is_digit(text.at(end + 1))) return false;
  if (!spaced || after != ' ' || !is_digit(text.at(end + 1))) return true;
  // "138 1234 5678 9012" is a row of numbers; "138 1234 5678 010-88886666" is not.
  const std::size_t next = std::min(text.digits_end(end + 1), end + 9);
  const bool alone = std::string_view(" \t\n,;").find(text.at(next)) != std::string_view::npos;
  return !alone || next - end > 7;
}

// Countries whose numbers have one length, and the rest.
bool international_length(std::string_view digits, bool one_group, bool dots) {
  if (digits.front() == '1') return digits.size() == 11;
  if (dots || digits.size() > kMaxDigits) return false;
  if (digits.starts_with("86")) {
    const std::string_view national = digits.substr(2);
    if (national.starts_with('1') && national.size() > 1 && national[1] >= '3')
      return national.size() == 11;
    return national.size() >= 10 && national.size() <= 12;
  }
  return digits.size() >= (one_group ? 10U : 9U);
}

}  // namespace

Span find_international_phone(const MaskedText& text, std::size_t plus) {
  const char before = text.before(plus);
  if (is_word(before) || before == '+' || before == ')' || before == ']') return {};
  const Groups groups(text, plus + 1);
  if (groups.size() == 0 || groups.digit(0, 0) == '0') return {};
  const bool open = before == '(' && groups.size() > 1 && groups[1].separator == ')';
  std::array<char, kMaxDigits + 1> digits;
  std::size_t count = 0;
  std::size_t end = 0;
  bool dots = false;
  for (std::size_t i = 0; i < groups.size() && count + groups[i].digits() <= kMaxDigits; ++i) {
    const Group& group = groups[i];
    std::copy(text.text.begin() + static_cast<std::ptrdiff_t>(group.begin),
              text.text.begin() + static_cast<std::ptrdiff_t>(group.end),
              digits.begin() + static_cast<std::ptrdiff_t>(count));
    count += group.digits();
    dots |= group.separator == '.';
    const std::string_view number(digits.data(), count);
    if (number.starts_with("28") || number.starts_with("83") || number.starts_with("89")) return {};
    if (international_length(number, i == 0, dots) && ends_well(text, group.end, false))
      end = group.end;
  }
  return end == 0 ? Span{} : Span{open ? plus - 1 : plus, end};
}

Span find_phone(const MaskedText& text, std::size_t at) {
  const Groups groups(text, at);
  if (groups.size() == 0) return {};
  std::size_t begin = at;
  std::size_t taken = 0;
  if (groups[0].digits() == 4 && text.text.substr(at, 4) == "0086" && groups.size() > 1) {
    taken = mobile(groups, 1);
    if (taken > 0) ++taken;
  } else if (taken = mobile(groups, 0); taken > 0) {
    if (text.left_of(at, 3) == "86-") begin = at - 3;
  } else if (taken = landline(groups); taken == 0) {
    taken = north_american(groups, 0);
    if (taken > 0 && groups[1].separator == '-' && text.left_of(at, 2) == "1-") begin = at - 2;
    if (taken == 0) taken = service(groups);
  }
  if (taken == 0) return {};
  // The bracket belongs to the number when it closes in it.
  if (taken > 1 && groups[1].separator == ')') {
    if (text.before(at) == '(') {
      begin = at - 1;
    } else if (text.left_of(at, 3) == "\xEF\xBC\x88") {
      begin = at - 3;
    } else {
      return {};
    }
  }
  bool spaced = false;
  for (std::size_t i = 1; i < taken; ++i) spaced |= groups[i].separator == ' ';
  const std::size_t end = groups[taken - 1].end;
  return begins_well(text, begin, spaced) && ends_well(text, end, spaced) ? Span{begin, end}
                                                                          : Span{};
}

}  // namespace headrace::normalize::internal
