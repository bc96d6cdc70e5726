// SPDX-License-Identifier: Apache-2.0
#include "pack/padded.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace headrace::pack {

Padded::Padded(std::span<const std::uint64_t> document_tokens, std::uint32_t sequence_length)
    : sequence_length_(sequence_length), tokens_(document_tokens.begin(), document_tokens.end()) {
  HEADRACE_DCHECK(sequence_length > 0);
  starts_.reserve(tokens_.size() + 1);
  starts_.push_back(0);
  for (const std::uint64_t tokens : tokens_) {
    starts_.push_back(starts_.back() + tokens / sequence_length +
                      (tokens % sequence_length == 0 ? 0 : 1));
    total_ += tokens;
  }
}

void Padded::pieces(std::uint64_t s, std::vector<Piece>* pieces) const {
  HEADRACE_DCHECK(s < sequences());
  // Documents without tokens share their start with the next one and come before it.
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), s);
  const auto document = static_cast<std::uint64_t>(next - starts_.begin()) - 1;
  const std::uint64_t begin = (s - starts_[document]) * sequence_length_;
  const std::uint64_t length = std::min<std::uint64_t>(sequence_length_, tokens_[document] - begin);
  pieces->assign(1, {document, begin, static_cast<std::uint32_t>(length)});
}

Unpacked::Unpacked(std::span<const std::uint64_t> document_tokens) {
  for (std::uint64_t place = 0; place < document_tokens.size(); ++place) {
    HEADRACE_DCHECK(document_tokens[place] <= std::numeric_limits<std::uint32_t>::max());
    if (document_tokens[place] == 0) continue;
    documents_.push_back({place, static_cast<std::uint32_t>(document_tokens[place])});
  }
}

void Unpacked::pieces(std::uint64_t s, std::vector<Piece>* pieces) const {
  HEADRACE_DCHECK(s < sequences());
  pieces->assign(1, {documents_[s].place, 0, documents_[s].tokens});
}

}  // namespace headrace::pack
