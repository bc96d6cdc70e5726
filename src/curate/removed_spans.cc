// SPDX-License-Identifier: Apache-2.0
#include "curate/removed_spans.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/error.h"
#include "curate/context.h"
#include "curate/passes.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

// In the order of SpanReason.
constexpr std::array<std::string_view, 5> kNames = {
    "duplicate_paragraph", "duplicate_line", "duplicate_substring", "leak", kLittleLeftReason};

auto order_of(const RemovedSpan& span) {
  const RemovedSpan::Kept kept = span.kept.value_or(RemovedSpan::Kept());
  return std::make_tuple(span.id, span.begin, span.end, span.reason, kept.id, kept.begin);
}

std::optional<SpanReason> reason_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SpanReason>(found - kNames.begin());
}

}  // namespace

std::string_view name_of(SpanReason reason) { return kNames[static_cast<std::size_t>(reason)]; }

bool operator<(const RemovedSpan& a, const RemovedSpan& b) { return order_of(a) < order_of(b); }

std::string text_without(std::string_view text, std::span<const RemovedSpan> spans) {
  std::string rest;
  std::size_t done = 0;
  for (const RemovedSpan& span : spans) {
    if (span.reason == SpanReason::kLittleLeft) continue;
    const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
    if (begin > done) rest += text.substr(done, begin - done);
    done = std::max(done, std::min<std::size_t>(span.end, text.size()));
  }
  rest += text.substr(done);
  return rest;
}

Result<RemovedSpans> RemovedSpans::load(const Context& context, std::size_t part) {
  if (!context.finished.contains(kSpans)) return RemovedSpans();
  return read(context.directory.at(RunDirectory::part(kSpansFolder, part, "parquet")));
}

Result<RemovedSpans> RemovedSpans::read(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint64_t> kept_ids;
  std::vector<std::uint32_t> kept_begins;
  std::vector<std::uint32_t> has_kept;
  std::vector<std::string> names;
  std::vector<std::uint32_t> codes;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("begin", &begins));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("end", &ends));
  HEADRACE_RETURN_IF_ERROR(reader->read_codes("reason", &names, &codes));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("kept_id", &kept_ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("kept_begin", &kept_begins));
  std::vector<SpanReason> reasons;
  for (const std::string& name : names) {
    const std::optional<SpanReason> reason = reason_named(name);
    if (!reason) return unsupported("{}: '{}' is no reason that this version knows", path, name);
    reasons.push_back(*reason);
  }
  RemovedSpans read;
  read.spans_.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    RemovedSpan span{.id = ids[row],
                     .begin = begins[row],
                     .end = ends[row],
                     .reason = reasons[codes[row]],
                     .kept = {}};
    if (span.reason <= SpanReason::kDuplicateSubstring)
      span.kept = {kept_ids[row], kept_begins[row]};
    if (span.begin > span.end || (row > 0 && span < read.spans_.back())) {
      return corrupt("{}: row {} is out of order: run the recipe again", path, row);
    }
    read.spans_.push_back(span);
  }
  return read;
}

std::span<const RemovedSpan> RemovedSpans::of(std::uint64_t id) const {
  auto [first, last] =
      std::equal_range(spans_.begin(), spans_.end(), RemovedSpan{.id = id},
                       [](const RemovedSpan& a, const RemovedSpan& b) { return a.id < b.id; });
  return {first, last};
}

bool RemovedSpans::drops(std::uint64_t id) const {
  const auto spans = of(id);
  return std::any_of(spans.begin(), spans.end(), [](const RemovedSpan& span) {
    return span.reason == SpanReason::kLittleLeft;
  });
}

bool RemovedSpans::cut(std::uint64_t id, std::string* text) const {
  const auto spans = of(id);
  if (spans.empty()) return false;
  *text = text_without(*text, spans);
  return true;
}

Result<void> write_spans(const std::string& path, std::span<const RemovedSpan> spans) {
  io::AtomicPath file(path);
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer,
      ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                               {"begin", ColumnType::kUint32},
                                               {"end", ColumnType::kUint32},
                                               {"reason", ColumnType::kString},
                                               {"kept_id", ColumnType::kUint64, true},
                                               {"kept_begin", ColumnType::kUint32, true}}));
  for (const RemovedSpan& span : spans) {
    writer->append_uint64(0, span.id);
    writer->append_uint32(1, span.begin);
    writer->append_uint32(2, span.end);
    writer->append_string(3, name_of(span.reason));
    if (span.kept) {
      writer->append_uint64(4, span.kept->id);
      writer->append_uint32(5, span.kept->begin);
    } else {
      writer->append_null(4);
      writer->append_null(5);
    }
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return file.commit();
}

}  // namespace headrace::curate
