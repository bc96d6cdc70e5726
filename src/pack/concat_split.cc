// SPDX-License-Identifier: Apache-2.0
// Concatenate and split.
//
// The stream is never built: it is the prefix sums of the document lengths. Sequence s is the range
// [s * L, (s + 1) * L) of it; a binary search finds the document that holds its first token, a walk
// the rest. Cost: 8 bytes per document, O(log documents + pieces) per sequence. It is what
// Megatron-LM's GPTDataset and datatrove's merger do, without the shuffle, which belongs to the
// order of documents handed in.
#include "pack/concat_split.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace headrace::pack {

ConcatSplit::ConcatSplit(std::span<const std::uint64_t> document_tokens,
                         std::uint32_t sequence_length)
    : sequence_length_(sequence_length) {
  HEADRACE_DCHECK(sequence_length > 0);
  starts_.reserve(document_tokens.size() + 1);
  std::uint64_t position = 0;
  starts_.push_back(position);
  for (const std::uint64_t tokens : document_tokens) {
    HEADRACE_DCHECK(tokens <= std::numeric_limits<std::uint64_t>::max() - position);
    position += tokens;
    starts_.push_back(position);
  }
}

std::uint64_t ConcatSplit::sequences() const { return total_tokens() / sequence_length_; }

std::uint64_t ConcatSplit::leftover_tokens() const { return total_tokens() % sequence_length_; }

void ConcatSplit::pieces(std::uint64_t s, std::vector<Piece>* pieces) const {
  HEADRACE_DCHECK(s < sequences());
  pieces->clear();
  std::uint64_t position = s * sequence_length_;
  const std::uint64_t end = position + sequence_length_;
  // The last document that starts at or before `position`: empty documents share their start with
  // the next one and come before it, so the search steps over them.
  auto next = std::upper_bound(starts_.begin(), starts_.end(), position);
  while (position < end) {
    const auto document = static_cast<std::uint64_t>(next - starts_.begin()) - 1;
    const std::uint64_t stop = std::min(end, *next);
    if (stop > position) {
      pieces->push_back(
          {document, position - starts_[document], static_cast<std::uint32_t>(stop - position)});
    }
    position = stop;
    ++next;
  }
}

}  // namespace headrace::pack
