// SPDX-License-Identifier: Apache-2.0
// Near duplicates by what texts say alone: signatures → places of documents in a graph, and its
// edges.
//
// Nothing here depends on a rule, so moving a threshold of `judge` leaves all of it as it is; the
// verdict pass takes the graph and unites what the rules keep. One task, on all threads: its steps
// cross all parts.
#include "base/error.h"
#include "base/log.h"
#include "curate/earlier_run.h"
#include "curate/near_files.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "dedup/near_index.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kNearPassVersion = 1;

// Texts of a part, for the sink of the index.
Result<void> read_texts(const Context& context, std::size_t part, const std::vector<bool>& rows,
                        const dedup::TextSink& sink) {
  Result<void> done;
  HEADRACE_RETURN_IF_ERROR(for_each_text(
      context, part, rows,
      [&](std::size_t row, const RowText& text) {
        done = sink(static_cast<std::uint32_t>(row), text.text);
        return done.has_value();
      },
      TextFields::kText));
  return done;
}

// Ids of an earlier run, by part and row.
using EarlierIds = std::vector<std::vector<std::uint64_t>>;

Result<void> write_places(const Context& context, const dedup::NearIndex& index,
                          const EarlierIds& earlier, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(context.directory.at(
                                             RunDirectory::part(kHashesFolder, part, "parquet"))));
  std::vector<std::uint64_t> ids;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  HEADRACE_ASSIGN_OR_RETURN(auto writer, PlaceWriter::create(context, part));
  std::size_t row = 0;
  HEADRACE_RETURN_IF_ERROR(
      index.for_each_place(part, [&](const dedup::NearPlace& place) -> Result<void> {
        if (row == ids.size())
          return corrupt("part {}: more documents are signed than there are", part);
        std::optional<EarlierDocument> document;
        if (place.earlier_part != dedup::NearPlace::kNone) {
          document = {earlier.at(place.earlier_part).at(place.earlier_row),
                      static_cast<double>(place.earlier_similarity)};
        }
        return writer.write(ids[row++], place, document);
      }));
  return writer.commit();
}

Result<std::vector<std::string>> write_edges(const Context& context,
                                             const dedup::NearIndex& index) {
  EdgeWriter writer(context);
  HEADRACE_RETURN_IF_ERROR(
      index.for_each_edge([&](const dedup::NearEdge& edge, std::uint32_t component) {
        return writer.write(edge, component);
      }));
  return writer.commit();
}

Result<Commit> find_near(const Context& context, const std::optional<EarlierRun>& run,
                         std::size_t parts) {
  std::vector<std::string> signatures;
  for (std::size_t part = 0; part < parts; ++part) {
    signatures.push_back(
        context.directory.at(RunDirectory::part(kSignaturesFolder, part, kSignaturesExtension)));
  }
  std::vector<dedup::EarlierPart> earlier;
  EarlierIds earlier_ids;
  for (std::size_t part = 0; run && part < run->parts(); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<bool> kept, run->kept(part));
    HEADRACE_ASSIGN_OR_RETURN(earlier_ids.emplace_back(), run->ids(part));
    earlier.push_back({run->at(kSignaturesFolder, part, kSignaturesExtension), std::move(kept)});
  }
  const dedup::NearLimits limits{.memory_bytes = context.recipe.memory_bytes,
                                 .threads = context.threads,
                                 .stop = context.stop,
                                 .folder = context.directory.at(kNearFolder)};
  HEADRACE_ASSIGN_OR_RETURN(
      const dedup::NearIndex index,
      dedup::NearIndex::build(
          signatures, earlier, *context.recipe.dedup.near, limits,
          [&](std::size_t part, const std::vector<bool>& rows, const dedup::TextSink& sink) {
            return read_texts(context, part, rows, sink);
          }));
  Commit commit;
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      parts, context.threads, context.stop,
      [&](std::size_t part) { return write_places(context, index, earlier_ids, part); }));
  for (std::size_t part = 0; part < parts; ++part)
    commit.outputs.push_back({RunDirectory::part(kNearFolder, part, "parquet"), 0, ""});
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::string> edges, write_edges(context, index));
  for (const std::string& path : edges) commit.outputs.push_back({path, 0, ""});
  const dedup::NearCounts& counts = index.counts();
  commit.numbers = {{"documents", counts.documents}, {"signatures", counts.signatures},
                    {"groups", counts.groups},       {"candidates", counts.candidates},
                    {"edges", counts.edges},         {"edge_parts", edges.size()},
                    {"left_out", counts.left_out}};
  if (counts.left_out > 0) {
    log_warning(
        "near: {} pairs of documents were not compared, because thousands share one band; each of "
        "these was compared with 32 to 64 of them",
        counts.left_out);
  }
  return commit;
}

std::string near_fingerprint(const Context& context, const std::optional<EarlierRun>& earlier,
                             const std::vector<Commit>& documents) {
  const dedup::NearOptions& near = *context.recipe.dedup.near;
  Fingerprint print;
  print.add(kNearPassVersion).add(near.signature.fingerprint()).add(near.threshold);
  print.add(std::uint64_t{near.bands.count})
      .add(std::uint64_t{near.bands.rows})
      .add(documents.size());
  for (const Commit& commit : documents) print.add(commit.digest());
  if (earlier) print.add("against").add(earlier->fingerprint());
  return print.hex();
}

}  // namespace

Result<std::vector<Commit>> near_pass(Context& context, const std::vector<Commit>& documents) {
  if (!context.recipe.dedup.near) return std::vector<Commit>();
  for (const char* folder : {kNearFolder, kNearEdgesFolder})
    HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(folder)));
  HEADRACE_ASSIGN_OR_RETURN(const std::optional<EarlierRun> earlier, EarlierRun::open(context));
  std::uint64_t rows = 0;
  for (const Commit& commit : documents) rows += commit.numbers.at("rows");
  const std::vector<StageTask> tasks = {
      {.fingerprint = near_fingerprint(context, earlier, documents), .weight = rows, .work = [&] {
         return find_near(context, earlier, documents.size());
       }}};
  return run_stage(context, kNear, tasks);
}

Result<void> remove_unasked_near(const Context& context) {
  if (context.recipe.dedup.near) return {};
  return context.ledger.forget_from(kNear, 0);
}

}  // namespace headrace::curate
