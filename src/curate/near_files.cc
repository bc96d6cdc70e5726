// SPDX-License-Identifier: Apache-2.0
#include "curate/near_files.h"

#include <limits>

#include "base/error.h"
#include "curate/passes.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kEdgesOfAFile = 1'000'000;
constexpr std::uint32_t kNone = dedup::NearPlace::kNone;

std::uint32_t from_one(std::uint32_t group) { return group == kNone ? 0 : group + 1; }

std::string path_of(const Context& context, const char* folder, std::size_t part) {
  return context.directory.at(RunDirectory::part(folder, part, "parquet"));
}

}  // namespace

Result<PlaceWriter> PlaceWriter::create(const Context& context, std::size_t part) {
  PlaceWriter places(path_of(context, kNearFolder, part));
  HEADRACE_ASSIGN_OR_RETURN(
      places.writer_, ParquetWriter::create(places.path_.temporary(),
                                            {{"id", ColumnType::kUint64},
                                             {"group", ColumnType::kUint32},
                                             {"other", ColumnType::kUint32},
                                             {"component", ColumnType::kUint32},
                                             {"earlier", ColumnType::kUint64, true},
                                             {"earlier_similarity", ColumnType::kDouble, true}}));
  return places;
}

Result<void> PlaceWriter::write(std::uint64_t id, const dedup::NearPlace& place,
                                const std::optional<EarlierDocument>& earlier) {
  writer_->append_uint64(0, id);
  writer_->append_uint32(1, from_one(place.group));
  writer_->append_uint32(2, from_one(place.other));
  writer_->append_uint32(3, from_one(place.component));
  if (earlier) {
    writer_->append_uint64(4, earlier->id);
  } else {
    writer_->append_null(4);
  }
  writer_->append_double(5,
                         earlier ? earlier->similarity : std::numeric_limits<double>::quiet_NaN());
  return writer_->end_row();
}

Result<void> PlaceWriter::commit() {
  HEADRACE_RETURN_IF_ERROR(writer_->close());
  return path_.commit();
}

Result<PlacedPart> PlacedPart::load(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path_of(context, kNearFolder, part)));
  PlacedPart placed;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("group", &placed.group));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("other", &placed.other));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("component", &placed.component));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("earlier", &placed.earlier));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("earlier_similarity", &placed.earlier_similarity));
  return placed;
}

Result<void> EdgeWriter::write(const dedup::NearEdge& edge, std::uint32_t component) {
  if (writer_ == nullptr) {
    paths_.push_back(RunDirectory::part(kNearEdgesFolder, paths_.size(), "parquet"));
    path_.emplace(context_.directory.at(paths_.back()));
    HEADRACE_ASSIGN_OR_RETURN(
        writer_, ParquetWriter::create(path_->temporary(), {{"component", ColumnType::kUint32},
                                                            {"a", ColumnType::kUint32},
                                                            {"b", ColumnType::kUint32},
                                                            {"similarity", ColumnType::kDouble}}));
  }
  writer_->append_uint32(0, from_one(component));
  writer_->append_uint32(1, from_one(edge.a));
  writer_->append_uint32(2, from_one(edge.b));
  writer_->append_double(3, static_cast<double>(edge.similarity));
  HEADRACE_RETURN_IF_ERROR(writer_->end_row());
  return ++in_file_ == kEdgesOfAFile ? end_file() : Result<void>();
}

Result<void> EdgeWriter::end_file() {
  HEADRACE_RETURN_IF_ERROR(writer_->close());
  HEADRACE_RETURN_IF_ERROR(path_->commit());
  writer_.reset();
  path_.reset();
  in_file_ = 0;
  return {};
}

Result<std::vector<std::string>> EdgeWriter::commit() {
  if (writer_ != nullptr) HEADRACE_RETURN_IF_ERROR(end_file());
  return std::move(paths_);
}

Result<void> for_each_edge(
    const Context& context, std::size_t files,
    const std::function<Result<void>(const dedup::NearEdge& edge, std::uint32_t component)>& sink) {
  for (std::size_t file = 0; file < files; ++file) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(path_of(context, kNearEdgesFolder, file)));
    std::vector<std::uint32_t> component;
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    std::vector<double> similarity;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint32("component", &component));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint32("a", &a));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint32("b", &b));
    HEADRACE_RETURN_IF_ERROR(reader->read_double("similarity", &similarity));
    for (std::size_t i = 0; i < a.size(); ++i) {
      HEADRACE_RETURN_IF_ERROR(sink({a[i], b[i], static_cast<float>(similarity[i])}, component[i]));
    }
  }
  return {};
}

Result<void> write_clusters(const Context& context, std::size_t part,
                            std::span<const ClusterMember> members) {
  io::AtomicPath path(path_of(context, kClustersFolder, part));
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer, ParquetWriter::create(path.temporary(), {{"id", ColumnType::kUint64},
                                                            {"survivor", ColumnType::kUint64},
                                                            {"linked_to", ColumnType::kUint64},
                                                            {"similarity", ColumnType::kDouble}}));
  for (const ClusterMember& member : members) {
    writer->append_uint64(0, member.id);
    writer->append_uint64(1, member.survivor);
    writer->append_uint64(2, member.linked_to);
    writer->append_double(3, static_cast<double>(member.similarity));
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return path.commit();
}

Result<std::vector<ClusterMember>> load_clusters(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader,
                            ParquetReader::open(path_of(context, kClustersFolder, part)));
  std::vector<std::uint64_t> id;
  std::vector<std::uint64_t> survivor;
  std::vector<std::uint64_t> linked_to;
  std::vector<double> similarity;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &id));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("survivor", &survivor));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("linked_to", &linked_to));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("similarity", &similarity));
  std::vector<ClusterMember> members;
  for (std::size_t i = 0; i < id.size(); ++i)
    members.push_back({id[i], survivor[i], linked_to[i], static_cast<float>(similarity[i])});
  return members;
}

}  // namespace headrace::curate
