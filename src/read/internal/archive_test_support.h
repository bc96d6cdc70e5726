// SPDX-License-Identifier: Apache-2.0
// For tests of archives: small ones, written here.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/test_compress.h"

namespace headrace::read {

using io::gzip;

using Headers = std::initializer_list<std::pair<std::string_view, std::string_view>>;

inline std::string warc_record(std::string_view type, std::string_view block,
                               const Headers& headers = {}) {
  std::string record = fmt::format("WARC/1.0\r\nWARC-Type: {}\r\n", type);
  for (const auto& [name, value] : headers) record += fmt::format("{}: {}\r\n", name, value);
  return record + fmt::format("Content-Length: {}\r\n\r\n{}\r\n\r\n", block.size(), block);
}

inline std::string http(std::string_view body,
                        std::string_view headers = "Content-Type: text/html; charset=utf-8\r\n",
                        std::string_view status = "HTTP/1.1 200 OK") {
  return fmt::format("{}\r\n{}\r\n{}", status, headers, body);
}

// A page at `url`, as crawlers write it.
inline std::string warc_page(std::string_view url, std::string_view body) {
  return warc_record(
      "response", http(body),
      {{"WARC-Target-URI", url}, {"Content-Type", "application/http; msgtype=response"}});
}

// A member of a tar archive: header and data, padded.
inline std::string tar_member(std::string_view name, std::string_view data, char type = '0',
                              std::string_view prefix = "") {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    header.replace(at, text.size(), text);
  };
  put(0, name.substr(0, 100));
  put(100, "0000644");
  put(124, fmt::format("{:011o}", data.size()));
  put(136, "00000000000");
  put(148, "        ");
  header[156] = type;
  put(257, std::string_view("ustar\00000", 8));
  put(345, prefix);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  std::string member = header + std::string(data);
  member.resize((member.size() + 511) / 512 * 512, '\0');
  return member;
}

inline std::string tar_end() { return std::string(1024, '\0'); }

}  // namespace headrace::read
