// SPDX-License-Identifier: Apache-2.0
// A file of decisions is only ever appended to: an hour of somebody's judgement must survive a
// killed process, a full disk and a power cut. So each decision is one write and one fsync before
// the page is told; what a failed write left behind is cut off before the next one.
#include "report/label_file.h"

#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_fault.h"
#include "base/log.h"
#include "io/file.h"

namespace headrace::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<Mark, std::string_view> kMarks[] = {{Mark::kNone, "none"},
                                                        {Mark::kGarbage, "garbage"},
                                                        {Mark::kWorthKeeping, "keep"},
                                                        {Mark::kUnsure, "unsure"}};

// Whole lines of `content` → decisions; returns where they end.
Result<std::int64_t> parse_lines(std::string_view content, const std::string& path,
                                 std::vector<Decision>* decisions) {
  std::size_t begin = 0;
  for (std::size_t line = 1; begin < content.size(); ++line) {
    const std::size_t end = content.find('\n', begin);
    if (end == std::string_view::npos) break;
    const std::string_view text = content.substr(begin, end - begin);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
      auto decision = parse_decision(text);
      if (!decision) {
        return corrupt("{} line {}: {}: mend or remove that line, or choose another --labels", path,
                       line, decision.error().message());
      }
      decisions->push_back(*std::move(decision));
    }
    begin = end + 1;
  }
  return static_cast<std::int64_t>(begin);
}

}  // namespace

std::string_view name_of(Mark mark) {
  for (const auto& [known, name] : kMarks) {
    if (known == mark) return name;
  }
  return "none";
}

bool parse_mark(std::string_view name, Mark* mark) {
  for (const auto& [known, its_name] : kMarks) {
    if (its_name != name) continue;
    *mark = known;
    return true;
  }
  return false;
}

std::string format_decision(const Decision& decision) {
  const bool is_label = decision.mark == Mark::kGarbage || decision.mark == Mark::kWorthKeeping;
  Json json = {{"id", decision.id},
               {"text", decision.text},
               {"label", is_label ? Json(decision.mark == Mark::kWorthKeeping ? 1 : 0) : Json()},
               {"decision", name_of(decision.mark)},
               {"rule", decision.rule},
               {"group", decision.group},
               {"value", std::isfinite(decision.value) ? Json(decision.value) : Json()},
               {"bound", decision.bound},
               {"domain", decision.domain},
               {"source", decision.source},
               {"time", decision.time},
               {"by", decision.by}};
  if (decision.cut) json["cut"] = true;
  if (decision.undo) json["undo"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Decision> parse_decision(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    Decision decision;
    decision.id = json.at("id");
    decision.text = json.at("text");
    if (const std::string name = json.at("decision"); !parse_mark(name, &decision.mark))
      return corrupt("'{}' is no decision", name);
    decision.rule = json.value("rule", "");
    decision.group = json.value("group", "");
    const Json value = json.value("value", Json());
    decision.value =
        value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    decision.bound = json.value("bound", "");
    decision.domain = json.value("domain", "");
    decision.source = json.value("source", "");
    decision.time = json.value("time", "");
    decision.by = json.value("by", "");
    decision.cut = json.value("cut", false);
    decision.undo = json.value("undo", false);
    return decision;
  } catch (const nlohmann::json::exception& error) {
    return corrupt("not a decision ({})", json_fault(error, line));
  }
}

Result<LabelFile> LabelFile::open(const std::string& path, std::vector<Decision>* decisions) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno_status(errno, fmt::format("opening the labels {}", path));
  LabelFile file(path, descriptor, 0);
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return errno_status(errno, fmt::format("opening the labels {}", path));
  if (!S_ISREG(info.st_mode)) {
    return invalid_argument(
        "the labels {} are no regular file, so decisions would not stay there: choose another "
        "--labels",
        path);
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return unavailable("another audit writes to {}: end it, or choose another --labels", path);
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::string content, io::read_file(path));
  HEADRACE_ASSIGN_OR_RETURN(file.bytes_, parse_lines(content, path, decisions));
  return file;
}

LabelFile::LabelFile(LabelFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(other.descriptor_), bytes_(other.bytes_) {
  other.descriptor_ = -1;
}

LabelFile::~LabelFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> LabelFile::append(const Decision& decision) {
  const std::string line = format_decision(decision);
  if (::ftruncate(descriptor_, bytes_) != 0 || !write_whole(line) || ::fsync(descriptor_) != 0) {
    const Status status = errno_status(errno, fmt::format("writing to {}", path_));
    // What a killed process leaves is cut off by the next append; this one can do it at once.
    if (::ftruncate(descriptor_, bytes_) != 0)
      log_warning("{} ends with a part of a decision that was not saved", path_);
    return status;
  }
  bytes_ += static_cast<std::int64_t>(line.size());
  return {};
}

bool LabelFile::write_whole(std::string_view line) const {
  while (!line.empty()) {
    const ::ssize_t wrote = ::write(descriptor_, line.data(), line.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    line.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace headrace::report
