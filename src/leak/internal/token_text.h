// SPDX-License-Identifier: Apache-2.0
// Text → tokens, as both checks of this room see them. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "leak/internal/fold_table.h"
#include "leak/internal/grams.h"
#include "record/text_view.h"

namespace headrace::leak {

// The tokens of one text at a time; memory is kept for the next one. Single-threaded.
class TokenText {
 public:
  explicit TokenText(const FoldTable& folds) : folds_(folds) {}

  // Any bytes. Texts of 4 GiB and more are cut: positions have 32 bits.
  void assign(std::string_view text);

  std::size_t size() const { return size_; }
  TokenRow row() const { return {{prefixes_.get(), size_ + 1}, {half_units_.get(), size_}}; }
  TextRange bytes(std::size_t token) const { return {begins_[token], ends_[token]}; }

 private:
  std::size_t ascii(const char* bytes, std::size_t offset, std::size_t size);
  std::size_t other(std::size_t at);
  void put(std::uint64_t hash, std::uint8_t half_units, std::size_t begin, std::size_t end);
  void end_word(std::size_t begin, std::size_t end);
  void part(Fold fold, std::size_t begin, std::size_t end);
  void grow(std::size_t tokens);

  const FoldTable& folds_;
  std::string_view text_;

  // The word that other() is in.
  std::string word_;
  Kind word_kind_ = Kind::kSeparator;
  std::uint32_t word_letters_ = 0;
  std::size_t word_begin_ = 0;
  std::size_t word_end_ = 0;

  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::uint64_t[]> prefixes_ = std::make_unique<std::uint64_t[]>(1);
  std::unique_ptr<std::uint32_t[]> begins_;
  std::unique_ptr<std::uint32_t[]> ends_;
  std::unique_ptr<std::uint8_t[]> half_units_;
};

}  // namespace headrace::leak
