// SPDX-License-Identifier: Apache-2.0
// Byte ranges of kept documents that do not go into the output: text that stands elsewhere already
// (dedup by paragraph, line, stretch), or that a leak check found.
//
// The normalized text is never changed; the ranges are a side file, spans/part-*.parquet. Whoever
// hands text on (tokenize, cat, samples, Python) cuts through RemovedSpans::cut() and nowhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::curate {

struct Context;

// Why a range is removed. The names stand in files: part of the format; see
// docs/formats/run_directory.md.
enum class SpanReason : std::uint8_t {
  kDuplicateParagraph,
  kDuplicateLine,
  kDuplicateSubstring,
  kLeak,
  // Not a range of its own: the document is dropped, since the other ranges leave nothing, or too
  // little, of it. Its range is the whole text, and cut() passes it over.
  kLittleLeft,
};
std::string_view name_of(SpanReason reason);

// Bytes [begin, end) of the normalized text of document `id`, on borders of code points.
struct RemovedSpan {
  std::uint64_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  SpanReason reason = SpanReason::kDuplicateLine;
  // Where the copy that stays stands; nothing for leaks.
  struct Kept {
    std::uint64_t id = 0;
    std::uint32_t begin = 0;
    bool operator==(const Kept&) const = default;
  };
  std::optional<Kept> kept;

  bool operator==(const RemovedSpan&) const = default;
};

// The order of rows in a file: by id, begin, end, reason, place of the copy that stays.
bool operator<(const RemovedSpan& a, const RemovedSpan& b);

// `text` without the ranges of `spans`, which stand in order and may touch or overlap.
std::string text_without(std::string_view text, std::span<const RemovedSpan> spans);

// The ranges of one part. Read-only, so thread-safe.
class RemovedSpans {
 public:
  RemovedSpans() = default;
  // What the spans stage of the run removes of a part; nothing as long as it is not finished or the
  // recipe does not ask for it.
  static Result<RemovedSpans> load(const Context& context, std::size_t part);
  // Any file that write_spans() made.
  static Result<RemovedSpans> read(const std::string& path);

  const std::vector<RemovedSpan>& all() const { return spans_; }
  // Those of one document, in order, without kLittleLeft.
  std::span<const RemovedSpan> of(std::uint64_t id) const;
  // Whether the document is dropped because nothing is left of it.
  bool drops(std::uint64_t id) const;
  // Takes the ranges out of the text of document `id`; whether there were any.
  bool cut(std::uint64_t id, std::string* text) const;

 private:
  std::vector<RemovedSpan> spans_;  // in order
};

// Writes a file of spans, which stand in order; by rename, not flushed further.
Result<void> write_spans(const std::string& path, std::span<const RemovedSpan> spans);

}  // namespace headrace::curate
