// SPDX-License-Identifier: Apache-2.0
// JSON Lines → documents on one core, from files in the page cache: English and Chinese prose,
// prose with many escapes, short records; plain, gzip and zstd. Bytes are decompressed bytes.
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <zstd.h>

#include <benchmark/benchmark.h>
#include <isa-l/igzip_lib.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

enum Kind { kEnglish, kChinese, kEscaped, kShort };
enum Codec { kPlain, kGzip, kZstd };

// Nothing here is in another encoding.
class NoDecoders final : public DecoderFactory {
 public:
  Result<std::shared_ptr<const TextDecoder>> declared(std::string_view) const override {
    return Status(Code::kInvalidArgument, "no other encodings");
  }
  EncodingEvidence detect(std::string_view, const EncodingHints&) const override { return {}; }
};

class CountingSink final : public RecordSink {
 public:
  Result<void> document(Document& document) override {
    ++documents;
    text_bytes += document.text.size();
    meta_bytes += document.meta.size();
    return {};
  }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_records;
    return {};
  }
  std::uint64_t documents = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t meta_bytes = 0;
  std::uint64_t rejected_records = 0;
};

struct Input {
  std::string bytes;
  std::uint64_t documents = 0;
  std::uint64_t text_bytes = 0;
};

Input make_input(Kind kind, std::size_t bytes) {
  const CounterRng rng(1, purpose("bench jsonl"));
  Input input;
  std::uint64_t draw = 0;
  while (input.bytes.size() < bytes) {
    const std::uint64_t words = kind == kShort ? 8 : 50 + rng.below(draw++, 600);
    std::string text;
    std::size_t size = 0;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (kind == kChinese) {
        const std::uint64_t c = 0x4E00 + rng.below(draw++, 5000);
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
        size += 3;
      } else {
        const std::uint64_t letters = 2 + rng.below(draw++, 7);
        for (std::uint64_t j = 0; j < letters; ++j) {
          text += static_cast<char>('a' + rng.below(draw++, 26));
        }
        text += ' ';
        size += letters + 1;
      }
      if (kind == kEscaped ? i % 3 == 0 : i % 60 == 59) {
        text += i % 2 == 0 ? "\\n" : "\\\"";
        ++size;
      }
    }
    input.bytes += "{\"id\": " + std::to_string(input.documents) +
                   ", \"url\": \"https://example.org/page/" + std::to_string(draw) +
                   "\", \"text\": \"" + text +
                   "\", \"meta\": {\"lang\": \"en\", \"score\": 0.25}}\n";
    ++input.documents;
    input.text_bytes += size;
  }
  return input;
}

std::string compress(const std::string& bytes, Codec codec) {
  if (codec == kPlain) return bytes;
  std::string out(bytes.size() + bytes.size() / 2 + 512, '\0');
  if (codec == kZstd) {
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
  }
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  std::string level(ISAL_DEF_LVL1_DEFAULT, '\0');
  stream.level = 1;
  stream.level_buf = reinterpret_cast<std::uint8_t*>(level.data());
  stream.level_buf_size = static_cast<std::uint32_t>(level.size());
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  isal_deflate_stateless(&stream);
  out.resize(stream.total_out);
  return out;
}

void BM_JsonlToDocuments(benchmark::State& state, Kind kind, Codec codec) {
  const Input input = make_input(kind, std::size_t{128} << 20);
  const std::string path = std::filesystem::temp_directory_path() /
                           ("headrace-jsonl-bench-" + std::to_string(::getpid()));
  if (!io::write_file_atomic(path, compress(input.bytes, codec))) {
    return state.SkipWithError("cannot write the input");
  }
  static const NoDecoders kDecoders;
  const auto reader = registry().find("jsonl")->make({}, kDecoders).value();
  const auto splits = reader->split(path, 0, std::uint64_t{64} << 20).value();
  for (auto _ : state) {
    CountingSink sink;
    for (const Split& split : splits) {
      if (!reader->read(split, sink, {})) return state.SkipWithError("cannot read");
    }
    if (sink.documents != input.documents || sink.text_bytes != input.text_bytes ||
        sink.meta_bytes == 0 || sink.rejected_records != 0) {
      return state.SkipWithError("wrong documents");
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input.bytes.size()));
  state.counters["record_bytes"] =
      static_cast<double>(input.bytes.size()) / static_cast<double>(input.documents);
  std::remove(path.c_str());
}
BENCHMARK_CAPTURE(BM_JsonlToDocuments, english, kEnglish, kPlain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_JsonlToDocuments, chinese, kChinese, kPlain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_JsonlToDocuments, escaped, kEscaped, kPlain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_JsonlToDocuments, short_records, kShort, kPlain)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_JsonlToDocuments, chinese_gzip, kChinese, kGzip)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_JsonlToDocuments, chinese_zstd, kChinese, kZstd)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::read
