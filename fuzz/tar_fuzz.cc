// SPDX-License-Identifier: Apache-2.0
// Any bytes as a tar archive. Besides crashes it looks for members whose data are not what the
// archive holds behind their header, and for places that do not ascend.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "check.h"
#include "read/internal/tar_entries.h"

namespace {

using headrace::Result;
using headrace::fuzz::check;

// Hands out `step` bytes at a time.
class MemoryStream final : public headrace::io::InputStream {
 public:
  MemoryStream(std::string_view bytes, std::size_t step) : bytes_(bytes), step_(step) {}
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    const std::size_t got = std::min({size, step_, bytes_.size() - at_});
    std::copy_n(bytes_.data() + at_, got, buffer);
    at_ += got;
    return got;
  }
  headrace::io::StreamEnd end() const override { return headrace::io::StreamEnd::kWhole; }
  std::string end_detail() const override { return ""; }
  std::uint64_t position() const override { return at_; }
  headrace::io::Codec codec() const override { return headrace::io::Codec::kNone; }

 private:
  std::string_view bytes_;
  std::size_t step_;
  std::size_t at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using headrace::read::TarEntries;
  using headrace::read::TarEntry;
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  TarEntries entries(std::make_unique<MemoryStream>(bytes, 1 + size % 700));
  TarEntry entry;
  std::uint64_t last = 0;
  std::string content;
  for (std::size_t count = 0;; ++count) {
    const auto more = entries.next(&entry);
    check(more.has_value(), "memory does not fail");
    if (!*more) break;
    check(count == 0 || entry.offset > last, "members ascend");
    last = entry.offset;
    if (entry.kind != TarEntry::Kind::kFile) continue;
    check(entry.offset + 512 <= size, "a header is all there");
    const std::uint64_t limit = entry.size % 2 == 0 ? 1000 : std::uint64_t{1} << 40;
    const auto whole = entries.read(limit, &content);
    check(whole.has_value(), "memory does not fail");
    check(bytes.substr(entry.offset + 512, content.size()) == content, "data are the archive's");
    if (*whole) check(content.size() == std::min(entry.size, limit), "whole data are whole");
  }
  check(entries.offset() == size, "every byte was looked at");
  return 0;
}
