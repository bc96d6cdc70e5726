// SPDX-License-Identifier: Apache-2.0
// Masks personal data: e-mail addresses, telephone numbers, Chinese identity numbers and public IP
// addresses become <EMAIL>, <PHONE>, <ID_CARD> and <IP>. One token each, which no tokenizer takes
// for a word, and which a search finds again; datatrove's made-up addresses and dolma's
// |||EMAIL_ADDRESS||| hold the same place.
//
// Exactness before completeness: what also is a version, a price, a date, an ISBN or a number of a
// program stays. What each kind takes stands at the top of its file (pii_email.cc, pii_phone.cc,
// pii_id_card.cc, pii_ip.cc). Names, postal addresses, bank accounts and user names need a model
// and are not found.
//
// The scan looks for "@", three digits, digit.digit, "+" before a digit and hex:hex, 16 bytes at a
// time; a finder looks at no more than some hundred bytes around such a place, and a run of digits
// is looked at once: linear time. Where a number is part of the name of an e-mail address, the
// address decides.
#include "normalize/internal/pii.h"

#include <array>

#include "base/error.h"
#include "normalize/internal/suspects.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using internal::is;
using internal::MaskedText;
using internal::Span;
using internal::within;

enum Kind { kEmail, kPhone, kIdCard, kIp, kKinds };

constexpr std::array<std::string_view, kKinds> kNames = {"email", "phone", "id_card", "ip"};
constexpr std::array<std::string_view, kKinds> kTokens = {"<EMAIL>", "<PHONE>", "<ID_CARD>",
                                                          "<IP>"};

struct Pattern {
  template <class Bytes>
  static auto matches(Bytes a, Bytes b, Bytes c) {
    const auto digit = within(a, '0', '9');
    const auto numbers = digit & (within(b, '0', '9') | is(b, '.')) & within(c, '0', '9');
    const auto hex = digit | within(a, 'a', 'f') | within(a, 'A', 'F');
    const auto colon =
        hex & is(b, ':') &
        (is(c, ':') | within(c, '0', '9') | within(c, 'a', 'f') | within(c, 'A', 'F'));
    return numbers | colon | is(a, '@') | (is(a, '+') & within(b, '1', '9'));
  }
};

struct Found {
  Kind kind = kKinds;
  Span span;
  std::size_t next = 0;  // where to go on when nothing was found
};

class Pii final : public Step {
 public:
  explicit Pii(std::array<bool, kKinds> wanted) : wanted_(wanted) {}

  std::size_t apply(std::string& text, Markup&, std::string& scratch) const override {
    MaskedText masked{text};
    std::size_t changes = 0;
    for (std::size_t i = 0;;) {
      i = internal::find_suspect<Pattern>(text, i);
      if (i == text.size()) break;
      const Found found = look(masked, i);
      if (!found.span.found()) {
        i = std::max(i + 1, found.next);
        continue;
      }
      if (changes++ == 0) scratch.clear();
      scratch.append(text, masked.floor, found.span.begin - masked.floor);
      scratch += kTokens[found.kind];
      i = masked.floor = found.span.end;
    }
    if (changes == 0) return 0;
    scratch.append(text, masked.floor);
    text.swap(scratch);
    return changes;
  }

 private:
  Found look(const MaskedText& text, std::size_t i) const {
    const char c = text.text[i];
    if (c == '@') return wanted(kEmail, internal::find_email(text, i), 0);
    if (c == '+') return look_at_plus(text, i);
    if (text.at(i + 1) == ':') return look_at_hex(text, i + 1, 0);
    return look_at_number(text, i);
  }

  Found look_at_plus(const MaskedText& text, std::size_t plus) const {
    if (const std::size_t at = internal::end_of_email_name(text, plus); at > plus)
      return {kKinds, {}, at};
    return wanted(kPhone, internal::find_international_phone(text, plus), 0);
  }

  // `colon` ends the first group of what may be an IPv6 address.
  Found look_at_hex(const MaskedText& text, std::size_t colon, std::size_t next) const {
    std::size_t begin = colon;
    while (begin > text.floor && colon - begin < 4 && internal::is_hex(text.text[begin - 1]))
      --begin;
    return wanted(kIp, internal::find_ipv6(text, begin), next);
  }

  Found look_at_number(const MaskedText& text, std::size_t i) const {
    std::size_t begin = i;  // of a run that began with less than three digits
    while (begin > text.floor && internal::is_digit(text.text[begin - 1])) --begin;
    const std::size_t end = text.digits_end(i);
    if (const std::size_t at = internal::end_of_email_name(text, begin); at > begin)
      return {kKinds, {}, at};
    if (end - begin <= 3 && text.at(end) == '.') {
      const Found found = wanted(kIp, internal::find_ipv4(text, begin), end);
      if (found.span.found()) return found;
    }
    if (text.at(end) == ':') {
      const Found found = look_at_hex(text, end, end);
      if (found.span.found()) return found;
    }
    if (end - begin == 17 || end - begin == 18) {
      const Found found = wanted(kIdCard, internal::find_id_card(text, begin), end);
      if (found.span.found()) return found;
    }
    return wanted(kPhone, internal::find_phone(text, begin), end);
  }

  Found wanted(Kind kind, Span span, std::size_t next) const {
    return {kind, wanted_[kind] ? span : Span{}, next};
  }

  const std::array<bool, kKinds> wanted_;
};

Result<std::unique_ptr<Step>> make(const OptionValues& options) {
  std::array<bool, kKinds> wanted{};
  for (const std::string& name : split_list(options.at("mask"))) {
    wanted[static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) -
                                    kNames.begin())] = true;
  }
  return std::make_unique<Pii>(wanted);
}

}  // namespace

void register_pii(Registry& registry) {
  registry.add({"pii",
                "places masked",
                "masks e-mail addresses, telephone numbers, Chinese identity numbers and public IP "
                "addresses "
                "as `<EMAIL>`, `<PHONE>`, `<ID_CARD>` and `<IP>`",
                {{"mask",
                  "email,phone,id_card,ip",
                  {"email", "phone", "id_card", "ip"},
                  "what to mask: a list, such as [email, phone]",
                  true}},
                make});
}

}  // namespace headrace::normalize
