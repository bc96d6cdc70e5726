// SPDX-License-Identifier: Apache-2.0
// For tests: bytes as the compressing tools write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <zstd.h>

#include <gtest/gtest.h>
#include <isa-l/igzip_lib.h>

namespace headrace::io {

// One member.
inline std::string gzip(std::string_view bytes) {
  std::string out(bytes.size() + bytes.size() / 2 + 512, '\0');
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  EXPECT_EQ(isal_deflate_stateless(&stream), COMP_OK);
  out.resize(stream.total_out);
  return out;
}

// The same with the extra field of BGZF.
inline std::string bgzf(std::string_view bytes) {
  const std::string member = gzip(bytes);
  const std::size_t size = member.size() + 8 - 1;
  std::string out = member.substr(0, 10);
  out[3] = '\x04';
  out += std::string("\x06\x00\x42\x43\x02\x00", 6);
  out += static_cast<char>(size & 0xFF);
  out += static_cast<char>(size >> 8);
  return out + member.substr(10);
}

// A frame as `zstd` writes it from a file or, without its size, from a pipe.
inline std::string zstd(std::string_view bytes, bool with_size = true, bool with_checksum = true) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, with_checksum ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, with_size ? 1 : 0);
  const std::size_t size =
      ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  return out;
}

}  // namespace headrace::io
