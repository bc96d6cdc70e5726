// SPDX-License-Identifier: Apache-2.0
// Any bytes as the three files of a Megatron shard. A shard that verify finds whole must open, and
// each of its samples must read; one that opens must not read past its files, whatever they hold.
//
// Input: bytes of .idx (2, little-endian), bytes of .bin (2), then .idx, .bin and .hri. The last
// four bytes of the .hri are replaced by the CRC32C that fits.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/hash.h"
#include "check.h"
#include "shard/container.h"
#include "shard/sidecar_index.h"

namespace {

using headrace::fuzz::check;

// A folder of this process; removed when it ends well.
class Folder {
 public:
  Folder() {
    path_ = std::filesystem::temp_directory_path() /
            ("headrace_megatron_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string with_crc(std::string_view sidecar) {
  std::string bytes(sidecar);
  if (bytes.size() < 4) return bytes;
  const std::uint32_t crc = headrace::crc32c(sidecar.substr(0, sidecar.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &crc, 4);
  return bytes;
}

// An entry that says what the sidecar and the size of the main file say.
headrace::ShardEntry entry_for(const std::string& sidecar, std::size_t main_bytes,
                               std::size_t width) {
  headrace::ShardEntry entry;
  entry.path = "shard.bin";
  const auto index = headrace::shard::SidecarIndex::parse(sidecar, "fuzz");
  entry.samples = index ? index->samples() : 0;
  entry.tokens = main_bytes / width;
  return entry;
}

void check_shard(const std::string& folder, const headrace::ShardEntry& entry) {
  const auto* container = headrace::shard::registry().find("megatron");
  std::vector<headrace::Damage> broken;
  container->verify(folder, entry, &broken);
  const auto reader = container->open(folder, entry);
  check(reader.has_value() || !broken.empty(), "whole, but it does not open");
  if (!reader) return;
  headrace::shard::SampleBuffer sample;
  for (std::uint64_t i = 0; i < (*reader)->samples(); ++i) {
    const auto read = (*reader)->read(i, &sample);
    check(read.has_value() || !broken.empty(), "whole, but a sample can not be read");
    if (!read) continue;
    check(sample.tokens.size() == (*reader)->sample_tokens(i), "not the tokens that it says");
    check(sample.document_starts.empty() || sample.document_starts.back() < sample.tokens.size(),
          "a document that starts behind the sample");
  }
  check(!(*reader)->read((*reader)->samples(), &sample).has_value(), "a sample too many");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size < 4) return 0;
  std::string_view rest = headrace::fuzz::as_text(data, size).substr(4);
  const auto take = [&](std::size_t wanted) {
    const std::string_view taken = rest.substr(0, std::min(wanted, rest.size()));
    rest.remove_prefix(taken.size());
    return taken;
  };
  const std::string_view idx = take(data[0] | data[1] << 8);
  const std::string_view bin = take(data[2] | data[3] << 8);
  const std::string sidecar = with_crc(rest);
  folder.write("shard.idx", idx);
  folder.write("shard.bin", bin);
  folder.write("shard.bin.hri", sidecar);
  for (const std::size_t width : {2, 4}) {
    check_shard(folder.path(), entry_for(sidecar, bin.size(), width));
  }
  return 0;
}
