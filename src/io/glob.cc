// SPDX-License-Identifier: Apache-2.0
// Patterns → files, the same list on every machine.
//
// Own code rather than glob(3), which knows no `**` and whose order follows the locale: here the
// result is sorted by bytes.
//
// A path that exists as it is written is taken as it is, so that "part[1].jsonl" names the file of
// that name. Links are followed; a link into one of its own parents ends there, so `**` ends.
#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <sys/stat.h>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/internal/file_system.h"
#include "io/internal/pattern.h"
#include "io/uri.h"

namespace headrace::io {
namespace {

struct Entry {
  std::string name;
  bool is_folder = false;
};

class Search {
 public:
  explicit Search(std::vector<std::string> parts) : parts_(std::move(parts)) {}

  // Everything from `parts_[part]` on below `folder` ("" = the working folder).
  Result<void> descend(const std::string& folder, std::size_t part) {
    const std::string& pattern = parts_[part];
    const bool last = part + 1 == parts_.size();
    if (pattern == "**") {
      HEADRACE_RETURN_IF_ERROR(last ? Result<void>{} : descend(folder, part + 1));
      if (is_open(folder)) return {};
      return walk(folder, [&](const Entry& entry, const std::string& path) -> Result<void> {
        if (entry.name.starts_with('.')) return {};
        if (entry.is_folder) return descend(path, part);
        if (last) found_.push_back(path);
        return {};
      });
    }
    if (!has_wildcard(pattern)) {
      const std::string path = folder.empty() ? pattern : join(folder, pattern);
      struct stat status{};
      if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return {};
        return errno_status(errno, "looking at " + path);
      }
      if (!last) return S_ISDIR(status.st_mode) ? descend(path, part + 1) : Result<void>{};
      if (!S_ISDIR(status.st_mode)) found_.push_back(path);
      return {};
    }
    return walk(folder, [&](const Entry& entry, const std::string& path) -> Result<void> {
      if (!match_name(pattern, entry.name)) return {};
      if (entry.is_folder) return last ? Result<void>{} : descend(path, part + 1);
      if (last) found_.push_back(path);
      return {};
    });
  }

  std::vector<std::string> take() {
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  template <class Visit>
  Result<void> walk(const std::string& folder, const Visit& visit) {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<Entry> entries, list(folder));
    open_folders_.push_back(identity(folder));
    for (const Entry& entry : entries) {
      HEADRACE_RETURN_IF_ERROR(
          visit(entry, folder.empty() ? entry.name : join(folder, entry.name)));
    }
    open_folders_.pop_back();
    return {};
  }

  using Identity = std::pair<dev_t, ino_t>;

  static Identity identity(const std::string& folder) {
    struct stat status{};
    if (::stat(folder.empty() ? "." : folder.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino};
  }

  // A folder that the search stands in already, met again through a link.
  bool is_open(const std::string& folder) const {
    const Identity here = identity(folder);
    return std::find(open_folders_.begin(), open_folders_.end(), here) != open_folders_.end();
  }

  static Result<std::vector<Entry>> list(const std::string& folder) {
    const std::string shown = folder.empty() ? "." : folder;
    DIR* handle = ::opendir(shown.c_str());
    if (handle == nullptr) return errno_status(errno, "listing the folder " + shown);
    std::vector<Entry> entries;
    int failed = 0;
    for (;;) {
      errno = 0;
      const dirent* found = ::readdir(handle);
      if (found == nullptr) {
        failed = errno;
        break;
      }
      const std::string_view name = found->d_name;
      if (name == "." || name == "..") continue;
      bool is_folder = found->d_type == DT_DIR;
      if (found->d_type == DT_LNK || found->d_type == DT_UNKNOWN) {
        struct stat status{};
        // A link to nothing stays in the list: opening it will say so.
        is_folder = ::stat(join(shown, name).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
      }
      entries.push_back({std::string(name), is_folder});
    }
    ::closedir(handle);
    if (failed != 0) return errno_status(failed, "listing the folder " + shown);
    return entries;
  }

  std::vector<std::string> parts_;
  std::vector<std::string> found_;
  std::vector<Identity> open_folders_;  // from the root of the search to here
};

}  // namespace

Result<std::vector<FoundFile>> find_remote(const std::string& pattern) {
  HEADRACE_ASSIGN_OR_RETURN(const Uri uri, parse_uri(pattern));
  HEADRACE_ASSIGN_OR_RETURN(const std::shared_ptr<FileSystem> files, file_system_of(uri));
  return find_in(*files, uri);
}

Result<std::vector<std::string>> glob(const std::string& written) {
  if (written.empty()) return invalid_argument("a path pattern is empty");
  if (is_remote(written)) {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<FoundFile> found, find_remote(written));
    std::vector<std::string> names;
    for (FoundFile& file : found) names.push_back(std::move(file.name));
    return names;
  }
  const std::string pattern = local_path(written);
  const std::string root = pattern.front() == '/' ? "/" : "";
  if (const auto info = file_info(pattern); info) {
    if (!info->is_directory) return std::vector<std::string>{pattern};
    Search below({"**"});
    std::string folder = pattern;
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    HEADRACE_RETURN_IF_ERROR(below.descend(folder, 0));
    return below.take();
  }
  Search search(cut_pattern(pattern));
  HEADRACE_RETURN_IF_ERROR(search.descend(root, 0));
  return search.take();
}

}  // namespace headrace::io
