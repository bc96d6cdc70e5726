// SPDX-License-Identifier: Apache-2.0
// Patterns → files, the same list on every machine.
//
// Own code rather than glob(3) and fnmatch(3): those follow the locale (a `?` is a byte in one and
// a character in another, ranges and the order of the result differ) and know no `**`. Here a `?`
// is one code point, ranges go by code point, and the result is sorted by bytes.
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

namespace headrace::io {
namespace {

// One code point, or one byte where the name is not UTF-8.
char32_t take_character(std::string_view* text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>((*text)[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
  bool valid = length == 1 || (lead < 0xF5 && text->size() >= length);
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  text->remove_prefix(valid ? length : 1);
  return valid ? value : char32_t{0x110000} + lead;
}

// Matches the set that starts after '[' against `c`; false through `closed` when no ']' follows.
bool match_set(std::string_view* pattern, char32_t c, bool* closed) {
  std::string_view rest = *pattern;
  const bool negated = !rest.empty() && (rest[0] == '!' || rest[0] == '^');
  if (negated) rest.remove_prefix(1);
  bool found = false;
  for (bool first = true; !rest.empty(); first = false) {
    if (rest[0] == ']' && !first) {
      rest.remove_prefix(1);
      *pattern = rest;
      *closed = true;
      return found != negated;
    }
    const char32_t low = take_character(&rest);
    char32_t high = low;
    if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
      rest.remove_prefix(1);
      high = take_character(&rest);
    }
    found = found || (low <= c && c <= high);
  }
  *closed = false;
  return false;
}

// One pattern element that is not '*' against the front of `name`; takes both on a match.
bool match_one(std::string_view* pattern, std::string_view* name) {
  std::string_view rest = *pattern;
  std::string_view left = *name;
  const char32_t c = take_character(&left);
  const char32_t p = take_character(&rest);
  bool matches = p == c;
  if (p == U'?') {
    matches = true;
  } else if (p == U'[') {
    bool closed = false;
    std::string_view after = rest;
    const bool in_set = match_set(&after, c, &closed);
    if (closed) {  // else '[' is itself
      matches = in_set;
      rest = after;
    }
  } else if (p == U'\\' && !rest.empty()) {
    matches = take_character(&rest) == c;
  }
  if (!matches) return false;
  *pattern = rest;
  *name = left;
  return true;
}

// '*' needs only the last one seen to be retried: linear memory, at most quadratic time.
bool match_name(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  std::string_view retry_pattern;
  std::string_view retry_name;
  bool can_retry = false;
  while (!name.empty() || !pattern.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      retry_pattern = pattern;
      retry_name = name;
      can_retry = true;
      continue;
    }
    if (!pattern.empty() && !name.empty() && match_one(&pattern, &name)) continue;
    if (!can_retry || retry_name.empty()) return false;
    take_character(&retry_name);
    name = retry_name;
    pattern = retry_pattern;
  }
  return true;
}

bool has_wildcard(std::string_view part) { return part.find_first_of("*?[\\") != part.npos; }

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

// "/a//b/*.x" → root "/", parts {"a", "b", "*.x"}.
std::vector<std::string> cut_pattern(std::string_view pattern) {
  std::vector<std::string> parts;
  while (!pattern.empty()) {
    const std::size_t slash = pattern.find('/');
    const std::string_view part = pattern.substr(0, slash);
    if (!part.empty()) parts.emplace_back(part);
    pattern.remove_prefix(slash == pattern.npos ? pattern.size() : slash + 1);
  }
  return parts;
}

}  // namespace

Result<std::vector<std::string>> glob(const std::string& pattern) {
  if (pattern.empty()) return invalid_argument("a path pattern is empty");
  if (pattern.find("://") != std::string::npos) {
    return unsupported("'{}': this version reads local files only; copy the files first", pattern);
  }
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
