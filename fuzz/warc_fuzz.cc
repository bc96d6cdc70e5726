// SPDX-License-Identifier: Apache-2.0
// Any bytes as a web archive, plain and as gzip members. Besides crashes it looks for lies: bytes
// that are in no record, and splits that give other records than the file read whole.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "check.h"
#include "io/input_stream.h"
#include "read/internal/http_message.h"
#include "read/internal/warc_records.h"
#include "read/reader.h"

namespace {

using headrace::Result;
using headrace::fuzz::check;

class NoDecoders final : public headrace::DecoderFactory {
 public:
  Result<std::shared_ptr<const headrace::TextDecoder>> declared(std::string_view) const override {
    return headrace::Status(headrace::Code::kInvalidArgument, "no other encodings");
  }
  headrace::EncodingEvidence detect(std::string_view,
                                    const headrace::EncodingHints&) const override {
    return {};
  }
};

// What was told of each record.
class ListSink final : public headrace::read::RecordSink {
 public:
  Result<void> document(headrace::Document& document) override {
    told.push_back(std::to_string(document.id.value) + document.text + document.meta);
    return {};
  }
  Result<void> rejected(const headrace::RejectedRecord& record) override {
    told.push_back(std::to_string(record.offset) + std::string(record.reason));
    return {};
  }
  std::vector<std::string> told;
};

// All splits one after the other; false if one of them is refused.
bool read(const std::string& path, std::uint64_t target, ListSink& sink, std::uint64_t* bytes) {
  static const NoDecoders decoders;
  const auto reader = headrace::read::registry().find("warc")->make({}, decoders);
  check(reader.has_value(), "a reader is made");
  const auto splits = (*reader)->split(path, 0, target);
  if (!splits) return false;
  for (const auto& split : *splits) {
    const auto counts = (*reader)->read(split, sink, {});
    if (!counts) return false;
    *bytes += counts->bytes;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  const bool zipped = bytes.starts_with("\x1f\x8b");
  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("headrace-warc-fuzz-" + std::to_string(::getpid()) + (zipped ? ".warc.gz" : ".warc")))
          .string();
  std::ofstream(path, std::ios::binary) << bytes;
  ListSink whole;
  std::uint64_t read_whole = 0;
  const bool good = read(path, ~std::uint64_t{0}, whole, &read_whole);
  const bool is_plain = headrace::io::codec_of(bytes) == headrace::io::Codec::kNone;
  if (good && is_plain) {
    check(read_whole == size, "every byte of a plain file is in a record or between two");
  }
  for (const std::uint64_t target : {std::uint64_t{1}, std::uint64_t{300}}) {
    ListSink cut;
    std::uint64_t read_cut = 0;
    // A nested archive is refused rather than read twice.
    if (!good || !read(path, target, cut, &read_cut)) continue;
    check(cut.told == whole.told, "any split gives the same records");
  }
  std::filesystem::remove(path);

  headrace::read::HttpMessage message;
  message.parse(bytes);
  std::string_view payload;
  message.payload(std::uint64_t{1} << 20, &payload);
  return 0;
}
