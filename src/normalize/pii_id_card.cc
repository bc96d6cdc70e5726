// SPDX-License-Identifier: Apache-2.0
// Identity numbers of Chinese citizens, GB 11643-1999: a region (6 digits), the day of birth (8), a
// serial number (3) and a check character (ISO 7064 MOD 11-2). All four must be right, so a random
// run of 18 digits is taken for one in a hundred thousand cases. The numbers of 15 digits given out
// before 1999 have no check and are left alone.
#include <array>

#include "normalize/internal/pii.h"

namespace headrace::normalize::internal {
namespace {

int number(std::string_view digits) {
  int value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// First two digits of the region: GB/T 2260.
bool is_province(int code) {
  return (code >= 11 && code <= 15) || (code >= 21 && code <= 23) || (code >= 31 && code <= 37) ||
         (code >= 41 && code <= 46) || (code >= 50 && code <= 54) || (code >= 61 && code <= 65) ||
         code == 71 || (code >= 81 && code <= 83) || code == 91;
}

bool is_day(int year, int month, int day) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1850 || year > 2099 || month < 1 || month > 12 || day < 1) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// ISO 7064 MOD 11-2: each digit doubles what came before.
char check_character(std::string_view digits) {
  int sum = 0;
  for (const char c : digits) sum = (sum + (c - '0')) * 2 % 11;
  return "10X98765432"[sum];
}

}  // namespace

Span find_id_card(const MaskedText& text, std::size_t at) {
  constexpr std::size_t kDigits = 17;
  if (text.text.size() - at < kDigits + 1) return {};
  const std::string_view digits = text.text.substr(at, kDigits);
  const char check = text.text[at + kDigits];
  const char before = text.before(at);
  const std::size_t end = at + kDigits + 1;
  if (is_word(before) || before == '.' || before == '-' || is_word(text.at(end))) return {};
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return {};
  if (text.at(end) == '@') return {};
  if (check_character(digits) != (check == 'x' ? 'X' : check)) return {};
  const bool right = is_province(number(digits.substr(0, 2))) &&
                     is_day(number(digits.substr(6, 4)), number(digits.substr(10, 2)),
                            number(digits.substr(12, 2)));
  return right ? Span{at, end} : Span{};
}

}  // namespace headrace::normalize::internal
