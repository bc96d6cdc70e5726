// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {

WordIndexTable::WordIndexTable(const FastTextModel& model) {
  const std::size_t entries = model.words.size() + model.labels.size();
  slots_.assign(std::bit_ceil(2 * entries + 2), 0);
  begin_.reserve(entries + 1);
  view_ = {.slots = slots_.data(),
           .mask = static_cast<std::uint32_t>(slots_.size() - 1),
           .begin = nullptr,
           .bytes = nullptr,
           .words = static_cast<std::uint32_t>(model.words.size()),
           .longest = 0};
  for (const auto* texts : {&model.words, &model.labels}) {
    for (const std::string& text : *texts) {
      begin_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      bytes_ += text;
      view_.longest = std::max(view_.longest, static_cast<std::uint32_t>(text.size()));
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  view_.begin = begin_.data();
  view_.bytes = bytes_.data();
  for (std::uint32_t id = 0; id < entries; ++id) {
    const std::string_view text(bytes_.data() + begin_[id], begin_[id + 1] - begin_[id]);
    const std::uint32_t hash = fasttext_hash(text);
    std::uint32_t at = hash & view_.mask;
    while (slots_[at] != 0) {
      const std::uint32_t other = static_cast<std::uint32_t>(slots_[at]) - 1;
      const std::string_view there(bytes_.data() + begin_[other],
                                   begin_[other + 1] - begin_[other]);
      if (there == text) break;
      at = (at + 1) & view_.mask;
    }
    slots_[at] = std::uint64_t{hash} << 32 | (id + 1);
  }
}

std::int32_t WordIndexTable::find(std::string_view word, std::uint32_t hash) const {
  for (std::uint32_t at = hash & view_.mask; slots_[at] != 0; at = (at + 1) & view_.mask) {
    if (slots_[at] >> 32 != hash) continue;
    const std::uint32_t id = static_cast<std::uint32_t>(slots_[at]) - 1;
    const std::string_view there(bytes_.data() + begin_[id], begin_[id + 1] - begin_[id]);
    if (there == word) return static_cast<std::int32_t>(id);
  }
  return -1;
}

int scale_exponent(double largest, double bound) {
  if (largest == 0) return 0;
  return std::clamp(static_cast<int>(std::floor(std::log2(bound / largest))), -200, 200);
}

}  // namespace headrace::score::internal
