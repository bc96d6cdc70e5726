// SPDX-License-Identifier: Apache-2.0
// Web archives → documents on one core, from files in the page cache: made pages, and real archives
// (of HEADRACE_DATA, if set), plain and with a gzip member a record. Bytes are decompressed bytes.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <zlib.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/counter_rng.h"
#include "io/file.h"
#include "normalize/normalize.h"
#include "read/internal/warc_records.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

class CountingSink final : public RecordSink {
 public:
  Result<void> document(Document& document) override {
    ++documents;
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
};

std::string gzip(std::string_view bytes) {
  std::string out(bytes.size() + bytes.size() / 2 + 512, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string record(std::string_view type, std::string_view block) {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Date: 2024-05-18T01:58:10Z\r\n"
      "WARC-Record-ID: <urn:uuid:6f68d2a4-7e9c-4cfb-9edf-3a9da8ffb902>\r\n"
      "WARC-Target-URI: http://www.example.org/a/b.html\r\nWARC-IP-Address: 93.184.216.34\r\n"
      "Content-Type: application/http; msgtype={}\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      type, type, block.size(), block);
}

// Prose of 4,000 words that differ by page, in markup.
std::string page(std::uint64_t number) {
  const CounterRng rng(number, purpose("bench warc"));
  std::string html = "<!DOCTYPE html><html><head><title>page</title></head><body>\n";
  for (std::uint64_t i = 0; i < 4000; ++i) {
    if (i % 60 == 0) html += "</p>\n<p class=\"text-body mw-100\">";
    const std::uint64_t draw = rng.at(i);
    html.append(std::string("etaoin shrdlucmfwypvbgkjqxz").substr(draw % 20, 2 + draw / 97 % 7));
    html += draw % 50 == 0 ? "<a href=\"http://www.example.org/link\">here</a> " : " ";
  }
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html +
         "</body></html>";
}

struct Input {
  std::string bytes;
  std::uint64_t documents = 0;
};

Input made(bool zipped) {
  Input input;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    for (const std::string& one :
         {record("request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), record("response", page(i))}) {
      input.bytes += zipped ? gzip(one) : one;
    }
    ++input.documents;
  }
  return input;
}

void run(benchmark::State& state, const Input& input, std::string_view name) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("headrace-{}-{}", ::getpid(), name))
          .string();
  if (!io::write_file_atomic(path, input.bytes)) return state.SkipWithError("no input");
  const auto reader = registry().find("warc")->make({}, normalize::decoders()).value();
  const auto splits = reader->split(path, 0, ~std::uint64_t{0} >> 1).value();
  std::int64_t bytes = 0;
  for (auto _ : state) {
    CountingSink sink;
    const auto counts = reader->read(splits[0], sink, {});
    if (!counts || (input.documents > 0 && sink.documents != input.documents) ||
        sink.documents == 0) {
      state.SkipWithError("a wrong result");
      break;
    }
    bytes += static_cast<std::int64_t>(counts->bytes);
  }
  state.SetBytesProcessed(bytes);
  std::filesystem::remove(path);
}

void made_pages(benchmark::State& state) {
  const bool zipped = state.range(0) != 0;
  run(state, made(zipped), zipped ? "x.warc.gz" : "x.warc");
}
BENCHMARK(made_pages)->ArgName("gzip")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Members of real archives, as their crawlers compressed them.
std::string real_archives(const char* data) {
  std::string bytes;
  for (int i = 0; i < 12; ++i) {
    for (const char* name :
         {"/warc-samples/pywb/warcs/iana.warc.gz", "/warc-samples/resiliparse/warcfile.warc.gz",
          "/pipeline-dolma-tests/warc/sample-0000.warc.gz",
          "/pipeline-dolma-tests/warc/sample-0001.warc.gz"}) {
      bytes += io::read_file(std::string(data) + name).value();
    }
  }
  return bytes;
}

// To documents: decoded, with the encodings of pages that declare none detected.
void real_pages(benchmark::State& state) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) return state.SkipWithError("skipped: HEADRACE_DATA is not set");
  run(state, {real_archives(data), 0}, "x.warc.gz");
}
BENCHMARK(real_pages)->Unit(benchmark::kMillisecond);

// The same to records with their blocks, which is what a WARC library gives.
void real_records(benchmark::State& state) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) return state.SkipWithError("skipped: HEADRACE_DATA is not set");
  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("headrace-{}-records.warc.gz", ::getpid()))
                               .string();
  const std::string bytes = real_archives(data);
  if (!io::write_file_atomic(path, bytes)) return state.SkipWithError("no input");
  std::int64_t read = 0;
  for (auto _ : state) {
    auto records = WarcRecords::open({path, 0, 0, bytes.size(), bytes.size()}, 1 << 30);
    WarcRecord record;
    std::uint64_t count = 0;
    while (records && records->next(&record).value_or(false)) ++count;
    if (!records || count != 12 * (343 + 50 + 48 + 34)) {
      state.SkipWithError("a wrong result");
      break;
    }
    read += static_cast<std::int64_t>(records->bytes_read());
  }
  state.SetBytesProcessed(read);
  std::filesystem::remove(path);
}
BENCHMARK(real_records)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::read
