// SPDX-License-Identifier: Apache-2.0
// Patterns → files of a store that can be listed.
//
// Keys of an object store are one flat list; a '/' makes folders of it. A name without wildcards
// is gone into without asking; a name with them costs one listing of its folder; from `**` on one
// listing of everything below gives all, and its keys are matched part by part.
#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "io/internal/file_system.h"
#include "io/internal/pattern.h"

namespace headrace::io {
namespace {

using Parts = std::span<const std::string>;

// `**` stands for any number of folders that are not hidden; at the end for files, too.
bool match_parts(Parts pattern, Parts names) {
  if (pattern.empty()) return names.empty();
  if (pattern[0] == "**") {
    const bool last = pattern.size() == 1;
    for (std::size_t taken = 0; taken <= names.size(); ++taken) {
      if (taken > 0 && names[taken - 1].starts_with('.')) return false;
      if (last ? taken == names.size() && taken > 0
               : match_parts(pattern.subspan(1), names.subspan(taken))) {
        return true;
      }
    }
    return false;
  }
  if (names.empty()) return false;
  const bool same =
      has_wildcard(pattern[0]) ? match_name(pattern[0], names[0]) : pattern[0] == names[0];
  return same && match_parts(pattern.subspan(1), names.subspan(1));
}

class RemoteSearch {
 public:
  RemoteSearch(FileSystem& files, const Uri& uri) : files_(files), uri_(uri) {}

  // Everything that matches `pattern` below `folder`.
  Result<void> descend(const std::string& folder, Parts pattern) {
    std::string here = folder;
    while (pattern.size() > 1 && !has_wildcard(pattern[0])) {
      here = here.empty() ? pattern[0] : join(here, pattern[0]);
      pattern = pattern.subspan(1);
    }
    const bool deep = pattern[0] == "**";
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Listed> listed, files_.list(uri_, here, deep));
    for (Listed& entry : listed) {
      const std::string_view path = entry.path;
      const std::vector<std::string> names =
          cut_pattern(path.substr(std::min(here.size(), path.size())));
      if (names.empty()) continue;
      if (deep) {
        if (match_parts(pattern, names)) add(std::move(entry));
        continue;
      }
      if (!match_parts(pattern.first(1), names)) continue;
      if (pattern.size() == 1) {
        if (!entry.info.is_directory) add(std::move(entry));
      } else if (entry.info.is_directory) {
        HEADRACE_RETURN_IF_ERROR(descend(entry.path, pattern.subspan(1)));
      }
    }
    return {};
  }

  // By the bytes of the keys: a query behind them does not change the order.
  std::vector<FoundFile> take() {
    std::sort(found_.begin(), found_.end(), [](const FoundFile& a, const FoundFile& b) {
      return without_query(a.name) < without_query(b.name);
    });
    return std::move(found_);
  }

  void add(Listed file) {
    found_.push_back({public_name(uri_.with_path(file.path)), std::move(file.info)});
  }

 private:
  FileSystem& files_;
  const Uri& uri_;
  std::vector<FoundFile> found_;
};

}  // namespace

Result<std::vector<FoundFile>> find_in(FileSystem& files, const Uri& uri) {
  const bool web = uri.scheme == "http" || uri.scheme == "https";
  if (web && uri.path.find_first_of("*[") != std::string::npos) {
    return unsupported("{}: a web server cannot be listed: name each file, without * and [",
                       uri.name);
  }
  RemoteSearch search(files, uri);
  auto as_written = files.info(uri);
  if (as_written && !as_written->is_directory) {
    search.add({uri.path, *as_written});
    return search.take();
  }
  if (!as_written && as_written.error().code() != Code::kNotFound) return as_written.error();
  std::vector<std::string> pattern = cut_pattern(uri.path);
  if (as_written) {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Listed> listed, files.list(uri, uri.path, true));
    const std::size_t above = pattern.size();
    pattern.push_back("**");
    for (Listed& entry : listed) {
      const std::vector<std::string> names = cut_pattern(entry.path);
      if (match_parts(Parts(pattern).last(1),
                      Parts(names).subspan(std::min(above, names.size())))) {
        search.add(std::move(entry));
      }
    }
    return search.take();
  }
  if (std::none_of(pattern.begin(), pattern.end(), has_wildcard)) return search.take();
  HEADRACE_RETURN_IF_ERROR(search.descend("", pattern));
  return search.take();
}

}  // namespace headrace::io
