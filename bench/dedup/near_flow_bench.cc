// SPDX-License-Identifier: Apache-2.0
// Near duplicates from JSON Lines to verdicts, and nothing else: read, sign, band, read candidates
// again, verify, cluster, write.
//
//   near_flow_bench corpus.jsonl truth.tsv FOLDER [THREADS]
//
// The corpus comes from near_corpus. Recall (pairs of similarity 0.8 or more in one cluster) and
// precision (removed documents that are copies of their survivor's base) are checked before the
// time is told; "-" in place of the truth leaves that to whoever calls. MB/s are 10^6 bytes of the
// file, wall and CPU.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "dedup/near_index.h"
#include "dedup/signature_file.h"
#include "io/file.h"
#include "read/reader.h"
#include "record/parquet_table.h"

namespace headrace::dedup {
namespace {

class NoDecoders final : public DecoderFactory {
 public:
  Result<std::shared_ptr<const TextDecoder>> declared(std::string_view) const override {
    return invalid_argument("no other encodings");
  }
  EncodingEvidence detect(std::string_view, const EncodingHints&) const override { return {}; }
};

template <class Function>
class Sink final : public read::RecordSink {
 public:
  explicit Sink(Function function) : function_(std::move(function)) {}
  Result<void> document(Document& document) override { return function_(document); }
  Result<void> rejected(const RejectedRecord&) override { return internal_error("a bad record"); }

 private:
  Function function_;
};

template <class Function>
Result<void> for_each(const read::Reader& reader, const read::Split& split, Function function) {
  Sink<Function> sink(std::move(function));
  HEADRACE_RETURN_IF_ERROR(reader.read(split, sink, {}));
  return {};
}

struct Row {
  std::uint64_t id;
  std::uint32_t bytes;
};

Result<std::vector<Row>> sign(const read::Reader& reader, const read::Split& split,
                              const std::string& path, const SignatureSettings& settings) {
  HEADRACE_ASSIGN_OR_RETURN(SignatureWriter writer, SignatureWriter::create(path, settings));
  Signer signer(settings);
  TextViewBuilder builder;
  std::vector<Row> rows;
  HEADRACE_RETURN_IF_ERROR(for_each(reader, split, [&](Document& document) {
    rows.push_back({document.id.value, static_cast<std::uint32_t>(document.text.size())});
    return writer.add(signer.sign(builder.build(document.text)));
  }));
  HEADRACE_RETURN_IF_ERROR(writer.commit());
  return rows;
}

// The row that stands for each: the longest of its component, then the first.
Result<std::vector<std::uint64_t>> choose(const NearIndex& index,
                                          const std::vector<std::vector<Row>>& parts) {
  std::vector<std::uint64_t> survivor;  // by component
  std::vector<std::uint32_t> length;
  std::vector<std::uint32_t> component;
  std::uint64_t number = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::size_t row = 0;
    HEADRACE_RETURN_IF_ERROR(
        index.for_each_place(part, [&](const NearPlace& place) -> Result<void> {
          const std::uint32_t bytes = parts[part][row++].bytes;
          component.push_back(place.component);
          if (place.component != NearPlace::kNone) {
            if (place.component >= survivor.size()) {
              survivor.resize(place.component + 1, 0);
              length.resize(place.component + 1, 0);
            }
            if (bytes > length[place.component]) {
              length[place.component] = bytes;
              survivor[place.component] = number;
            }
          }
          ++number;
          return {};
        }));
  }
  std::vector<std::uint64_t> of(number);
  for (std::uint64_t i = 0; i < number; ++i)
    of[i] = component[i] == NearPlace::kNone ? i : survivor[component[i]];
  return of;
}

Result<void> write_verdicts(const std::string& path, const std::vector<std::vector<Row>>& parts,
                            const std::vector<std::uint64_t>& survivor) {
  HEADRACE_ASSIGN_OR_RETURN(auto writer,
                            ParquetWriter::create(path, {{"id", ColumnType::kUint64},
                                                         {"reason", ColumnType::kString},
                                                         {"duplicate_of", ColumnType::kUint64}}));
  std::uint64_t number = 0;
  for (const std::vector<Row>& rows : parts) {
    for (const Row& row : rows) {
      writer->append_uint64(0, row.id);
      writer->append_string(1, survivor[number] == number ? "" : "near_duplicate");
      writer->append_uint64(2, survivor[number]);
      HEADRACE_RETURN_IF_ERROR(writer->end_row());
      ++number;
    }
  }
  return writer->close();
}

Result<void> check(const std::string& truth, const std::vector<std::uint64_t>& survivor) {
  std::ifstream in(truth);
  std::string kind;
  double similarity = 0;
  std::vector<std::uint64_t> base(survivor.size());
  std::uint64_t wanted = 0;
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < survivor.size() && in >> kind >> base[i] >> similarity; ++i) {
    if (kind == "unique" || similarity < 0.8) continue;
    ++wanted;
    found += survivor[i] == survivor[base[i]];
  }
  std::uint64_t removed = 0;
  std::uint64_t right = 0;
  for (std::uint64_t i = 0; i < survivor.size(); ++i) {
    if (survivor[i] == i) continue;
    ++removed;
    right += base[i] == base[survivor[i]];
  }
  fmt::print("recall {}/{} precision {}/{}\n", found, wanted, right, removed);
  if (wanted == 0 || found * 1000 < wanted * 980 || right * 1000 < removed * 999)
    return internal_error("too little was found, or too much");
  return {};
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

Result<void> run(const std::string& corpus, const std::string& truth, const std::string& folder,
                 std::size_t threads) {
  static const NoDecoders kDecoders;
  HEADRACE_ASSIGN_OR_RETURN(const auto reader, read::registry().find("jsonl")->make({}, kDecoders));
  HEADRACE_ASSIGN_OR_RETURN(const auto splits, reader->split(corpus, 0, std::uint64_t{64} << 20));
  std::filesystem::create_directories(folder);
  NearOptions options;
  HEADRACE_RETURN_IF_ERROR(complete(&options));
  const double start = monotonic_seconds();
  const double cpu_before = cpu_seconds();
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < splits.size(); ++i)
    paths.push_back(fmt::format("{}/part-{:05}.sig", folder, i));
  std::vector<std::vector<Row>> parts(splits.size());
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(splits.size(), threads, {}, [&](std::size_t i) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(parts[i], sign(*reader, splits[i], paths[i], options.signature));
        return {};
      }));
  const double signed_at = monotonic_seconds();
  const auto texts = [&](std::size_t part, const std::vector<bool>& rows,
                         const TextSink& sink) -> Result<void> {
    std::uint32_t row = 0;
    return for_each(*reader, splits[part], [&](Document& document) -> Result<void> {
      const std::uint32_t at = row++;
      return rows[at] ? sink(at, document.text) : Result<void>();
    });
  };
  HEADRACE_ASSIGN_OR_RETURN(
      const NearIndex index,
      NearIndex::build(paths, {}, options, {.threads = threads, .folder = folder}, texts));
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> survivor, choose(index, parts));
  HEADRACE_RETURN_IF_ERROR(write_verdicts(folder + "/verdict.parquet", parts, survivor));
  const double seconds = monotonic_seconds() - start;
  const double cpu = cpu_seconds() - cpu_before;
  if (truth != "-") HEADRACE_RETURN_IF_ERROR(check(truth, survivor));
  const double mb = static_cast<double>(std::filesystem::file_size(corpus)) / 1e6;
  fmt::print(
      "{:.0f} MB, {} documents, {} threads: {:.2f} s ({:.2f} signing), {:.1f} MB/s wall, {:.1f} "
      "MB/s "
      "of CPU time\n",
      mb, survivor.size(), threads, seconds, signed_at - start, mb / seconds, mb / cpu);
  return {};
}

}  // namespace
}  // namespace headrace::dedup

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    fmt::print(stderr, "near_flow_bench corpus.jsonl truth.tsv FOLDER [THREADS]\n");
    return 2;
  }
  const auto done = headrace::dedup::run(argv[1], argv[2], argv[3],
                                         argc == 5 ? std::strtoull(argv[4], nullptr, 10) : 1);
  std::filesystem::remove_all(argv[3]);
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
