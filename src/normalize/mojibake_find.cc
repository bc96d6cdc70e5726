// SPDX-License-Identifier: Apache-2.0
// Where a text was decoded in the wrong encoding, and what it said.
//
// A stretch is a maximal run of characters beyond ASCII; nothing else can be mojibake of an
// encoding that extends ASCII. In a stretch, characters go back to the bytes they were read from:
//
// - UTF-8 read as one of five eight-bit carriers. Runs of whole UTF-8 sequences are candidates.
//   Their text may be mojibake again: up to three layers are taken off.
// - UTF-8 read as GBK. The whole stretch must be UTF-8; where its bytes did not pair up, the
//   decoder lost one and nothing can be repaired.
// - GB2312 read as windows-1252. The whole stretch must be pairs.
//
// A candidate loses nothing: its characters are the bytes, and the bytes are the text. It is
// certain when its text reads less odd than it does by kCertain points (oddness()), where each
// sequence of three bytes and each further sequence is a point, because chance rarely writes them.
// A candidate next to U+FFFD or to the beginning of another sequence is left alone, as a part of
// what it was is lost. Where certain places speak for a carrier, its other candidates need less.
// Cost: one table look per character beyond ASCII, and more only where a first byte of UTF-8
// meets a later one.
#include <algorithm>
#include <set>

#include <unicode/uchar.h>

#include "normalize/internal/character_cost.h"
#include "normalize/internal/mojibake.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr int kCertain = 2;
// Points of the certain places of a carrier, from which on its other places need this gain.
constexpr int kSomeEvidence = 4;
constexpr int kMuchEvidence = 8;
constexpr int kLayers = 2;  // below the first
// Behind the carriers of UTF-8 in the lists of candidates: UTF-8 read as GBK, GB2312 read as
// windows-1252.
constexpr std::size_t kGbk = kCarriers;
constexpr std::size_t kPairs = kCarriers + 1;
constexpr std::size_t kReadings = kCarriers + 2;
constexpr char32_t kReplacement = 0xFFFD;

struct Stretch {
  std::size_t begin = 0;  // bytes of the text
  std::u32string points;
  char32_t before = '\n';
  char32_t after = '\n';
};

// A repair that is not decided yet; begin and end count code points of its stretch.
struct Candidate {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t carrier = kGbk;
  int gain = 0;
  std::u32string text;
};

std::u32string to_points(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    points.push_back(c.value);
    i += c.length;
  }
  return points;
}

std::uint8_t carrier_byte(std::size_t carrier, char32_t c) {
  return c < 0x10000 ? carrier_tables().byte[carrier][c] : std::uint8_t{0};
}

// Bytes of the UTF-8 sequence that the characters from `i` on are; 0 if they are none.
std::size_t carried_sequence(std::size_t carrier, std::u32string_view points, std::size_t i,
                             std::string* bytes) {
  char raw[4];
  std::size_t have = 0;
  while (have < 4 && i + have < points.size()) {
    const std::uint8_t byte = carrier_byte(carrier, points[i + have]);
    if (byte == 0) break;
    raw[have++] = static_cast<char>(byte);
  }
  Utf8Fault fault;
  const std::size_t length = have == 0 ? 0 : sequence_length({raw, have}, 0, &fault);
  if (length > 1) bytes->append(raw, length);
  return length > 1 ? length : 0;
}

// The run of UTF-8 sequences that begins at `begin`.
struct Run {
  std::size_t end = 0;
  int rare = 0;  // points for what chance hardly writes
  std::u32string text;
};

Run run_at(std::size_t carrier, std::u32string_view points, std::size_t begin) {
  Run run{begin, 0, {}};
  std::string bytes;
  while (run.end < points.size()) {
    const std::size_t length = carried_sequence(carrier, points, run.end, &bytes);
    if (length == 0) break;
    run.rare += static_cast<int>(length) - 2 + (run.end > begin ? 1 : 0);
    run.end += length;
  }
  run.text = to_points(bytes);
  return run;
}

// Takes further layers off `text` while that makes it less odd.
std::u32string innermost(const std::u32string& text, char32_t before, char32_t after, int layers) {
  std::u32string best = text;
  int least = oddness(before, text, after);
  for (std::size_t carrier = 0; carrier < kCarriers && layers > 0; ++carrier) {
    const Run inner = run_at(carrier, text, 0);
    if (inner.end != text.size()) continue;
    std::u32string deepest = innermost(inner.text, before, after, layers - 1);
    const int odd = oddness(before, deepest, after) - inner.rare;
    if (odd >= least) continue;
    best = std::move(deepest);
    least = odd;
  }
  return best;
}

// Whether what stands next to a run may be a part of it that does not fit: a letter or symbol of
// any carrier. Quotation marks, dashes and brackets belong to the text around.
bool is_rest(char32_t c) {
  if (c == kReplacement) return true;
  constexpr std::uint32_t kMarks =
      U_GC_PI_MASK | U_GC_PF_MASK | U_GC_PD_MASK | U_GC_PS_MASK | U_GC_PE_MASK | U_GC_ZS_MASK;
  if (c < 0x80 || c == 0x2026 || (U_GET_GC_MASK(static_cast<UChar32>(c)) & kMarks) != 0)
    return false;
  for (std::size_t carrier = 0; carrier < kCarriers; ++carrier) {
    if (carrier_byte(carrier, c) != 0) return true;
  }
  return false;
}

// Han in a Latin word: "caf钗", which café’— would be.
bool splits_word(char32_t before, std::u32string_view text, char32_t after) {
  const auto latin = [](char32_t c) { return c < 0x250 && u_isalpha(static_cast<UChar32>(c)); };
  return (latin(before) && is_han(text.front())) || (latin(after) && is_han(text.back()));
}

// Adds the runs of UTF-8 sequences in `stretch`, read through `carrier`.
void add_runs(const Stretch& stretch, std::size_t carrier, std::vector<Candidate>* found) {
  const std::u32string_view points = stretch.points;
  for (std::size_t i = 0; i < points.size();) {
    const Run run = run_at(carrier, points, i);
    if (run.end == i) {
      ++i;
      continue;
    }
    const char32_t before = i == 0 ? stretch.before : points[i - 1];
    const char32_t after = run.end == points.size() ? stretch.after : points[run.end];
    if (!is_rest(before) && !is_rest(after)) {
      Candidate candidate{i, run.end, carrier, 0, innermost(run.text, before, after, kLayers)};
      candidate.gain = oddness(before, points.substr(i, run.end - i), after) + run.rare -
                       oddness(before, candidate.text, after) -
                       (splits_word(before, candidate.text, after) ? 1 : 0);
      found->push_back(std::move(candidate));
    }
    i = run.end;
  }
}

bool is_punctuation_of_han(char32_t c) {
  return (c >= 0x2010 && c <= 0x2026) || (c >= 0x3001 && c <= 0x3011) ||
         (c >= 0xFF01 && c <= 0xFF5E) || c == 0xB7;
}

// Whether Chinese or the quotation marks of English stand here: all common, nothing else.
bool reads_as_han(std::u32string_view points, std::size_t least) {
  std::size_t han = 0;
  for (const char32_t c : points) {
    const bool common = is_common_han(c);
    if (!common && c >= 0x80 && !is_punctuation_of_han(c)) return false;
    han += common;
  }
  return han >= least;
}

// UTF-8 read as GBK: 涓枃 for 中文, 鈥檚 for ’s.
void add_gbk(const Stretch& stretch, std::vector<Candidate>* found) {
  std::string bytes;
  Utf8Fault fault;
  std::size_t valid = 0;
  for (const char32_t c : stretch.points) {
    const std::uint16_t pair = c < 0x10000 ? carrier_tables().gbk_bytes[c] : std::uint16_t{0};
    if (pair == 0) return;
    bytes.push_back(static_cast<char>(pair >> 8));
    bytes.push_back(static_cast<char>(pair & 0xFF));
    while (bytes.size() - valid >= 4) {  // fails early: sound Chinese is not UTF-8 for long
      const std::size_t length = sequence_length(bytes, valid, &fault);
      if (length == 0) return;
      valid += length;
    }
  }
  while (valid < bytes.size()) {
    const std::size_t length = sequence_length(bytes, valid, &fault);
    if (length == 0) return;
    valid += length;
  }
  std::u32string text = to_points(bytes);
  const bool marks = text.size() <= 3 && text.front() >= 0x2013 && text.front() <= 0x2026;
  if (!reads_as_han(text, marks ? 0 : 2)) return;
  found->push_back({0, stretch.points.size(), kGbk, kCertain, std::move(text)});
}

// GB2312 read as windows-1252: ÖÐ¹ú for 中国. Letters in capitals alone are such pairs by chance,
// so the Chinese must be as common as text is.
void add_pairs(const Stretch& stretch, std::vector<Candidate>* found) {
  constexpr float kBitsOfText = 11.5;  // of characters in Chinese text: 9 to 11 on average
  if (stretch.points.size() % 2 != 0) return;
  std::u32string text;
  std::set<char32_t> han;
  float bits = 0;
  for (std::size_t i = 0; i < stretch.points.size(); i += 2) {
    const unsigned lead = carrier_byte(kWindows1252, stretch.points[i]);
    const unsigned trail = carrier_byte(kWindows1252, stretch.points[i + 1]);
    if (lead < 0xA1 || trail < 0xA1) return;
    const char16_t c = carrier_tables().gbk_character[lead << 8 | trail];
    if (c == 0) return;
    text.push_back(c);
    if (is_han(c)) han.insert(c);
    bits += character_bits(Language::kSimplified, c);
  }
  if (!reads_as_han(text, 0) || bits > kBitsOfText * static_cast<float>(text.size())) return;
  const int further = std::max(static_cast<int>(han.size()) - 2, 0);
  const int gain = oddness(stretch.before, stretch.points, stretch.after) + further -
                   oddness(stretch.before, text, stretch.after);
  found->push_back({0, stretch.points.size(), kPairs, gain, std::move(text)});
}

// Carriers in which UTF-8 may stand somewhere in `points`, one bit each.
unsigned possible_carriers(std::u32string_view points) {
  const CarrierTables& tables = carrier_tables();
  unsigned carriers = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (points[i] < 0x10000 && points[i + 1] < 0x10000)
      carriers |= tables.leads[points[i]] & tables.follows[points[i + 1]];
  }
  return carriers;
}

int sum_of_gains(const std::vector<Candidate>& runs) {
  int sum = 0;
  for (const Candidate& run : runs) sum += run.gain >= kCertain ? run.gain : 0;
  return sum;
}

struct Undecided {
  Stretch stretch;
  std::array<std::vector<Candidate>, kReadings> runs;
};

Undecided look_at(Stretch stretch) {
  Undecided place;
  const unsigned carriers = possible_carriers(stretch.points);
  for (std::size_t carrier = 0; carrier < kCarriers; ++carrier) {
    if ((carriers >> carrier & 1) != 0) add_runs(stretch, carrier, &place.runs[carrier]);
  }
  add_gbk(stretch, &place.runs[kGbk]);
  add_pairs(stretch, &place.runs[kPairs]);
  place.stretch = std::move(stretch);
  return place;
}

// The stretches of `text` in which something may be wrong.
std::vector<Undecided> candidates(std::string_view text) {
  std::vector<Undecided> places;
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    Stretch stretch;
    stretch.begin = i;
    if (i > 0) stretch.before = static_cast<unsigned char>(text[i - 1]);
    while (i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80) {
      const CodePoint c = code_point_at(text, i);
      stretch.points.push_back(c.value);
      i += c.length;
    }
    if (i < text.size()) stretch.after = static_cast<unsigned char>(text[i]);
    Undecided place = look_at(std::move(stretch));
    const bool any = std::any_of(place.runs.begin(), place.runs.end(),
                                 [](const auto& runs) { return !runs.empty(); });
    if (any) places.push_back(std::move(place));
  }
  return places;
}

// The runs of the reading that explains a stretch best, the accepted ones.
std::vector<Candidate> decide(const Undecided& place, const std::array<int, kReadings>& evidence) {
  std::size_t best = kReadings;
  int best_gain = 0;
  for (std::size_t reading = 0; reading < kReadings; ++reading) {
    const int gain = sum_of_gains(place.runs[reading]);
    if (gain > best_gain) {
      best = reading;
      best_gain = gain;
    }
  }
  if (best == kReadings) {
    const auto most = std::max_element(evidence.begin(), evidence.end());
    best = static_cast<std::size_t>(most - evidence.begin());
  }
  // The eight-bit carriers but windows-1252 have letters that pairs of Chinese come out as.
  if (best != kWindows1252 && best < kCarriers && sum_of_gains(place.runs[kPairs]) > 0)
    best = kPairs;
  const int least = evidence[best] >= kMuchEvidence   ? 0
                    : evidence[best] >= kSomeEvidence ? 1
                                                      : kCertain;
  std::vector<Candidate> accepted;
  std::copy_if(place.runs[best].begin(), place.runs[best].end(), std::back_inserter(accepted),
               [&](const Candidate& run) { return run.gain >= least; });
  return accepted;
}

std::size_t bytes_of(std::u32string_view points) {
  std::size_t bytes = 0;
  for (const char32_t c : points) bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  return bytes;
}

}  // namespace

std::vector<Mojibake> find_mojibake(std::string_view text) {
  const std::vector<Undecided> places = candidates(text);
  std::array<int, kReadings> evidence{};
  for (const Undecided& place : places) {
    for (std::size_t reading = 0; reading < kReadings; ++reading)
      evidence[reading] += sum_of_gains(place.runs[reading]);
  }
  std::vector<Mojibake> found;
  for (const Undecided& place : places) {
    const std::u32string_view points = place.stretch.points;
    std::size_t at = place.stretch.begin;  // bytes
    std::size_t point = 0;
    for (const Candidate& run : decide(place, evidence)) {
      Mojibake repair;
      repair.begin = at + bytes_of(points.substr(point, run.begin - point));
      repair.end = repair.begin + bytes_of(points.substr(run.begin, run.end - run.begin));
      at = repair.end;
      point = run.end;
      repair.points = run.end - run.begin;
      for (const char32_t c : run.text) append_utf8(c, &repair.repaired);
      found.push_back(std::move(repair));
    }
  }
  return found;
}

double mojibake_share(std::string_view text) {
  std::size_t wrong = 0;
  for (const Mojibake& place : find_mojibake(text)) wrong += place.points;
  const auto points = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  return points == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(points);
}

}  // namespace headrace::normalize::internal
