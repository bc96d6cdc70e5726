// SPDX-License-Identifier: Apache-2.0
// A protocol buffer, read by hand: wire types are four, and unknown fields are skipped, as the
// format asks for.
#include "tokenize/sentencepiece_model.h"

#include <cstring>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

// One message of a protocol buffer.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  // Moves to the next field. False: there is none, or what comes is no field (is_broken()).
  bool next() {
    if (bytes_.empty()) return false;
    std::uint64_t tag = 0;
    is_broken_ = !varint(&tag);
    number_ = tag >> 3;
    std::uint64_t size = 0;
    switch (tag & 7) {
      case 0:
        is_broken_ = is_broken_ || !varint(&value_);
        return !is_broken_;
      case 1:
        size = 8;
        break;
      case 2:
        is_broken_ = is_broken_ || !varint(&size);
        break;
      case 5:
        size = 4;
        break;
      default:
        is_broken_ = true;
    }
    is_broken_ = is_broken_ || size > bytes_.size();
    if (is_broken_) return false;
    content_ = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return true;
  }

  bool is_broken() const { return is_broken_; }
  std::uint64_t number() const { return number_; }
  std::uint64_t value() const { return value_; }
  std::string_view content() const { return content_; }
  float number_32() const {
    float value = 0;
    if (content_.size() == sizeof(value)) std::memcpy(&value, content_.data(), sizeof(value));
    return value;
  }

 private:
  bool varint(std::uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes_[0]);
      bytes_.remove_prefix(1);
      *value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::string_view bytes_;
  bool is_broken_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t value_ = 0;
  std::string_view content_;
};

// Calls take(fields) for each field of a message.
template <class Take>
Result<void> read_fields(std::string_view bytes, std::string_view what, const Take& take) {
  Fields fields(bytes);
  while (fields.next()) take(fields);
  if (fields.is_broken()) return corrupt("{}: the file is cut off or damaged", what);
  return {};
}

}  // namespace

Result<SentencePieceModel> read_sentencepiece_model(std::string_view bytes) {
  SentencePieceModel model;
  Result<void> inner;
  const auto keep = [&](Result<void> result) {
    if (inner && !result) inner = std::move(result);
  };
  HEADRACE_RETURN_IF_ERROR(read_fields(bytes, "SentencePiece model", [&](const Fields& field) {
    if (field.number() == 1) {
      SentencePieceModel::Piece piece;
      keep(read_fields(field.content(), "a piece", [&](const Fields& part) {
        if (part.number() == 1) piece.text = part.content();
        if (part.number() == 2) piece.score = part.number_32();
        if (part.number() == 3) piece.type = part.value();
      }));
      model.pieces.push_back(std::move(piece));
    } else if (field.number() == 2) {
      keep(read_fields(field.content(), "trainer_spec", [&](const Fields& part) {
        if (part.number() == 3) model.type = part.value();
        if (part.number() == 24) model.whitespace_as_suffix = part.value() != 0;
        if (part.number() == 35) model.byte_fallback = part.value() != 0;
      }));
    } else if (field.number() == 3) {
      keep(read_fields(field.content(), "normalizer_spec", [&](const Fields& part) {
        if (part.number() == 2) model.charsmap = part.content();
        if (part.number() == 3) model.dummy_prefix = part.value() != 0;
        if (part.number() == 4) model.remove_extra_whitespaces = part.value() != 0;
        if (part.number() == 5) model.escape_whitespaces = part.value() != 0;
      }));
    }
  }));
  HEADRACE_RETURN_IF_ERROR(inner);
  return model;
}

}  // namespace headrace::tokenize
