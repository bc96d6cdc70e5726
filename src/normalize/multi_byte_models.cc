// SPDX-License-Identifier: Apache-2.0
// Models of text in the encodings of China, Japan and Korea, of UTF-8, and of "none of these".
//
// Nearly any text in one of these encodings is legal in the others, so legality decides nothing:
// what tells is that the right reading is made of common characters (9 to 12 bits each) and the
// wrong ones of rare ones (17 to 24). Illegal sequences are dear events of 20 bits, not vetoes, so
// one bad line does not change the answer, and neither does a lost byte: after three rare
// characters the model asks whether the next four read better from one byte on.
//
// A model is a function from the bytes at a place to a cost and a length. Its table of costs per
// code is made once, on first use, from ICU's decoder and the frequency classes (character_cost.h);
// 24 KB each. Cost: about a nanosecond per byte and model.
#include "normalize/internal/multi_byte_models.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "normalize/internal/character_cost.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr float kIllegal = 20;
constexpr float kCutOff = 8;  // a character cut by the end of the sample
constexpr float kUnit = 1.0F / 8;
constexpr std::uint8_t kIllegalCode = 255;
constexpr float kNoneBitsPerByte = 6.9F;
constexpr float kInWord =
    6;  // a high byte between ASCII letters is mostly a letter or mark of theirs
constexpr float kSkip = 7;           // for beginning inside a character
constexpr std::size_t kStart = 32;   // bytes that decide whether it does
constexpr float kRare = 15;          // a character that may come from a lost byte
constexpr float kStepSideways = 22;  // what a step must gain

struct Step {
  float bits = 0;
  std::size_t length = 1;
};

struct State {
  int before = 0;
  std::size_t illegal = 0;
};

using Bytes = std::span<const unsigned char>;

Step illegal(State* state) {
  ++state->illegal;
  state->before = 0;
  return {kIllegal, 1};
}

bool within(unsigned char byte, unsigned char low, unsigned char high) {
  return byte >= low && byte <= high;
}

bool is_letter(unsigned char byte) { return (byte | 32) >= 'a' && (byte | 32) <= 'z'; }

// Costs of all two-byte codes behind a prefix.
class CodeTable {
 public:
  CodeTable(const char* encoding, Language language, unsigned char lead, unsigned char trail,
            const std::string& prefix = {})
      : lead_(lead), trail_(trail), costs_((256U - lead) * (256U - trail), kIllegalCode) {
    const std::string converter = resolve_encoding(encoding)->converter;
    std::string code = prefix + "  ";
    std::u16string text;
    for (unsigned a = lead; a < 256; ++a) {
      for (unsigned b = trail; b < 256; ++b) {
        code[prefix.size()] = static_cast<char>(a);
        code[prefix.size() + 1] = static_cast<char>(b);
        text.clear();
        if (decode_code(converter, code, &text)) costs_[index(a, b)] = cost(language, text);
      }
    }
  }

  std::uint8_t at(unsigned char a, unsigned char b) const {
    return a < lead_ || b < trail_ ? kIllegalCode : costs_[index(a, b)];
  }

 private:
  static bool decode_code(const std::string& converter, const std::string& code,
                          std::u16string* text) {
    if (converter.empty()) {  // Johab is decoded here
      const char16_t c = decode_johab(code[0], code[1]);
      text->push_back(c);
      return c != 0;
    }
    std::size_t bad = 0;
    icu_decode_prefix(converter, code, text, &bad);
    // One character, or two for letters with an accent; not two of one byte each.
    return bad == 0 && !text->empty() && (*text)[0] >= 0x80 &&
           (text->size() == 1 || (*text)[1] >= 0x80);
  }

  static std::uint8_t cost(Language language, const std::u16string& text) {
    const bool pair = text.size() == 2 && (text[0] & 0xFC00) == 0xD800;
    const char32_t c =
        pair ? 0x10000U + ((text[0] & 0x3FFU) << 10) + (text[1] & 0x3FFU) : char32_t{text[0]};
    const float bits = character_bits(language, c) + (text.size() == 2 && !pair ? 3 : 0);
    return static_cast<std::uint8_t>(std::min(bits, 31.F) / kUnit);
  }

  std::size_t index(unsigned a, unsigned b) const {
    return (a - lead_) * (256U - trail_) + (b - trail_);
  }

  unsigned lead_;
  unsigned trail_;
  std::vector<std::uint8_t> costs_;
};

Step two_bytes(const CodeTable& table, Bytes left, State* state) {
  if (left.size() < 2) return {kCutOff, 1};
  const std::uint8_t cost = table.at(left[0], left[1]);
  if (cost == kIllegalCode) return illegal(state);
  state->before = 0;
  return {static_cast<float>(cost) * kUnit, 2};
}

template <MultiByte which>
class TwoByteText {
 public:
  Step step(Bytes left, State* state) const {
    constexpr bool kGb =
        which == MultiByte::kGb18030Simplified || which == MultiByte::kGb18030Traditional;
    if constexpr (kGb) {
      if (left.size() > 1 && within(left[1], '0', '9')) return four_bytes(left, state);
    }
    if constexpr (which == MultiByte::kShiftJis) {
      if (within(left[0], 0xA1, 0xDF)) return {11, 1};  // half-width katakana
    }
    if constexpr (which == MultiByte::kEucJp) {
      if (left[0] == 0x8E || left[0] == 0x8F) return shifted_japanese(left, state);
    }
    if constexpr (which == MultiByte::kEucTw) {
      if (left[0] == 0x8E) return shifted_chinese(left, state);
    }
    return two_bytes(codes_, left, state);
  }

 private:
  static const CodeTable& table() {
    if constexpr (which == MultiByte::kGb18030Simplified) {
      static const CodeTable codes("gb18030", Language::kSimplified, 0x81, 0x40);
      return codes;
    } else if constexpr (which == MultiByte::kGb18030Traditional) {
      static const CodeTable codes("gb18030", Language::kTraditional, 0x81, 0x40);
      return codes;
    } else if constexpr (which == MultiByte::kBig5) {
      static const CodeTable codes("big5", Language::kTraditional, 0x81, 0x40);
      return codes;
    } else if constexpr (which == MultiByte::kShiftJis) {
      static const CodeTable codes("shift_jis", Language::kJapanese, 0x81, 0x40);
      return codes;
    } else if constexpr (which == MultiByte::kEucJp) {
      static const CodeTable codes("euc-jp", Language::kJapanese, 0xA1, 0xA1);
      return codes;
    } else if constexpr (which == MultiByte::kEucKr) {
      static const CodeTable codes("euc-kr", Language::kKorean, 0x81, 0x41);
      return codes;
    } else if constexpr (which == MultiByte::kJohab) {
      static const CodeTable codes("johab", Language::kKorean, 0x84, 0x31);
      return codes;
    } else {
      static const CodeTable codes("euc-tw", Language::kTraditional, 0xA1, 0xA1);
      return codes;
    }
  }

  static Step four_bytes(Bytes left, State* state) {
    if (!within(left[0], 0x81, 0xFE)) return illegal(state);
    if (left.size() < 4) return {kCutOff, left.size()};
    if (!within(left[2], 0x81, 0xFE) || !within(left[3], '0', '9')) return illegal(state);
    const bool again = state->before == 4;
    state->before = 4;
    return {left[0] > 0x84 ? 30.F : again ? 14.F : 20.F, 4};
  }

  static Step shifted_japanese(Bytes left, State* state) {
    const std::size_t length = left[0] == 0x8E ? 2 : 3;
    if (left.size() < length) return {kCutOff, 1};
    if (length == 2) return within(left[1], 0xA1, 0xDF) ? Step{13, 2} : illegal(state);
    const bool legal = within(left[1], 0xA1, 0xFE) && within(left[2], 0xA1, 0xFE);
    return legal ? Step{24, 3} : illegal(state);
  }

  static Step shifted_chinese(Bytes left, State* state) {
    static const CodeTable second_plane("euc-tw", Language::kTraditional, 0xA1, 0xA1, "\x8E\xA2");
    if (left.size() < 4) return {kCutOff, 1};
    if (!within(left[1], 0xA1, 0xB0) || !within(left[2], 0xA1, 0xFE) ||
        !within(left[3], 0xA1, 0xFE)) {
      return illegal(state);
    }
    if (left[1] != 0xA2) return {26, 4};
    const std::uint8_t cost = second_plane.at(left[2], left[3]);
    return {cost == kIllegalCode ? 26 : static_cast<float>(cost) * kUnit, 4};
  }

  const CodeTable& codes_ = table();
};

struct Utf8Text {
  Step step(Bytes left, State* state) const {
    Utf8Fault fault;
    const std::string_view text(reinterpret_cast<const char*>(left.data()),
                                std::min<std::size_t>(left.size(), 4));
    const std::size_t length = sequence_length(text, 0, &fault);
    if (length == 0) return fault.cut ? Step{kCutOff, left.size()} : illegal(state);
    return {alphabet_bits(&state->before, code_point_at(text, 0).value), length};
  }
};

struct NoText {
  Step step(Bytes, State*) const { return {kNoneBitsPerByte, 1}; }
};

const std::array<float, 128> kAsciiBits = [] {
  std::array<float, 128> made = {};
  for (char32_t c = 0; c < 128; ++c) made[c] = character_bits(Language::kSimplified, c);
  return made;
}();

template <class Text>
inline __attribute__((always_inline)) Step step_of(const Text& text, Bytes left, State* state) {
  if (left[0] >= 0x80) return text.step(left, state);
  state->before = 0;
  return {kAsciiBits[left[0]], 1};
}

// The number of bytes to pass over so that the first word is cheapest.
template <class Text>
std::size_t best_start(const Text& text, Bytes sample, std::size_t most) {
  float least = 0;
  std::size_t best = 0;
  for (std::size_t skip = 0; skip <= most && skip < sample.size(); ++skip) {
    if (skip > 0 && most == 3 && (sample[skip - 1] & 0xC0) != 0x80) break;
    State state;
    float bits = skip > 0 ? kSkip : 0;
    for (std::size_t i = skip; i < std::min(sample.size(), kStart) && sample[i] != ' ';) {
      const Step step = step_of(text, sample.subspan(i), &state);
      bits += step.bits;
      i += step.length;
    }
    if (skip == 0 || bits < least) {
      least = bits;
      best = skip;
    }
  }
  return best;
}

template <class Text>
float four_characters(const Text& text, Bytes left) {
  State state;
  float bits = 0;
  for (int i = 0; i < 4 && !left.empty(); ++i) {
    const Step step = step_of(text, left, &state);
    bits += step.bits;
    left = left.subspan(std::min(step.length, left.size()));
  }
  return bits;
}

template <class Text, bool may_lose_step>
void read_as(Bytes sample, std::size_t end, std::size_t most_skipped, MultiByteReading* reading) {
  const Text text;
  if (reading->at == 0 && most_skipped > 0) {
    reading->at = best_start(text, sample, most_skipped);
    if (reading->at > 0) reading->bits += kSkip;
  }
  State state{reading->before, reading->illegal};
  std::size_t i = reading->at;
  double bits = 0;
  int rare = 0;
  while (i < end) {
    const Step step = step_of(text, sample.subspan(i), &state);
    bits += step.bits;
    if constexpr (may_lose_step) {
      if (step.length == 2 && i > 0 && is_letter(sample[i - 1]) && sample[i + 1] < 0x80) {
        bits += kInWord;
      }
    }
    i += step.length;
    if constexpr (may_lose_step) {
      if (step.bits < kRare || step.length < 2) {
        if (step.bits < kRare - 2) rare = 0;
        continue;
      }
      if (++rare < 3 || i + 10 >= end || sample[i] < 0x80) continue;
      rare = 0;
      const float here = four_characters(text, sample.subspan(i, end - i));
      if (four_characters(text, sample.subspan(i + 1, end - i - 1)) + kStepSideways < here) {
        ++i;
        bits += illegal(&state).bits;
      }
    }
  }
  reading->at = i;
  reading->bits += bits;
  reading->before = state.before;
  reading->illegal = state.illegal;
}

template <MultiByte which>
void read_two_byte(Bytes sample, std::size_t end, bool inside, MultiByteReading* reading) {
  read_as<TwoByteText<which>, true>(sample, end, inside ? 1 : 0, reading);
}

}  // namespace

const MultiByteModel& multi_byte_model(int index) {
  static constexpr std::array<MultiByteModel, kMultiByteModels> kModels = {
      {{MultiByte::kUtf8, "utf-8", 0},
       {MultiByte::kGb18030Simplified, "gb18030", 0},
       {MultiByte::kGb18030Traditional, "gb18030", 3},
       {MultiByte::kBig5, "big5", 0.5},
       {MultiByte::kShiftJis, "shift_jis", 1},
       {MultiByte::kEucJp, "euc-jp", 1},
       {MultiByte::kEucKr, "euc-kr", 1},
       {MultiByte::kJohab, "johab", 7},
       {MultiByte::kEucTw, "euc-tw", 6},
       {MultiByte::kNone, "", 8}}};
  return kModels[static_cast<std::size_t>(index)];
}

void read_on(MultiByte which, std::string_view text, std::size_t end, bool inside,
             MultiByteReading* reading) {
  const Bytes sample(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  switch (which) {
    case MultiByte::kUtf8:
      return read_as<Utf8Text, false>(sample, end, inside ? 3 : 0, reading);
    case MultiByte::kGb18030Simplified:
      return read_two_byte<MultiByte::kGb18030Simplified>(sample, end, inside, reading);
    case MultiByte::kGb18030Traditional:
      return read_two_byte<MultiByte::kGb18030Traditional>(sample, end, inside, reading);
    case MultiByte::kBig5:
      return read_two_byte<MultiByte::kBig5>(sample, end, inside, reading);
    case MultiByte::kShiftJis:
      return read_two_byte<MultiByte::kShiftJis>(sample, end, inside, reading);
    case MultiByte::kEucJp:
      return read_two_byte<MultiByte::kEucJp>(sample, end, inside, reading);
    case MultiByte::kEucKr:
      return read_two_byte<MultiByte::kEucKr>(sample, end, inside, reading);
    case MultiByte::kJohab:
      return read_two_byte<MultiByte::kJohab>(sample, end, inside, reading);
    case MultiByte::kEucTw:
      return read_two_byte<MultiByte::kEucTw>(sample, end, inside, reading);
    case MultiByte::kNone:
      return read_as<NoText, false>(sample, end, 0, reading);
  }
}

}  // namespace headrace::normalize::internal
