// SPDX-License-Identifier: Apache-2.0
// The members of a tar archive in order (ustar, pax, GNU).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "io/input_stream.h"
#include "read/reader.h"

namespace headrace::read {

struct TarEntry {
  enum class Kind {
    kFile,     // its data can be read
    kOther,    // a folder, link, device: no data
    kUnknown,  // a sparse file or a type of the future: its data are not those of a file
    kDamage,   // blocks that are no header: see `fault`
  };
  Kind kind = Kind::kFile;
  std::string name;
  std::uint64_t size = 0;    // of the data
  std::uint64_t offset = 0;  // of the header block in the archive, decompressed
  std::string fault;
};

// Single-threaded.
class TarEntries {
 public:
  explicit TarEntries(std::unique_ptr<io::InputStream> archive) : archive_(std::move(archive)) {}

  // The next member; what of the last one's data was not read is passed over. False at the end.
  // Zero blocks do not end it: archives may be joined.
  Result<bool> next(TarEntry* entry);

  // All data of the last entry, of kFile; at most `limit` bytes of it, the rest is passed over.
  // False if the archive ends inside them: `data` is then what was there.
  Result<bool> read(std::uint64_t limit, std::string* data);

  // Passes over what is left of them; false if the archive ends inside.
  Result<bool> pass_data();

  std::uint64_t offset() const { return offset_; }  // bytes read of the archive, decompressed
  // Truncated: inside a member, or without the two zero blocks that end an archive.
  bool is_cut_off() const { return cut_off_; }
  const io::InputStream& archive() const { return *archive_; }

 private:
  static constexpr std::size_t kBlockBytes = 512;

  Result<bool> read_block();
  Result<bool> read_bytes(char* to, std::size_t size);
  Result<bool> pass(std::uint64_t bytes);
  Result<bool> find_header(TarEntry* entry);
  Result<bool> take_extension(char type, std::uint64_t size);
  void parse_pax(std::string_view records);
  std::string header_name() const;
  std::string_view field(std::size_t begin, std::size_t size) const;
  bool has_good_checksum() const;

  std::unique_ptr<io::InputStream> archive_;
  std::uint64_t offset_ = 0;
  std::uint64_t left_ = 0;  // of the last entry, with its padding
  std::uint64_t data_left_ = 0;
  bool cut_off_ = false;
  bool any_ = false;
  bool ended_ = false;  // the last block was of zeros
  char block_[kBlockBytes];
  // Of the extension headers before an entry; "" or npos if none.
  std::string long_name_;
  std::string pax_path_;
  std::uint64_t pax_size_ = ~std::uint64_t{0};
  bool bad_pax_size_ = false;
};

}  // namespace headrace::read
