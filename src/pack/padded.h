// SPDX-License-Identifier: Apache-2.0
// Each document begins a sequence; one that is longer goes on in the next. And documents as they
// are.
#pragma once

#include "pack/packing.h"

namespace headrace::pack {

class Padded final : public Packing {
 public:
  Padded(std::span<const std::uint64_t> document_tokens, std::uint32_t sequence_length);

  std::uint64_t sequences() const override { return starts_.back(); }
  void pieces(std::uint64_t s, std::vector<Piece>* pieces) const override;
  std::uint64_t padding_tokens() const override { return sequences() * sequence_length_ - total_; }

 private:
  std::uint32_t sequence_length_;
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> tokens_;
  std::vector<std::uint64_t> starts_;  // starts_[i]: first sequence of document i; last: all
};

class Unpacked final : public Packing {
 public:
  explicit Unpacked(std::span<const std::uint64_t> document_tokens);

  std::uint64_t sequences() const override { return documents_.size(); }
  void pieces(std::uint64_t s, std::vector<Piece>* pieces) const override;

 private:
  struct Document {
    std::uint64_t place = 0;
    std::uint32_t tokens = 0;
  };
  std::vector<Document> documents_;  // that have tokens
};

}  // namespace headrace::pack
