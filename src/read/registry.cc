// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "io/input_stream.h"
#include "io/uri.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

bool ends_with_ignoring_case(std::string_view text, std::string_view lower_case_ending) {
  if (text.size() < lower_case_ending.size()) return false;
  return std::equal(lower_case_ending.begin(), lower_case_ending.end(),
                    text.end() - static_cast<std::ptrdiff_t>(lower_case_ending.size()),
                    [](char a, char b) {
                      return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
                    });
}

}  // namespace

Result<std::vector<Split>> Reader::split(const std::string& path, std::uint64_t file,
                                         std::uint64_t target_bytes) const {
  static_cast<void>(target_bytes);
  return one_split(path, file);
}

const ReaderInfo* Registry::for_path(std::string_view path) const {
  path = io::without_query(path);
  path.remove_suffix(io::compression_extension(path).size());
  for (const ReaderInfo& info : all()) {
    for (const std::string& extension : info.extensions) {
      if (ends_with_ignoring_case(path, extension)) return &info;
    }
  }
  return nullptr;
}

const Registry& registry() {
  static const Registry all = [] {
    Registry made;
    register_all(made);
    return made;
  }();
  return all;
}

}  // namespace headrace::read
