// SPDX-License-Identifier: Apache-2.0
// Token files in NumPy's name, read only. Two kinds, told apart by the first bytes:
// - of OLMo and Dolma: NAME.npy without a header, and NAME.csv.gz whose lines begin with the start
//   and the end of a document, in tokens. Samples are documents.
// - real .npy files of uint16, uint32 or int32: rows of two dimensions, or one sample.
#include <charconv>
#include <utility>

#include "base/error.h"
#include "io/input_stream.h"
#include "shard/container.h"
#include "shard/npy_header.h"
#include "shard/token_file.h"

namespace headrace::shard {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 4096;
constexpr std::string_view kExtension = ".npy";

Result<std::string> read_unpacked(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> input, io::open_input(path));
  std::string text;
  std::string piece(1 << 16, '\0');
  while (true) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, input->read(piece.data(), piece.size()));
    if (got == 0) break;
    text.append(piece, 0, got);
  }
  if (const std::string bad = input->end_detail(); !bad.empty()) {
    return corrupt("{}: {}", path, bad);
  }
  return text;
}

// "START,END,…" on each line; documents follow each other without a gap.
Result<std::vector<std::uint64_t>> parse_ends(std::string_view text, const std::string& path) {
  std::vector<std::uint64_t> ends;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    const char* last = line.data() + line.size();
    auto parsed = std::from_chars(line.data(), last, start);
    const bool comma = parsed.ec == std::errc() && parsed.ptr != last && *parsed.ptr == ',';
    if (comma) parsed = std::from_chars(parsed.ptr + 1, last, end);
    if (!comma || parsed.ec != std::errc() || start != (ends.empty() ? 0 : ends.back()) ||
        end < start) {
      return corrupt("{}: line {} does not begin with the start and the end of the next document",
                     path, ends.size() + 1);
    }
    ends.push_back(end);
  }
  return ends;
}

Result<TokenFile> raw_file(OpenShard shard, const std::string& path) {
  const std::string stem = path.substr(0, path.size() - kExtension.size());
  const std::string index = io::exists(stem + ".csv") ? stem + ".csv" : stem + ".csv.gz";
  HEADRACE_ASSIGN_OR_RETURN(const std::string text, read_unpacked(index));
  TokenFile file{.shard = std::move(shard), .begin = 0, .width = 2, .ends = {}};
  HEADRACE_ASSIGN_OR_RETURN(file.ends, parse_ends(text, index));
  const std::uint64_t tokens = file.ends.empty() ? 0 : file.ends.back();
  HEADRACE_ASSIGN_OR_RETURN(file.width, width_of_tokens(tokens, file.shard.main.bytes(), path));
  return file;
}

Result<TokenFile> real_file(OpenShard shard, std::string_view head, const std::string& path) {
  const auto header = parse_npy_header(head);
  if (!header) return header.error().with_context(path);
  TokenFile file{.shard = std::move(shard), .begin = header->bytes, .width = 4, .ends = {}};
  if (header->descr == "<u2") {
    file.width = 2;
  } else if (header->descr != "<i4" && header->descr != "<u4") {
    return unsupported("{}: an array of {}; tokens are of <u2, <u4 or <i4", path, header->descr);
  }
  if (header->shape.empty() || header->shape.size() > 2) {
    return unsupported("{}: an array of {} dimensions; one or two", path, header->shape.size());
  }
  const auto rows =
      header->shape.size() == 2 ? static_cast<std::uint64_t>(header->shape.front()) : 1;
  const auto row = static_cast<std::uint64_t>(header->shape.back());
  const std::uint64_t bytes = file.shard.main.bytes() - file.begin;
  // Bounded before they are multiplied.
  if (rows > bytes || row > bytes || rows * row * file.width != bytes) {
    return corrupt("{}: {} bytes behind the header, its shape says {} times {} of {}", path, bytes,
                   rows, row, file.width);
  }
  for (std::uint64_t i = 1; i <= rows; ++i) file.ends.push_back(i * row);
  return file;
}

Result<std::unique_ptr<FieldReader>> open_npy(const std::string& path,
                                              const FieldReadOptions& options) {
  if (!path.ends_with(kExtension)) {
    return invalid_argument("{}: a token file of NumPy ends in {}", path, kExtension);
  }
  HEADRACE_ASSIGN_OR_RETURN(OpenShard shard, open_shard(path, options.require_sidecar));
  std::string head(std::min(kMostHeaderBytes, shard.main.bytes()), '\0');
  HEADRACE_RETURN_IF_ERROR(shard.main.read(0, head));
  auto file =
      is_npy(head) ? real_file(std::move(shard), head, path) : raw_file(std::move(shard), path);
  if (!file) return file.error();
  return make_token_file_reader(std::move(file).value());
}

}  // namespace

void register_npy(Registry& registry) {
  registry.add({.name = "npy",
                .summary = "token files of OLMo and Dolma, and NumPy's own, read only",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = nullptr,
                .open_fields = &open_npy});
}

}  // namespace headrace::shard
