// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::array<const char*, leak::kParts> kPartNames = {"question", "options", "answer",
                                                              "passage"};

constexpr std::size_t kVerdicts = 2;

std::optional<std::uint32_t> take_number(std::string_view* text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc()) return std::nullopt;
  text->remove_prefix(static_cast<std::size_t>(end - text->data()));
  return number;
}

bool take(char wanted, std::string_view* text) {
  if (!text->starts_with(wanted)) return false;
  text->remove_prefix(1);
  return true;
}

std::optional<TextRange> take_range(std::string_view* text) {
  const auto begin = take_number(text);
  if (!begin || !take('-', text)) return std::nullopt;
  const auto end = take_number(text);
  if (!end || *end < *begin) return std::nullopt;
  return TextRange{*begin, *end};
}

// "question:0:12-40 options:2:0-9".
std::string format_pieces(const std::vector<leak::ItemPiece>& pieces) {
  std::string text;
  for (const leak::ItemPiece& piece : pieces) {
    text += fmt::format("{}{}:{}:{}-{}", text.empty() ? "" : " ",
                        kPartNames[static_cast<std::size_t>(piece.part)], piece.text,
                        piece.bytes.begin, piece.bytes.end);
  }
  return text;
}

Result<std::vector<leak::ItemPiece>> parse_pieces(std::string_view text) {
  std::vector<leak::ItemPiece> pieces;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto* const name = std::find_if(kPartNames.begin(), kPartNames.end(),
                                          [&](const char* one) { return rest.starts_with(one); });
    if (name == kPartNames.end()) return corrupt("'{}' is no list of item pieces", text);
    rest.remove_prefix(std::string_view(*name).size());
    const bool colon = take(':', &rest);
    const auto number = colon ? take_number(&rest) : std::nullopt;
    const auto range = number && take(':', &rest) ? take_range(&rest) : std::nullopt;
    if (!range || (!rest.empty() && !take(' ', &rest)))
      return corrupt("'{}' is no list of item pieces", text);
    pieces.push_back({static_cast<leak::Part>(name - kPartNames.begin()), *number, *range});
  }
  return pieces;
}

// The value of an enumeration of `count` values that goes by a name.
template <class Value>
Result<Value> named(std::string_view name, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (leak::name_of(static_cast<Value>(i)) == name) return static_cast<Value>(i);
  }
  return corrupt("'{}' is no name that this version knows", name);
}

// The columns of the hits file by type, in its order.
struct HitColumns {
  std::vector<std::uint64_t> ids;
  std::vector<std::string> set, item, verdict, view, pieces, item_pieces;
  std::vector<double> ratio, mass, density;
  std::array<std::vector<double>, leak::kParts> coverage, weight;
  std::vector<std::uint32_t> number, begin, end, remove_begin, remove_end, seeds;

  Result<void> read(ParquetReader& reader) {
    HEADRACE_RETURN_IF_ERROR(reader.read_uint64("id", &ids));
    for (const auto& [name, column] : words()) {
      for (int group = 0; group < reader.row_groups(); ++group)
        HEADRACE_RETURN_IF_ERROR(reader.read_strings(name, group, column));
    }
    for (const auto& [name, column] : shares())
      HEADRACE_RETURN_IF_ERROR(reader.read_double(name, column));
    for (const auto& [name, column] : numbers())
      HEADRACE_RETURN_IF_ERROR(reader.read_uint32(name, column));
    return {};
  }

  std::vector<std::pair<std::string, std::vector<std::string>*>> words() {
    return {{"set", &set},   {"item", &item},     {"verdict", &verdict},
            {"view", &view}, {"pieces", &pieces}, {"item_pieces", &item_pieces}};
  }
  std::vector<std::pair<std::string, std::vector<double>*>> shares() {
    std::vector<std::pair<std::string, std::vector<double>*>> columns = {
        {"ratio", &ratio}, {"mass", &mass}, {"density", &density}};
    for (std::size_t part = 0; part < leak::kParts; ++part) {
      columns.emplace_back(kPartNames[part], &coverage[part]);
      columns.emplace_back(std::string(kPartNames[part]) + "_weight", &weight[part]);
    }
    return columns;
  }
  std::vector<std::pair<std::string, std::vector<std::uint32_t>*>> numbers() {
    return {{"item_number", &number},
            {"begin", &begin},
            {"end", &end},
            {"seeds", &seeds},
            {"remove_begin", &remove_begin},
            {"remove_end", &remove_end}};
  }

  void add(const LeakHit& found) {
    const leak::Hit& hit = found.hit;
    ids.push_back(found.id);
    set.push_back(found.set);
    item.push_back(found.item);
    verdict.emplace_back(leak::name_of(hit.verdict));
    view.emplace_back(leak::name_of(hit.view));
    pieces.push_back(format_ranges(hit.pieces));
    item_pieces.push_back(format_pieces(hit.item_pieces));
    ratio.push_back(hit.ratio);
    mass.push_back(hit.mass);
    density.push_back(hit.density);
    for (std::size_t part = 0; part < leak::kParts; ++part) {
      coverage[part].push_back(hit.coverage[part]);
      weight[part].push_back(hit.weight[part]);
    }
    number.push_back(hit.item);
    begin.push_back(hit.span.begin);
    end.push_back(hit.span.end);
    seeds.push_back(hit.seeds);
    remove_begin.push_back(hit.remove.begin);
    remove_end.push_back(hit.remove.end);
  }

  Result<LeakHit> at(std::size_t row) const {
    LeakHit found{ids[row], set[row], item[row], {}};
    leak::Hit& hit = found.hit;
    hit.item = number[row];
    HEADRACE_ASSIGN_OR_RETURN(hit.verdict, named<leak::Verdict>(verdict[row], kVerdicts));
    HEADRACE_ASSIGN_OR_RETURN(hit.view, named<leak::View>(view[row], leak::kViews));
    HEADRACE_ASSIGN_OR_RETURN(hit.pieces, parse_ranges(pieces[row]));
    HEADRACE_ASSIGN_OR_RETURN(hit.item_pieces, parse_pieces(item_pieces[row]));
    hit.ratio = ratio[row];
    hit.mass = mass[row];
    hit.density = density[row];
    for (std::size_t part = 0; part < leak::kParts; ++part) {
      hit.coverage[part] = coverage[part][row];
      hit.weight[part] = weight[part][row];
    }
    hit.span = {begin[row], end[row]};
    hit.seeds = seeds[row];
    hit.remove = {remove_begin[row], remove_end[row]};
    return found;
  }
};

Result<void> write_hits(const std::string& path, const std::vector<LeakHit>& hits) {
  HitColumns columns;
  for (const LeakHit& hit : hits) columns.add(hit);
  std::vector<ColumnInfo> infos = {{"id", ColumnType::kUint64}};
  for (const auto& [name, column] : columns.words()) infos.push_back({name, ColumnType::kString});
  for (const auto& [name, column] : columns.shares()) infos.push_back({name, ColumnType::kDouble});
  for (const auto& [name, column] : columns.numbers()) infos.push_back({name, ColumnType::kUint32});
  io::AtomicPath file(path);
  HEADRACE_ASSIGN_OR_RETURN(auto writer, ParquetWriter::create(file.temporary(), infos));
  for (std::size_t row = 0; row < hits.size(); ++row) {
    std::size_t at = 0;
    writer->append_uint64(at++, columns.ids[row]);
    for (const auto& [name, column] : columns.words()) writer->append_string(at++, (*column)[row]);
    for (const auto& [name, column] : columns.shares()) writer->append_double(at++, (*column)[row]);
    for (const auto& [name, column] : columns.numbers())
      writer->append_uint32(at++, (*column)[row]);
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return file.commit();
}

}  // namespace

std::string leak_documents_file(std::size_t part) {
  return RunDirectory::part(kLeakDocumentsFolder, part, "parquet");
}

std::string leak_hits_file(std::size_t part) {
  return RunDirectory::part(kLeakHitsFolder, part, "parquet");
}

std::string format_ranges(const std::vector<TextRange>& ranges) {
  std::string text;
  for (const TextRange range : ranges)
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", range.begin, range.end);
  return text;
}

Result<std::vector<TextRange>> parse_ranges(std::string_view text) {
  std::vector<TextRange> ranges;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto range = take_range(&rest);
    if (!range || (!rest.empty() && !take(' ', &rest)))
      return corrupt("'{}' is no list of ranges", text);
    ranges.push_back(*range);
  }
  return ranges;
}

LeakPart LeakPart::unscanned(std::vector<std::uint64_t> ids) {
  LeakPart part;
  part.scanned.assign(ids.size(), false);
  part.ids = std::move(ids);
  return part;
}

Result<std::vector<bool>> LeakPart::load_scanned(const RunDirectory& directory, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(directory.at(leak_documents_file(part))));
  std::vector<std::uint32_t> scanned;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("scanned", &scanned));
  return std::vector<bool>(scanned.begin(), scanned.end());
}

Result<LeakPart> LeakPart::load(const RunDirectory& directory, std::size_t part) {
  LeakPart rows;
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(directory.at(leak_documents_file(part))));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &rows.ids));
  HEADRACE_ASSIGN_OR_RETURN(rows.scanned, load_scanned(directory, part));
  const std::string path = directory.at(leak_hits_file(part));
  HEADRACE_ASSIGN_OR_RETURN(auto hits, ParquetReader::open(path));
  HitColumns columns;
  HEADRACE_RETURN_IF_ERROR(columns.read(*hits));
  for (std::size_t row = 0; row < columns.ids.size(); ++row) {
    auto hit = columns.at(row);
    if (!hit) return hit.error().with_context(fmt::format("{} row {}", path, row));
    rows.hits.push_back(*std::move(hit));
  }
  return rows;
}

Result<void> LeakPart::write(const RunDirectory& directory, std::size_t part) const {
  io::AtomicPath file(directory.at(leak_documents_file(part)));
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer, ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                                            {"scanned", ColumnType::kUint32},
                                                            {"hits", ColumnType::kUint32}}));
  std::size_t next = 0;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::size_t first = next;
    while (next < hits.size() && hits[next].id == ids[row]) ++next;
    writer->append_uint64(0, ids[row]);
    writer->append_uint32(1, scanned[row] ? 1 : 0);
    writer->append_uint32(2, static_cast<std::uint32_t>(next - first));
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  HEADRACE_RETURN_IF_ERROR(file.commit());
  return write_hits(directory.at(leak_hits_file(part)), hits);
}

}  // namespace headrace::curate
