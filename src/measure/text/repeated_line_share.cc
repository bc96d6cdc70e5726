// SPDX-License-Identifier: Apache-2.0
// Repeated line share: lines that have occurred before in the text, per line.
//
// Source: Gopher (arXiv 2112.11446), duplicate line fraction. Tools disagree on the same name: here
// a line that stands three times counts twice (the copies, not the first), as in datatrove, and the
// denominator is lines. Lines are those of TextView::lines: without blank ones, and compared
// without the white space at both ends; otherwise airy text with empty lines between its paragraphs
// looks repetitive.
//
// Null for a text without lines. Lines are compared by a 64-bit hash. Cost: one hash and one probe
// of a table of twice the lines each.
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {
namespace {

constexpr std::size_t kKeepEntries = std::size_t{1} << 20;

// How many lines equal an earlier one. Open addressing; 0 marks an empty entry.
std::size_t count_repeated(const TextView& view, std::vector<std::uint64_t>* table) {
  const std::size_t entries = std::bit_ceil(2 * view.lines.size());
  table->assign(entries, 0);
  std::size_t repeated = 0;
  for (const TextRange line : view.lines) {
    const std::uint64_t hash = hash64(view.bytes(line)) | 1;
    std::size_t at = (hash >> 1) & (entries - 1);
    while ((*table)[at] != 0 && (*table)[at] != hash) at = (at + 1) & (entries - 1);
    repeated += (*table)[at] == hash ? 1 : 0;
    (*table)[at] = hash;
  }
  return repeated;
}

class RepeatedLineShare final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    if (view.lines.size() == 1) return 0.0;
    if (view.lines.empty()) return std::nullopt;
    thread_local std::vector<std::uint64_t> table;  // memory only: nothing lasts between calls
    const std::size_t repeated = count_repeated(view, &table);
    if (table.size() > kKeepEntries) std::vector<std::uint64_t>().swap(table);
    return share(repeated, view.lines.size());
  }
};

}  // namespace

void register_repeated_line_share(Registry& registry) {
  registry.add({"repeated_line_share", "share",
                "share of non-blank lines that occurred before in the text; null without lines",
                [] { return std::unique_ptr<Measure>(std::make_unique<RepeatedLineShare>()); }});
}

}  // namespace headrace::measure
