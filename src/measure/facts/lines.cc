// SPDX-License-Identifier: Apache-2.0
// One hash and one probe of a table of twice the lines each. Open addressing; 0 marks an empty
// entry.
#include "measure/facts/lines.h"

#include <bit>

#include "base/hash.h"

namespace headrace::measure {
namespace {

constexpr std::size_t kKeepEntries = std::size_t{1} << 20;

}  // namespace

LineFacts LineCounter::count(const TextView& view) {
  LineFacts facts;
  if (view.lines.size() < 2) return facts;
  const std::size_t entries = std::bit_ceil(2 * view.lines.size());
  table_.assign(entries, 0);
  for (const TextRange line : view.lines) {
    const std::uint64_t hash = hash64(view.bytes(line)) | 1;
    std::size_t at = (hash >> 1) & (entries - 1);
    while (table_[at] != 0 && table_[at] != hash) at = (at + 1) & (entries - 1);
    facts.repeated += table_[at] == hash ? 1 : 0;
    table_[at] = hash;
  }
  if (entries > kKeepEntries) std::vector<std::uint64_t>().swap(table_);
  return facts;
}

}  // namespace headrace::measure
