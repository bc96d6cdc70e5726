// SPDX-License-Identifier: Apache-2.0
// How many bits a sample costs as text of a language in an encoding of one byte per character.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace headrace::normalize::internal {

// An encoding, by its 256 characters; 0 where nothing is.
struct SingleByteEncoding {
  std::string_view name;
  double prior = 0;  // bits that speak against it before any text is seen
  std::array<char16_t, 256> characters = {};
};

// What a byte above 0x7F is in a language: a letter of it; a mark that stands at either end of a
// word or between words; one that joins letters (’, and · in Catalan); a sign that no letter stands
// behind (© ® °); or something that its text hardly has.
enum class LetterKind : std::uint8_t { kForeign, kOwn, kMark, kJoint, kSign };

// A language written in an encoding.
struct SingleByteModel {
  int encoding = 0;  // index into SingleByteModels::encodings
  std::string_view language;
  bool latin = false;  // its alphabet has the ASCII letters
  double prior = 0;
  const std::uint8_t* pairs = nullptr;  // cost of a class behind a class
  unsigned classes = 0;
  double expected = 0;  // bits per byte of its pairs, in text of the language
  std::array<std::uint8_t, 256> class_of = {};
  std::array<std::uint8_t, 256> inner = {};  // cost of a byte inside its class
  std::array<std::uint8_t, 256> cases = {};  // 0 no letter with cases, 1 lower, 2 upper
  std::array<LetterKind, 256> kinds = {};
};

// A reading of the sample by one model, which goes on where it stopped.
struct SingleByteReading {
  double bits = 0;
  std::size_t at = 0;
  std::uint8_t class_before = 0;
  std::uint8_t case_before = 0;
};

// All languages in all their encodings; made once, immutable.
class SingleByteModels {
 public:
  static const SingleByteModels& all();

  const std::vector<SingleByteEncoding>& encodings() const { return encodings_; }
  const std::vector<SingleByteModel>& models() const { return models_; }
  void read_on(std::size_t model, std::string_view sample, std::size_t end,
               SingleByteReading* reading) const;

  // Adds to `costs` (one per model) what sample[begin, end) costs by the frequency of single
  // letters: a cheap first look at all models at once. In units(), as the models' own tables.
  void add_single_letter_costs(std::string_view sample, std::size_t begin, std::size_t end,
                               std::vector<std::uint32_t>* costs) const;
  static constexpr double unit() { return 1.0 / 6; }  // bits per step of a cost

 private:
  SingleByteModels();
  void add_language(std::size_t language);

  std::vector<SingleByteEncoding> encodings_;
  std::vector<SingleByteModel> models_;
  std::vector<std::vector<std::uint8_t>> pairs_;
  std::vector<std::vector<std::uint8_t>> single_letters_;  // by model
  std::vector<std::uint16_t> rows_;                        // by byte, then by model
  std::size_t row_ = 0;                                    // length of a row
};

}  // namespace headrace::normalize::internal
