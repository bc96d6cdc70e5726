// SPDX-License-Identifier: Apache-2.0
// The files of near duplicates in a run directory: places of documents, edges, clusters. Columns:
// docs/formats/run_directory.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "curate/context.h"
#include "dedup/near_index.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {

// A document of an earlier run.
struct EarlierDocument {
  std::uint64_t id = 0;
  double similarity = 0;
};

// dedup/near/part-*.parquet, row-aligned.
class PlaceWriter {
 public:
  static Result<PlaceWriter> create(const Context& context, std::size_t part);
  Result<void> write(std::uint64_t id, const dedup::NearPlace& place,
                     const std::optional<EarlierDocument>& earlier);
  Result<void> commit();

 private:
  explicit PlaceWriter(std::string path) : path_(std::move(path)) {}
  io::AtomicPath path_;
  std::unique_ptr<ParquetWriter> writer_;
};

// A part of places; groups count from 1 here, 0 = none.
struct PlacedPart {
  std::vector<std::uint32_t> group;
  std::vector<std::uint32_t> other;
  std::vector<std::uint32_t> component;
  std::vector<std::uint64_t> earlier;      // id in the earlier run
  std::vector<double> earlier_similarity;  // NaN = none

  static Result<PlacedPart> load(const Context& context, std::size_t part);
};

// dedup/near/edges/part-*.parquet: as many files as needed, so that none is too large to hold.
class EdgeWriter {
 public:
  explicit EdgeWriter(const Context& context) : context_(context) {}
  Result<void> write(const dedup::NearEdge& edge, std::uint32_t component);
  // The paths of all files, relative to the run.
  Result<std::vector<std::string>> commit();

 private:
  Result<void> end_file();
  const Context& context_;
  std::optional<io::AtomicPath> path_;
  std::unique_ptr<ParquetWriter> writer_;
  std::uint64_t in_file_ = 0;
  std::vector<std::string> paths_;
};

// Groups count from 1, as in PlacedPart.
Result<void> for_each_edge(
    const Context& context, std::size_t files,
    const std::function<Result<void>(const dedup::NearEdge& edge, std::uint32_t component)>& sink);

// A document of a cluster of near duplicates.
struct ClusterMember {
  std::uint64_t id = 0;
  std::uint64_t survivor = 0;   // of the cluster; its own id for the survivor itself
  std::uint64_t linked_to = 0;  // the member that it is most similar to
  float similarity = 0;         // to that one
};

// dedup/clusters/part-*.parquet: those documents of a part that are in a cluster, by id.
Result<void> write_clusters(const Context& context, std::size_t part,
                            std::span<const ClusterMember> members);
Result<std::vector<ClusterMember>> load_clusters(const Context& context, std::size_t part);

}  // namespace headrace::curate
