// SPDX-License-Identifier: Apache-2.0
// For tests of encodings: text in any of them, and the archives in the folder that HEADRACE_DATA
// names.
#pragma once

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <zlib.h>

#include <unicode/unistr.h>

namespace headrace::normalize {

// `text` written in a legacy encoding, by ICU.
inline std::string encoded(const std::string& text, const char* codepage) {
  const icu::UnicodeString unicode = icu::UnicodeString::fromUTF8(text);
  std::string bytes(text.size() * 2 + 16, '\0');
  const std::int32_t length = unicode.extract(0, unicode.length(), bytes.data(),
                                              static_cast<std::uint32_t>(bytes.size()), codepage);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

inline std::string data_folder() {
  const char* data = std::getenv("HEADRACE_DATA");
  return data == nullptr ? std::string() : std::string(data);
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

// Gzip and plain files.
inline std::string read_gzip(const std::string& path) {
  std::string bytes;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  char buffer[1 << 16];
  for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<std::size_t>(n));
  }
  gzclose(file);
  return bytes;
}

using Files = std::map<std::string, std::string>;

// The regular files of a tar archive with short names (ustar).
inline Files files_of_tar(const std::string& tar) {
  Files files;
  for (std::size_t at = 0; at + 512 <= tar.size() && tar[at] != '\0';) {
    const std::string name = tar.c_str() + at;
    const std::size_t size = std::strtoul(tar.substr(at + 124, 12).c_str(), nullptr, 8);
    const char type = tar[at + 156];
    if (type == '0' || type == '\0') files[name] = tar.substr(at + 512, size);
    at += 512 + (size + 511) / 512 * 512;
  }
  return files;
}

inline std::string inflate_raw(std::string_view deflated, std::size_t size) {
  std::string bytes(size, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  std::string input(deflated);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END ? bytes : std::string();
}

// The deflated files of a ZIP archive, by its central directory.
inline Files files_of_zip(const std::string& zip) {
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(zip[at + i]);
    }
    return value;
  };
  Files files;
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (end == std::string::npos) return files;
  std::size_t at = number(end + 16, 4);
  for (std::size_t left = number(end + 10, 2); left > 0; --left) {
    const std::size_t local = number(at + 42, 4);
    const std::size_t data = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    const std::string name = zip.substr(at + 46, number(at + 28, 2));
    if (number(at + 10, 2) == 8) {
      files[name] =
          inflate_raw(std::string_view(zip).substr(data, number(at + 20, 4)), number(at + 24, 4));
    }
    at += 46 + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2);
  }
  return files;
}

}  // namespace headrace::normalize
