// SPDX-License-Identifier: Apache-2.0
// Any bytes as a sidecar index; then the same with a CRC32C that fits. What is taken must keep the
// promises that readers build on: samples inside the main file and in order, document starts
// ascending from 0.
#include <cstring>
#include <string>
#include <vector>

#include "base/hash.h"
#include "check.h"
#include "shard/sidecar_index.h"

namespace {

using headrace::fuzz::check;

void parse(std::string bytes) {
  const auto index = headrace::shard::SidecarIndex::parse(std::move(bytes), "fuzz");
  if (!index) {
    check(index.error().message().starts_with("fuzz:"), "an error without the path");
    return;
  }
  std::uint64_t at = 0;
  std::vector<std::uint32_t> starts;
  for (std::uint64_t i = 0; i < index->samples(); ++i) {
    const auto sample = index->sample(i);
    check(sample.offset >= at && sample.bytes <= index->main_bytes() - sample.offset,
          "a sample outside the main file");
    at = sample.offset + sample.bytes;
    index->document_starts(i, &starts);
    for (std::size_t k = 0; k < starts.size(); ++k) {
      check(k == 0 ? starts[k] == 0 : starts[k] > starts[k - 1], "starts that do not ascend");
    }
  }
  std::uint32_t all = 0;
  for (std::uint64_t block = 0; block < index->blocks(); ++block) all ^= index->block_crc32c(block);
  check(all == 0 || index->main_bytes() > 0, "blocks of nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(headrace::fuzz::as_text(data, size));
  parse(bytes);
  if (size < 4) return 0;
  const std::uint32_t crc = headrace::crc32c(std::string_view(bytes).substr(0, size - 4));
  std::memcpy(bytes.data() + size - 4, &crc, 4);
  parse(std::move(bytes));
  return 0;
}
