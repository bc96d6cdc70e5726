// SPDX-License-Identifier: Apache-2.0
// JSON Lines in zstd → normalized documents on one core: reading and the default steps, no
// measures, nothing written. In turn with it the least that any reader must do: decompressing the
// file and parsing its lines with simdjson. MB are of the decompressed file; CPU time of the
// thread. Chinese novels where HEADRACE_DATA is set, else drawn from a seed.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>
#include <zstd.h>

#include <benchmark/benchmark.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "normalize/normalize.h"
#include "read/reader.h"

namespace headrace {
namespace {

constexpr std::size_t kBytes = std::size_t{128} << 20;
constexpr std::size_t kFrameBytes = std::size_t{16} << 20;

double cpu_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::string read_packed(const std::string& path) {
  std::string text;
  const auto stream = io::open_input(path);
  if (!stream) return text;
  std::string block(1 << 20, '\0');
  while (const std::size_t got = (*stream)->read(block.data(), block.size()).value_or(0)) {
    text.append(block, 0, got);
  }
  return text;
}

// Lines of prose, some hundred of bytes each.
std::string prose() {
  std::string text;
  if (const char* data = std::getenv("HEADRACE_DATA")) {
    for (const char* name : {"三国演义", "水浒传", "红楼梦", "西游记"}) {
      text += read_packed(std::string(data) + "/zh-novels/utf8/" + name + ".txt.gz");
    }
  }
  const CounterRng rng(1, purpose("bench normalized documents"));
  for (std::uint64_t i = 0; text.size() < 4 << 20; ++i) {
    const std::uint64_t c = 0x4E00 + rng.below(i, 3000);
    text += static_cast<char>(0xE0 | c >> 12);
    text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
    if (i % 20 == 19) text += "，";
    if (i % 100 == 99) text += "。\n";
  }
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

struct Input {
  std::string packed;
  std::uint64_t bytes = 0;
  std::uint64_t documents = 0;
};

// Documents of about two kilobytes that end with a line, in frames of 16 MiB.
Input make_input() {
  const std::string text = prose();
  std::vector<std::string> pieces;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end =
        std::min(text.find('\n', std::min(from + 2000, text.size())), text.size());
    pieces.push_back(escaped(std::string_view(text).substr(from, end - from)));
    from = end + 1;
  }
  Input input;
  std::string frame;
  while (input.bytes + frame.size() < kBytes) {
    frame += "{\"url\": \"http://example.org/" + std::to_string(input.documents) +
             "\", \"text\": \"" + std::to_string(input.documents) +
             pieces[input.documents % pieces.size()] + "\"}\n";
    ++input.documents;
    if (frame.size() < kFrameBytes && input.bytes + frame.size() < kBytes) continue;
    std::string packed(ZSTD_compressBound(frame.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), frame.data(), frame.size(), 3));
    input.packed += packed;
    input.bytes += frame.size();
    frame.clear();
  }
  return input;
}

class NormalizingSink final : public read::RecordSink {
 public:
  NormalizingSink() {
    for (const char* name : {"control_chars", "whitespace"}) {
      steps_.push_back(normalize::make_step(name, {}).value());
    }
  }
  Result<void> document(Document& document) override {
    ++documents;
    Markup markup = document.markup;
    for (const auto& step : steps_) step->apply(document.text, markup, scratch_);
    text_bytes += document.text.size();
    return {};
  }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_records;
    return {};
  }
  std::uint64_t documents = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t rejected_records = 0;

 private:
  std::vector<std::unique_ptr<normalize::Step>> steps_;
  std::string scratch_;
};

// Frames decompressed whole, then every line parsed and its text looked at. Returns the documents.
std::uint64_t decompress_and_parse(const Input& input) {
  std::uint64_t documents = 0;
  std::string frame(kFrameBytes + (1 << 20) + simdjson::SIMDJSON_PADDING, '\0');
  simdjson::dom::parser parser;
  for (std::size_t from = 0; from < input.packed.size();) {
    const char* begin = input.packed.data() + from;
    const std::size_t size = ZSTD_findFrameCompressedSize(begin, input.packed.size() - from);
    const std::size_t made = ZSTD_decompress(frame.data(), frame.size(), begin, size);
    simdjson::dom::document_stream lines;
    if (parser.parse_many(frame.data(), made, std::size_t{1} << 20).get(lines) !=
        simdjson::SUCCESS) {
      return 0;
    }
    for (const auto line : lines) {
      std::string_view text;
      if (line["text"].get(text) == simdjson::SUCCESS) ++documents;
      benchmark::DoNotOptimize(text);
    }
    from += size;
  }
  return documents;
}

void BM_NormalizedDocuments(benchmark::State& state) {
  const Input input = make_input();
  const std::string path =
      std::filesystem::temp_directory_path() /
      ("headrace-documents-bench-" + std::to_string(::getpid()) + ".jsonl.zst");
  if (!io::write_file_atomic(path, input.packed)) return state.SkipWithError("no input");
  const auto reader = read::registry().find("jsonl")->make({}, normalize::decoders()).value();
  double ours = 0;
  double least = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    NormalizingSink sink;
    const auto splits = reader->split(path, 0, std::uint64_t{32} << 20).value();
    for (const read::Split& split : splits) {
      if (!reader->read(split, sink, {})) return state.SkipWithError("cannot read");
    }
    const double middle = cpu_seconds();
    const std::uint64_t parsed = decompress_and_parse(input);
    const double end = cpu_seconds();
    ours += middle - start;
    least += end - middle;
    state.SetIterationTime(middle - start);
    if (splits.size() < 2 || sink.documents != input.documents || sink.rejected_records != 0 ||
        sink.text_bytes < input.bytes / 2 || parsed != input.documents) {
      return state.SkipWithError("wrong documents");
    }
  }
  const double megabytes = 1e-6 * static_cast<double>(input.bytes * state.iterations());
  state.counters["MB_per_s"] = megabytes / ours;
  state.counters["zstd_and_simdjson_MB_per_s"] = megabytes / least;
  state.counters["ratio"] = least / ours;
  std::remove(path.c_str());
}
BENCHMARK(BM_NormalizedDocuments)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

}  // namespace
}  // namespace headrace
