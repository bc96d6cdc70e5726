// SPDX-License-Identifier: Apache-2.0
// Best fit, longest first: whole documents into sequences, so that little is padded.
//
// A document is cut only if it is longer than a sequence: into whole sequences and a rest, which is
// packed as any other document.
#pragma once

#include "pack/packing.h"

namespace headrace::pack {

class BestFit final : public Packing {
 public:
  // `window`: documents that are packed together, in stream order. More of them pad less and need
  // more memory, some 60 bytes each while they are packed. Affects results.
  BestFit(std::span<const std::uint64_t> document_tokens, std::uint32_t sequence_length,
          std::size_t window = kWindow);

  std::uint64_t sequences() const override { return ends_.size(); }
  void pieces(std::uint64_t s, std::vector<Piece>* pieces) const override;
  std::uint64_t padding_tokens() const override { return sequences() * sequence_length_ - total_; }

  static constexpr std::size_t kWindow = std::size_t{1} << 20;

 private:
  class Window;

  std::uint32_t sequence_length_;
  std::uint64_t total_ = 0;
  std::vector<Piece> pieces_;        // of sequence 0, then of 1 ...
  std::vector<std::uint64_t> ends_;  // ends_[s]: pieces up to the end of sequence s
};

}  // namespace headrace::pack
