// SPDX-License-Identifier: Apache-2.0
// One walk over the sentence ends. What stands between two of them is a sentence, without the white
// space in front.
#include "measure/facts/sentences.h"

#include <algorithm>
#include <bit>

#include "measure/internal/ranges.h"

namespace headrace::measure {

SentenceFacts count_sentences(const TextView& view) {
  SentenceFacts facts;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : view.sentence_ends) {
    if (end - begin > facts.longest) {
      std::uint32_t visible = end;
      for_blocks(view, {begin, end}, [&](const TextBlock& block, std::uint64_t bits) {
        const std::uint64_t seen = block.lead & ~block.space & bits;
        if (seen == 0) return true;
        visible =
            static_cast<std::uint32_t>(64 * (&block - view.blocks.data()) + std::countr_zero(seen));
        return false;
      });
      facts.longest = std::max(facts.longest, view.code_points({visible, end}));
    }
    begin = end;
  }
  return facts;
}

}  // namespace headrace::measure
