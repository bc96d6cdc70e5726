// SPDX-License-Identifier: Apache-2.0
#include "shard/main_file_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::shard {
namespace {

// One pass over the main file by blocks; a sample's CRC goes on over the block ends inside it.
class MainFileCheck {
 public:
  MainFileCheck(const io::RandomFile& main, const SidecarIndex& index, DamageList* damage)
      : main_(main), index_(index), damage_(damage) {}

  void run() {
    std::string buffer;
    for (std::uint64_t block = 0; block < index_.blocks(); ++block) {
      const std::uint64_t offset = block * kBlockBytes;
      buffer.resize(std::min(kBlockBytes, index_.main_bytes() - offset));
      if (Result<void> read = main_.read(offset, buffer); !read) {
        damage_->add(-1, read.error().message());
        return;
      }
      if (const std::uint32_t found = crc32c(buffer); found != index_.block_crc32c(block)) {
        damage_->add(-1, fmt::format("{}: block {} at offset {} ({} bytes) has CRC32C {:08x}, the "
                                     "index says {:08x}",
                                     main_.path(), block, offset, buffer.size(), found,
                                     index_.block_crc32c(block)));
      }
      check_samples(offset, buffer);
    }
    if (next_ != index_.samples()) {
      damage_->add(-1, fmt::format("{}: ends inside sample {} of {}", main_.path(), next_,
                                   index_.samples()));
    }
  }

 private:
  void check_samples(std::uint64_t offset, std::string_view block) {
    const std::uint64_t end = offset + block.size();
    while (next_ < index_.samples()) {
      const SampleRecord record = index_.sample(next_);
      const std::uint64_t begin = std::max(record.offset, offset);
      const std::uint64_t sample_end = record.offset + record.bytes;
      if (begin > end || (begin == end && sample_end > begin)) return;
      crc_ = crc32c(block.substr(begin - offset, std::min(sample_end, end) - begin), crc_);
      if (sample_end > end) return;
      if (crc_ != record.crc32c) {
        damage_->add(
            static_cast<std::int64_t>(next_),
            fmt::format("{}: sample {} at offset {} ({} bytes) has CRC32C {:08x}, the "
                        "index says {:08x}",
                        main_.path(), next_, record.offset, record.bytes, crc_, record.crc32c));
      }
      crc_ = 0;
      ++next_;
    }
  }

  const io::RandomFile& main_;
  const SidecarIndex& index_;
  DamageList* damage_;
  std::uint64_t next_ = 0;  // sample
  std::uint32_t crc_ = 0;   // of its bytes so far
};

}  // namespace

DamageList::~DamageList() {
  if (added_ <= kMaxReported) return;
  broken_->push_back({entry_.path, -1,
                      fmt::format("{} more blocks or samples are damaged", added_ - kMaxReported)});
}

void DamageList::add(std::int64_t sample, std::string what) {
  if (++added_ <= kMaxReported) broken_->push_back({entry_.path, sample, std::move(what)});
}

void check_main_file(const io::RandomFile& main, const SidecarIndex& index, DamageList* damage) {
  MainFileCheck(main, index, damage).run();
}

}  // namespace headrace::shard
