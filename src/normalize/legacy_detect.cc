// SPDX-License-Identifier: Apache-2.0
// Bytes that are neither UTF-8 nor UTF-16: which encoding, and how sure is that?
//
// One idea carries the whole method: every candidate, an encoding with a language, is a probability
// model of the same bytes, and its cost is the number of bits it needs to write them down. Bits
// compare directly between GB18030, Shift_JIS, KOI8-R and UTF-8, so no rules for pairs of encodings
// are needed, and what comes out is a probability. Neighbouring characters are not independent, so
// bits count half; a prior says how common an encoding is, and what was declared makes it cheaper.
// Encodings that decode all of the head to the same characters are one answer.
//
// There are some 150 candidates, so most must go early: a sample of runs (evidence_sample.h) grows
// in stages, the multi-byte models read the first forty bytes, single letters rule out most
// languages at once, and after every stage the hopeless go. A text of GB18030 is decided after 96
// bytes of evidence, two close alphabets may need 64 KiB.
//
// A probability is only as good as the list of candidates: what speaks against the winner in spite
// of it stands in encoding_doubts.cc.
//
// Cost: 7 to 10 microseconds for a Chinese news item, 20 to 140 for a long page.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "normalize/internal/encoding_doubts.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/evidence_sample.h"
#include "normalize/internal/multi_byte_models.h"
#include "normalize/internal/single_byte_models.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::array<std::size_t, 5> kStages = {96, 384, 1536, 8192, 65536};
constexpr std::size_t kFirstLook = 40;    // bytes that all multi-byte models read
constexpr double kIndependence = 0.5;     // of neighbouring characters
constexpr double kShortUtf8 = 4;          // bits for valid UTF-8 of Western or long characters
constexpr double kHopeless = 40;          // bits behind the best, after kIndependence
constexpr double kHopelessLanguage = 12;  // bits behind another language of the same encoding
constexpr double kClear = 25;             // bits ahead of every other encoding
constexpr double kWaits = 72;             // raw bits behind after the first look
constexpr double kBadStart = 5.6;         // bits per byte that no text needs
constexpr double kPairGain = 1.0;         // bits per byte that pairs may gain over single letters
constexpr double kFilterSlack = 40;       // raw bits
constexpr double kAmongSingle = 0.9;      // bits per byte behind the best by single letters
constexpr double kHighest = 0.99;         // of any detection by statistics
constexpr double kUnasked = 0.89;         // just below what is used without being declared
constexpr double kEnglish = 0.95;         // with marks of Big5
constexpr double kFar = 1e18;

struct Entry {
  int model = 0;  // of its kind
  bool multi = true;
  int encoding = 0;  // multi-byte models first, then SingleByteModels::encodings()
  double prior = 0;
  MultiByteReading reading = {};
  SingleByteReading single_reading = {};
  bool alive = true;
  bool waits = false;

  double bits() const { return multi ? reading.bits : single_reading.bits; }
  bool is_none() const { return multi && model == static_cast<int>(MultiByte::kNone); }
};

struct Ranked {
  std::string encoding;
  const SingleByteModel* model = nullptr;  // nullptr for the multi-byte ones
  double share = 0;
  double bits = 0;
};

class Contest {
 public:
  Contest(std::string_view head, const Utf8Facts& utf8, const Declaration& declaration)
      : head_(head), utf8_(utf8), declaration_(declaration), sample_(head) {
    entries_.reserve(kMultiByteModels + 24);
    for (int i = 0; i < kMultiByteModels; ++i) {
      const MultiByteModel& model = multi_byte_model(i);
      const bool traditional = model.which == MultiByte::kGb18030Traditional;
      entries_.push_back(
          {.model = i,
           .encoding = traditional ? static_cast<int>(MultiByte::kGb18030Simplified) : i,
           .prior = model.prior});
    }
  }

  // All encodings with a share, the likeliest first.
  std::vector<Ranked> decide() {
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
      sample_.grow(kStages[stage]);
      const std::size_t size = sample_.bytes().size();
      // What the end of a stage cuts off is read in the next one.
      limit_ = sample_.complete() ? size : size - std::min<std::size_t>(size, 4);
      if (!filtered_ && !first_filter(stage)) continue;
      read_all();
      drop_hopeless();
      if (sample_.complete() || is_decided()) break;
    }
    return posterior();
  }

  const std::string& sample() const { return sample_.bytes(); }

 private:
  std::string_view name(int encoding) const {
    if (encoding < kMultiByteModels) return multi_byte_model(encoding).encoding;
    return single().encodings()[static_cast<std::size_t>(encoding - kMultiByteModels)].name;
  }

  static const SingleByteModels& single() { return SingleByteModels::all(); }
  bool is_declared(const Entry& entry) const {
    return !declaration_.encoding.empty() && name(entry.encoding) == declaration_.encoding;
  }

  double total(const Entry& entry) const {
    double bits = kIndependence * entry.bits() + entry.prior;
    if (is_declared(entry)) bits -= declaration_.bits;
    const bool utf8 = entry.multi && entry.model == static_cast<int>(MultiByte::kUtf8);
    if (utf8 && utf8_.valid && (utf8_.long_characters || utf8_.western)) bits -= kShortUtf8;
    return bits;
  }

  void read_on(Entry* entry, std::size_t end, bool inside = false) const {
    const std::string& sample = sample_.bytes();
    if (entry->multi) {
      if (entry->reading.at >= end) return;
      internal::read_on(multi_byte_model(entry->model).which, sample, end, inside, &entry->reading);
    } else {
      single().read_on(static_cast<std::size_t>(entry->model), sample, end, &entry->single_reading);
    }
  }

  double least_bits() const {
    double least = kFar;
    for (const Entry& entry : entries_) {
      if (!entry.waits && !entry.is_none()) least = std::min(least, entry.bits());
    }
    return least;
  }

  // The multi-byte models on the first bytes: those far behind wait for the next stage.
  void first_look() {
    const std::size_t end = std::min(limit_, kFirstLook);
    for (Entry& entry : entries_) read_on(&entry, end);
    if (sample_.starts_high() && least_bits() > kBadStart * static_cast<double>(end)) {
      for (Entry& entry : entries_) {
        entry.reading = {};
        read_on(&entry, end, true);
      }
    }
    double least = kFar;
    for (const Entry& entry : entries_) least = std::min(least, entry.bits());
    for (Entry& entry : entries_) {
      entry.waits = entry.bits() > least + kWaits && !is_declared(entry) && !sample_.complete();
    }
  }

  // Lets in those single-byte models that single letters do not rule out. False while that must
  // wait for a larger sample.
  bool first_filter(std::size_t stage) {
    if (stage == 0) {
      first_look();
    } else {
      for (Entry& entry : entries_) entry.waits = false;
    }
    double least_multi = kFar;
    for (Entry& entry : entries_) {
      if (entry.waits) continue;
      read_on(&entry, limit_);
      if (entry.is_none()) continue;
      least_multi = std::min(least_multi, entry.bits() + entry.prior / kIndependence);
    }
    if (!declaration_.encoding.empty()) least_multi += declaration_.bits / kIndependence;
    const auto& models = single().models();
    letter_costs_.resize(models.size());
    single().add_single_letter_costs(sample_.bytes(), letters_read_, limit_, &letter_costs_);
    letters_read_ = limit_;
    const double unit = SingleByteModels::unit();
    const double least = *std::min_element(letter_costs_.begin(), letter_costs_.end()) * unit;
    const auto read = static_cast<double>(limit_);
    const double most = least_multi + kFilterSlack + kPairGain * read;
    if (stage == 0 && !sample_.complete()) {
      if (least < most) return false;
      for (Entry& entry : entries_) entry.alive = !entry.waits;
    }
    filtered_ = true;
    if (least >= most && declaration_.encoding.empty()) return true;  // none is near
    for (std::size_t m = 0; m < models.size(); ++m) {
      const double bits = letter_costs_[m] * unit;
      Entry entry{.model = static_cast<int>(m),
                  .multi = false,
                  .encoding = kMultiByteModels + models[m].encoding,
                  .prior = models[m].prior};
      const bool near = bits < most && bits < least + kFilterSlack + kAmongSingle * read;
      if (near || is_declared(entry)) entries_.push_back(entry);
    }
    return true;
  }

  void read_all() {
    best_ = kFar;
    best_encoding_ = -1;
    for (Entry& entry : entries_) {
      if (!entry.alive) continue;
      read_on(&entry, limit_);
      if (const double bits = total(entry); !entry.is_none() && bits < best_) {
        best_ = bits;
        best_encoding_ = entry.encoding;
      }
    }
  }

  void drop_hopeless() {
    for (Entry& entry : entries_) {
      if (entry.alive && !entry.is_none()) entry.alive = total(entry) <= best_ + kHopeless;
    }
  }

  // One encoding is left, or a multi-byte one leads clearly. Drops languages on the way: of one
  // encoding only those near its best matter.
  bool is_decided() {
    std::vector<double> least(
        static_cast<std::size_t>(kMultiByteModels) + single().encodings().size(), kFar);
    double second = kFar;
    for (const Entry& entry : entries_) {
      if (!entry.alive) continue;
      double& of_encoding = least[static_cast<std::size_t>(entry.encoding)];
      of_encoding = std::min(of_encoding, total(entry));
      if (entry.encoding != best_encoding_) second = std::min(second, total(entry));
    }
    if (best_encoding_ < kMultiByteModels && second > best_ + kClear) return true;
    bool others = false;
    for (Entry& entry : entries_) {
      if (!entry.alive) continue;
      if (total(entry) > least[static_cast<std::size_t>(entry.encoding)] + kHopelessLanguage) {
        entry.alive = false;
      } else if (entry.encoding != best_encoding_) {
        others = others || !entry.is_none() || total(entry) <= best_ + kClear;
      }
    }
    return !others;
  }

  // Whether two encodings read every high byte of the head as the same character.
  bool decode_alike(int a, int b) const {
    if (a == b) return true;
    if (a < kMultiByteModels || b < kMultiByteModels) return false;
    const auto& encodings = single().encodings();
    const auto& of_a = encodings[static_cast<std::size_t>(a - kMultiByteModels)].characters;
    const auto& of_b = encodings[static_cast<std::size_t>(b - kMultiByteModels)].characters;
    for (std::size_t byte = 0x80; byte < 256; ++byte) {
      if (seen_[byte] && of_a[byte] != of_b[byte]) return false;
    }
    return true;
  }

  void note_bytes() {
    for (std::size_t i = find_high(head_, 0); i < head_.size(); i = find_high(head_, i + 1)) {
      seen_[static_cast<unsigned char>(head_[i])] = true;
    }
  }

  std::vector<Ranked> posterior() {
    std::vector<const Entry*> best_of;  // of each encoding, the likeliest first
    for (const Entry& entry : entries_) {
      if (!entry.alive) continue;
      const auto same = std::find_if(best_of.begin(), best_of.end(), [&](const Entry* other) {
        return other->encoding == entry.encoding;
      });
      if (same == best_of.end()) {
        best_of.push_back(&entry);
      } else if (total(entry) < total(**same)) {
        *same = &entry;
      }
    }
    std::stable_sort(best_of.begin(), best_of.end(),
                     [&](const Entry* a, const Entry* b) { return total(*a) < total(*b); });
    if (!best_of.front()->multi) note_bytes();
    double sum = 0;
    std::vector<Ranked> ranked;
    for (const Entry* entry : best_of) {
      const double weight = std::exp2(total(*best_of.front()) - total(*entry));
      sum += weight;
      if (!ranked.empty() && decode_alike(best_of.front()->encoding, entry->encoding)) {
        ranked.front().share += weight;
        continue;
      }
      const auto model = static_cast<std::size_t>(entry->model);
      ranked.push_back({std::string(name(entry->encoding)),
                        entry->multi ? nullptr : &single().models()[model], weight, entry->bits()});
    }
    for (Ranked& entry : ranked) entry.share /= sum;
    return ranked;
  }

  const std::string_view head_;
  const Utf8Facts utf8_;
  const Declaration& declaration_;
  EvidenceSample sample_;
  std::size_t limit_ = 0;  // bytes of the sample that are read in this stage
  std::vector<Entry> entries_;
  bool filtered_ = false;  // the single-byte models are in
  std::vector<std::uint32_t> letter_costs_;
  std::size_t letters_read_ = 0;
  double best_ = 0;
  int best_encoding_ = -1;
  std::array<bool, 256> seen_ = {};
};

void add_candidate(const std::string& name, std::vector<std::string>* candidates) {
  const bool known = std::find(candidates->begin(), candidates->end(), name) != candidates->end();
  if (!name.empty() && !known) candidates->push_back(name);
}

std::string language_of(const SingleByteModel& model) {
  return fmt::format(" (language like {})", model.language);
}

}  // namespace

EncodingEvidence detect_legacy(std::string_view head, const Utf8Facts& utf8,
                               const Declaration& declaration) {
  Contest contest(head, utf8, declaration);
  const std::vector<Ranked> ranked = contest.decide();
  const Ranked& best = ranked.front();
  if (best.model != nullptr && is_english_in_big5(head)) {
    return {"big5", kEnglish, "marks of big5 around ASCII words", {}, {}};
  }
  EncodingEvidence evidence;
  evidence.encoding = best.encoding;
  evidence.confidence = std::min(best.share, kHighest);
  if (best.encoding.empty()) {
    evidence.confidence = 0;
    evidence.why = "no encoding reads as text";
  } else {
    const std::string doubt = encoding_doubts(
        {head, contest.sample(), best.encoding, best.model, best.bits, utf8.western});
    if (!doubt.empty()) evidence.confidence = std::min(evidence.confidence, kUnasked);
    evidence.why = fmt::format("detected{} from {} bytes of evidence{}",
                               best.model == nullptr ? "" : language_of(*best.model),
                               contest.sample().size(), doubt);
    if (best.encoding == declaration.encoding) evidence.why = "declared, and " + evidence.why;
  }
  if (evidence.confidence < 0.9) {
    for (const Ranked& entry : ranked) {
      if (entry.share > 0.01) add_candidate(entry.encoding, &evidence.candidates);
    }
    add_candidate(declaration.encoding, &evidence.candidates);
    if (evidence.encoding.empty() && ranked.size() > 1) {
      add_candidate(ranked[1].encoding, &evidence.candidates);
    }
  }
  return evidence;
}

}  // namespace headrace::normalize::internal
