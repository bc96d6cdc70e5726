// SPDX-License-Identifier: Apache-2.0
// Bytes that are neither UTF-8 nor UTF-16: which of the encodings of China, Japan and Korea?
//
// Nearly any text in one of them is legal in the others, so legality decides nothing. Each pair of
// encoding and language is taken as a model of the same bytes, and what it costs in bits to write
// them down is compared: the right reading is made of common characters (9 to 12 bits each), the
// wrong ones of rare ones (17 to 24). Illegal sequences cost 20 bits instead of ruling a candidate
// out, so one bad line does not change the answer. A last candidate, "none of these", costs a flat
// 6.9 bits per byte: alphabets of eight bits are cheaper under it than under any of the others, and
// so is noise.
//
// Latin text with single high bytes is the trap: any of these and the letter behind it make one
// character. Words of Chinese, Japanese and Korean come in runs, so a character between Latin
// letters costs more, and a reading where most characters are alone is not sure, however common
// they are. Before all this, text that reads as windows-1252 at every single byte is just that
// (western_detect.cc).
//
// Costs become probabilities (halved first: neighbouring characters are not independent), and the
// winner's is the confidence. It is lowered for texts of few characters, for those where uchardet
// sees another encoding of the same family, and never reaches the 0.9 that uses it unasked for the
// other eight-bit alphabets, whose name is uchardet's alone.
//
// Only stretches with bytes above 0x7F are looked at, up to 16 KiB of them: markup and code carry
// no evidence. Cost: some milliseconds for a megabyte. This is a small version of what such a
// detector can be; measured figures stand in docs/rooms/04-normalize.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <uchardet.h>

#include <fmt/format.h>

#include "normalize/internal/character_cost.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"
#include "normalize/internal/western.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kSampleBytes = 16 << 10;
constexpr std::size_t kFirstLook = 1 << 10;
constexpr double kHopeless = 64;  // bits behind the best after the first look
constexpr std::size_t kPeerBytes = 64 << 10;
constexpr std::size_t kFewCharacters = 20;
constexpr std::size_t kFewLetters = 3;       // distinct ones, of UTF-8 without Western ones
constexpr std::size_t kFewForAWitness = 60;  // below it uchardet's disagreement counts
constexpr float kIllegalBits = 18;           // and 2 of the blank put in its place
constexpr float kInWordBits = 10;
constexpr float kNoneBitsPerByte = 6.9F;
constexpr double kNonePrior = 4;
constexpr double kLatinUtf8Prior = -4;
constexpr double kIndependence = 0.5;
constexpr double kHighest = 0.99;  // of this detector
constexpr double kWestern = 0.95;
constexpr double kUnasked = 0.89;  // just below what is used without being declared

struct Candidate {
  const char* name;
  const char* converter;  // "" for UTF-8
  Language language;
  double prior;  // bits that speak against it before any text is seen
};

constexpr Candidate kCandidates[] = {
    {"gb18030", "gb18030", Language::kSimplified, 0},
    {"gb18030", "gb18030", Language::kTraditional, 1.5},
    {"big5", "windows-950-2000", Language::kTraditional, 0.25},
    {"shift_jis", "ibm-943_P15A-2003", Language::kJapanese, 0.5},
    {"euc-jp", "euc-jp-2007", Language::kJapanese, 0.5},
    {"euc-kr", "windows-949-2000", Language::kKorean, 0.5},
    {"euc-tw", "euc-tw-2014", Language::kTraditional, 3},
};

bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

// The stretches that hold bytes above 0x7F, with the ASCII letters that touch them, parted by a
// blank. A byte behind a high one belongs to it whatever it is, as it may be a character's second.
// A pair that repeats itself (rules drawn with one character) is taken twice only.
std::string sample_of(std::string_view head) {
  std::string sample;
  std::size_t i = 0;
  while (i < head.size() && sample.size() < kSampleBytes) {
    while (i < head.size() && !is_high(head[i])) ++i;
    std::size_t begin = i;
    while (begin > 0 && i - begin < 20 && is_letter(head[begin - 1])) --begin;
    std::size_t end = i;
    while (end < head.size() &&
           (is_high(head[end]) || is_letter(head[end]) ||
            (end > 0 && is_high(head[end - 1]) && static_cast<unsigned char>(head[end]) > ' '))) {
      ++end;
    }
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t n = sample.size();
      if (k + 1 < end && n >= 4 && is_high(head[k]) && head[k] == sample[n - 2] &&
          head[k + 1] == sample[n - 1] && head[k] == sample[n - 4] &&
          head[k + 1] == sample[n - 3]) {
        ++k;
        continue;
      }
      sample.push_back(head[k]);
    }
    if (end > begin) sample.push_back(' ');
    i = std::max(end, i + 1);
  }
  return sample;
}

struct Reading {
  std::string name;
  double prior = 0;
  double bits = 0;             // cost of the sample
  std::size_t characters = 0;  // that may be evidence: not of alphabets
  std::size_t illegal = 0;
  std::size_t words = 0;  // of them, those that words are made of
  std::size_t alone = 0;  // of these, those between ASCII
};

char32_t next_point(const std::u16string& text, std::size_t* i) {
  const char16_t unit = text[(*i)++];
  if (unit < 0xD800 || unit > 0xDBFF || *i == text.size()) return unit;
  return 0x10000 + ((static_cast<char32_t>(unit) - 0xD800) << 10) + (text[(*i)++] - 0xDC00U);
}

// A character of Chinese, Japanese or Korean words, or what takes its place in a wrong reading.
bool is_of_words(char32_t c) {
  const bool symbol = (c >= 0xFF00 && c <= 0xFF65) || c >= 0xFFE0;
  return c >= 0x3040 && !(symbol && c < 0x10000);
}

// Weighs the decoded characters. One between Latin letters is most likely a letter or quotation
// mark of theirs and the letter behind it.
void weigh(Language language, const std::u16string& text, Reading* reading) {
  char32_t before = ' ';
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_point(text, &i);
    const char32_t after = i < text.size() ? text[i] : U' ';
    reading->bits += character_bits(language, c);
    if (c >= 0x2000) {
      const bool alone = before < 0x80 && after < 0x80;
      ++reading->characters;
      if (is_of_words(c)) {
        ++reading->words;
        reading->alone += alone;
        if (alone && is_letter(static_cast<char>(before))) reading->bits += kInWordBits;
      }
    }
    before = c;
  }
}

Reading read_as(const Candidate& candidate, std::string_view sample) {
  Reading reading{.name = candidate.name, .prior = candidate.prior};
  std::u16string text;
  for (std::size_t at = 0; at < sample.size();) {
    std::size_t bad = 0;
    at += icu_decode_prefix(candidate.converter, sample.substr(at), &text, &bad);
    if (bad == 0) break;
    ++at;
    ++reading.illegal;
    reading.bits += kIllegalBits;
    text.push_back(u' ');
  }
  weigh(candidate.language, text, &reading);
  return reading;
}

// Few two-byte characters, all valid: UTF-8 is one more candidate. Where all are of Latin-1 (é, ·,
// ©) it is the likely one, as a file with a few of those is far more common than a Chinese one with
// as few characters that all happen to be valid UTF-8.
Reading read_as_utf8(std::string_view sample) {
  Reading reading{.name = "utf-8", .prior = kLatinUtf8Prior};
  char32_t before = 0;
  std::set<char32_t> letters;
  Utf8Fault fault;
  for (std::size_t i = 0; i < sample.size();) {
    if (sequence_length(sample, i, &fault) == 0) {
      reading.bits += kIllegalBits;
      ++reading.illegal;
      i += fault.length;
      continue;
    }
    const CodePoint c = code_point_at(sample, i);
    i += c.length;
    const bool latin = c.value <= 0x24F || (c.value >= 0x1E00 && c.value <= 0x1EFF);
    const bool in_word = before < 0x80 && is_letter(static_cast<char>(before));
    const bool western =
        c.value <= 0xFF || (c.value >= 0x2010 && c.value <= 0x2027) || (latin && in_word);
    if (!western) reading.prior = 0;
    if (c.value >= 0x80) letters.insert(c.value);
    reading.bits += c.value < 0x80 ? character_bits(Language::kSimplified, c.value)
                                   : alphabet_bits(before, c.value);
    before = c.value;
  }
  reading.characters = letters.size();
  return reading;
}

Reading read_as_none(std::string_view sample) {
  Reading reading{.name = "", .prior = kNonePrior, .characters = sample.size()};
  for (const char c : sample) {
    reading.bits += is_high(c) ? kNoneBitsPerByte
                               : character_bits(Language::kSimplified, static_cast<char32_t>(c));
  }
  return reading;
}

// uchardet's guess under our name for it; "" if it has none.
std::string peer_guess(std::string_view head) {
  uchardet_t detector = uchardet_new();
  uchardet_handle_data(detector, head.data(), std::min(head.size(), kPeerBytes));
  uchardet_data_end(detector);
  const std::string name = uchardet_get_charset(detector);
  uchardet_delete(detector);
  const Result<Encoding> encoding = resolve_encoding(name);
  return encoding.has_value() ? encoding->name : std::string();
}

double cost(const Reading& reading) { return kIndependence * reading.bits + reading.prior; }

// All readings of the sample that have a chance. The wrong ones stumble over illegal sequences,
// which is slow, so only those that come near the best on the first kilobyte read the rest.
std::vector<Reading> read_all(std::string_view sample, bool valid_utf8) {
  const std::string_view look =
      sample.substr(0, std::min(sample.find(' ', kFirstLook), sample.size()));
  const double none = cost(read_as_none(look));
  std::vector<Reading> looks;
  double least = none;
  for (const Candidate& candidate : kCandidates) {
    looks.push_back(read_as(candidate, look));
    least = std::min(least, cost(looks.back()));
  }
  std::vector<Reading> readings = {read_as_none(sample)};
  if (valid_utf8) readings.push_back(read_as_utf8(sample));
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (look.size() == sample.size()) {
      readings.push_back(looks[i]);
    } else if (cost(looks[i]) < least + kHopeless) {
      readings.push_back(read_as(kCandidates[i], sample));
    }
  }
  return readings;
}

// Adds up what is said twice (gb18030 for two languages) and sorts by probability.
std::vector<std::pair<double, Reading>> posterior(const std::vector<Reading>& readings) {
  double least = cost(readings.front());
  for (const Reading& reading : readings) least = std::min(least, cost(reading));
  std::vector<std::pair<double, Reading>> ranked;
  double sum = 0;
  for (const Reading& reading : readings) {
    const double weight = std::exp2(least - cost(reading));
    sum += weight;
    const auto same = std::find_if(ranked.begin(), ranked.end(), [&](const auto& other) {
      return other.second.name == reading.name;
    });
    if (same == ranked.end()) {
      ranked.emplace_back(weight, reading);
    } else {
      same->first += weight;
    }
  }
  for (auto& entry : ranked) entry.first /= sum;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return ranked;
}

// English text written where Chinese is: its quotation marks and dashes are those of Big5.
bool has_marks_of_english(const std::string& name, std::string_view head) {
  const auto* candidate = std::find_if(std::begin(kCandidates), std::end(kCandidates),
                                       [&](const Candidate& known) { return known.name == name; });
  std::u16string text;
  std::size_t bad = 0;
  if (candidate == std::end(kCandidates)) return false;
  icu_decode_prefix(candidate->converter, head, &text, &bad);
  std::size_t odd = bad;
  std::size_t marks = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 0x80) continue;
    ++marks;
    if (text[i] == u'—' || text[i] == u'…' || text[i] == u'\u3000') continue;
    const char16_t before = i > 0 ? text[i - 1] : u'\n';
    const char16_t after = i + 1 < text.size() ? text[i + 1] : u'\n';
    odd += !typographic_in_place(before, text[i], after);
  }
  return marks >= kFewCharacters && odd * 20 <= marks;
}

// Words come in runs: in 3,763 pieces of real text 36 % of the characters stood alone at most, in
// Western text read wrongly 79 % at least.
bool is_plausible(const Reading& reading, std::string_view head) {
  if (reading.words == 0) return has_marks_of_english(reading.name, head);
  return reading.alone * 2 <= reading.words && reading.words * 3 >= reading.characters;
}

bool is_candidate(std::string_view name) {
  return std::any_of(std::begin(kCandidates), std::end(kCandidates),
                     [&](const Candidate& candidate) { return candidate.name == name; });
}

void add_candidate(const std::string& name, std::vector<std::string>* candidates) {
  if (!name.empty() &&
      std::find(candidates->begin(), candidates->end(), name) == candidates->end()) {
    candidates->push_back(name);
  }
}

// Why the best reading may be wrong, however probable it is; "" if nothing speaks against it.
std::string doubts(const Reading& best, std::string_view head, std::size_t sample_bytes,
                   const std::string& peer) {
  std::string why;
  const bool is_utf8 = best.name == "utf-8";
  // In a long file of ASCII one odd character is no sign of another encoding.
  const bool latin = best.prior < 0 || sample_bytes * 50 < head.size();
  const std::size_t few = !is_utf8 ? kFewCharacters : latin ? 0 : kFewLetters;
  if (best.characters < few) why += ", too few to be sure";
  if (is_utf8) return why;
  if (!is_plausible(best, head)) why += ", but they do not stand together";
  if (best.characters < kFewForAWitness && peer != best.name && is_candidate(peer)) {
    why += ", and uchardet sees " + peer;
  }
  return why;
}

}  // namespace

EncodingEvidence detect_legacy(std::string_view head, bool whole) {
  const Utf8Fault fault = find_utf8_fault(head);
  const bool valid_utf8 = fault.length == 0 || (fault.cut && !whole);
  const WesternReading western = valid_utf8 ? WesternReading{} : read_as_western(head);
  if (western.sure) {
    std::string why = fmt::format("all {} characters stand as in Western text", western.characters);
    return {"windows-1252", kWestern, std::move(why), {}};
  }
  const std::string sample = sample_of(head);
  const auto ranked = posterior(read_all(sample, valid_utf8));
  const Reading& best = ranked.front().second;

  const double probability = std::min(ranked.front().first, kHighest);
  // uchardet is many times slower than all of the above: it is asked only where it counts.
  const bool asks = best.name.empty() || probability < 0.9 || best.characters < kFewForAWitness;
  const std::string peer = asks ? peer_guess(head) : std::string();

  if (best.name.empty()) {
    if (peer.empty()) return {"", 0, "no encoding reads as text", {}};
    return {peer, 0.5, "guessed by uchardet alone", {peer}};
  }
  const bool marks = best.name != "utf-8" && best.words == 0;
  const std::string doubt = doubts(best, head, sample.size(), peer);
  EncodingEvidence evidence{best.name,
                            doubt.empty() ? probability : std::min(probability, kUnasked),
                            fmt::format("detected from {} {}{}", best.characters,
                                        marks ? "marks around ASCII words" : "characters", doubt),
                            {}};
  if (evidence.confidence < 0.9) {
    for (const auto& [share, reading] : ranked) {
      if (share > 0.01) add_candidate(reading.name, &evidence.candidates);
    }
    add_candidate(peer, &evidence.candidates);
  }
  return evidence;
}

}  // namespace headrace::normalize::internal
