// SPDX-License-Identifier: Apache-2.0
// Near duplicates of millions of documents within a memory budget: signatures, then the index.
//
//   near_index_bench DOCUMENTS MEMORY_MIB THREADS FOLDER
//
// Documents are drawn from a seed (corpus.h), so candidates are compared by true texts and the
// result is checked: of the near copies of similarity 0.8 or more (one in a hundred is looked at),
// how many stand in one component with what they are copies of. `rss_mib` is the peak of the
// process while it builds the index, `held_mib` what the process had before.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "corpus.h"
#include "dedup/near_index.h"
#include "dedup/signature_file.h"

namespace headrace::dedup::bench {
namespace {

constexpr std::uint64_t kPartDocuments = 100'000;
constexpr std::uint64_t kLookAt = 100;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Peak resident memory since the last reset, in MiB.
double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::uint64_t documents_of(std::size_t part, std::uint64_t documents) {
  return std::min(kPartDocuments, documents - part * kPartDocuments);
}

Result<std::uint64_t> sign_part(const Corpus& corpus, const std::string& path, std::size_t part,
                                std::uint64_t documents) {
  const SignatureSettings settings;
  HEADRACE_ASSIGN_OR_RETURN(SignatureWriter writer, SignatureWriter::create(path, settings));
  Signer signer(settings);
  TextViewBuilder builder;
  std::string text;
  std::uint64_t bytes = 0;
  for (std::uint64_t row = 0; row < documents_of(part, documents); ++row) {
    corpus.text(part * kPartDocuments + row, &text);
    bytes += text.size();
    HEADRACE_RETURN_IF_ERROR(writer.add(signer.sign(builder.build(text))));
  }
  HEADRACE_RETURN_IF_ERROR(writer.commit());
  return bytes;
}

struct Recall {
  std::uint64_t wanted = 0;
  std::uint64_t found = 0;
};

Result<Recall> check(const Corpus& corpus, const NearIndex& index, std::size_t parts) {
  std::vector<std::uint32_t> components;
  for (std::size_t part = 0; part < parts; ++part) {
    HEADRACE_RETURN_IF_ERROR(
        index.for_each_place(part, [&](const NearPlace& place) -> Result<void> {
          components.push_back(place.component);
          return {};
        }));
  }
  Recall recall;
  TextViewBuilder builder;
  Shingler shingler;
  std::string text;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (std::uint64_t i = 0; i < components.size(); i += kLookAt) {
    const Planted what = corpus.planted(i);
    if (what.kind == Kind::kUnique) continue;
    corpus.text(i, &text);
    shingle_set(shingler.shingles(builder.build(text), kLongNgram), &a);
    corpus.text(what.base, &text);
    shingle_set(shingler.shingles(builder.build(text), kLongNgram), &b);
    if (jaccard(a, b) < 0.8) continue;
    ++recall.wanted;
    recall.found += components[i] != NearPlace::kNone && components[i] == components[what.base];
  }
  return recall;
}

Result<void> run(std::uint64_t documents, const NearLimits& limits) {
  const Corpus corpus;
  NearOptions options;
  HEADRACE_RETURN_IF_ERROR(complete(&options));
  const std::size_t parts = (documents + kPartDocuments - 1) / kPartDocuments;
  std::vector<std::string> paths;
  for (std::size_t part = 0; part < parts; ++part)
    paths.push_back(fmt::format("{}/part-{:05}.sig", limits.folder, part));
  std::vector<std::uint64_t> bytes(parts);
  double start = monotonic_seconds();
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts, limits.threads, {}, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(bytes[part], sign_part(corpus, paths[part], part, documents));
        return {};
      }));
  const double sign_seconds = monotonic_seconds() - start;
  std::uint64_t all_bytes = 0;
  for (const std::uint64_t some : bytes) all_bytes += some;
  const auto texts = [&](std::size_t part, const std::vector<bool>& rows,
                         const TextSink& sink) -> Result<void> {
    std::string text;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      if (!rows[row]) continue;
      corpus.text(part * kPartDocuments + row, &text);
      HEADRACE_RETURN_IF_ERROR(sink(row, text));
    }
    return {};
  };
  reset_peak();
  const double held = peak_mib();
  const double cpu = cpu_seconds();
  start = monotonic_seconds();
  HEADRACE_ASSIGN_OR_RETURN(const NearIndex index,
                            NearIndex::build(paths, {}, options, limits, texts));
  const double seconds = monotonic_seconds() - start;
  const double index_cpu = cpu_seconds() - cpu;
  const double peak = peak_mib();
  HEADRACE_ASSIGN_OR_RETURN(const Recall recall, check(corpus, index, parts));
  const NearCounts& counts = index.counts();
  fmt::print(
      "{{\"documents\": {}, \"text_mb\": {:.0f}, \"budget_mib\": {}, \"threads\": {}, "
      "\"sign_seconds\": {:.1f}, \"index_seconds\": {:.1f}, \"index_cpu_seconds\": {:.1f}, "
      "\"rss_mib\": {:.0f}, \"held_mib\": {:.0f}, \"spilled_mb\": {:.0f}, \"groups\": {}, "
      "\"candidates\": {}, \"edges\": {}, \"left_out\": {}, \"recall\": \"{}/{}\"}}\n",
      documents, static_cast<double>(all_bytes) / 1e6, limits.memory_bytes >> 20, limits.threads,
      sign_seconds, seconds, index_cpu, peak, held, static_cast<double>(counts.spilled_bytes) / 1e6,
      counts.groups, counts.candidates, counts.edges, counts.left_out, recall.found, recall.wanted);
  if (recall.found * 1000 < recall.wanted * 990) return internal_error("recall is below 0.99");
  return {};
}

}  // namespace
}  // namespace headrace::dedup::bench

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "near_index_bench DOCUMENTS MEMORY_MIB THREADS FOLDER\n");
    return 2;
  }
  std::filesystem::create_directories(argv[4]);
  const auto done =
      headrace::dedup::bench::run(std::strtoull(argv[1], nullptr, 10),
                                  {.memory_bytes = std::strtoull(argv[2], nullptr, 10) << 20,
                                   .threads = std::strtoull(argv[3], nullptr, 10),
                                   .folder = argv[4]});
  std::filesystem::remove_all(argv[4]);
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
