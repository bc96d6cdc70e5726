// SPDX-License-Identifier: Apache-2.0
// Concatenate and split: documents laid end to end in a given order, cut into sequences of equal
// length.
//
// Pure arithmetic on lengths, so any sequence can be computed alone, by any task. No token is
// dropped, padded or moved except the tail that does not fill a sequence, which is counted.
#pragma once

#include "pack/packing.h"

namespace headrace::pack {

// Immutable after construction: thread-safe.
class ConcatSplit final : public Packing {
 public:
  // `document_tokens[i]`: tokens of the i-th document in stream order, its end token included.
  // `sequence_length` > 0.
  ConcatSplit(std::span<const std::uint64_t> document_tokens, std::uint32_t sequence_length);

  std::uint64_t sequences() const override;
  std::uint32_t sequence_length() const { return sequence_length_; }
  std::uint64_t total_tokens() const { return starts_.back(); }
  std::uint64_t leftover_tokens() const override;  // in the tail that fills no sequence

  // The pieces of sequence s, in order; their lengths sum to sequence_length(). Documents without
  // tokens give no piece.
  void pieces(std::uint64_t s, std::vector<Piece>* pieces) const override;

 private:
  std::uint32_t sequence_length_;
  std::vector<std::uint64_t> starts_;  // starts_[i]: stream position of document i; last: total
};

}  // namespace headrace::pack
