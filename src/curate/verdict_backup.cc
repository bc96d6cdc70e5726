// SPDX-License-Identifier: Apache-2.0
// Folders move, so a judging costs no copy. Everything is a rename of its own and a process can die
// between any two, so each state says what to do: what lies aside replaces what stands, and
// run.json, which names the recipe of the verdicts, comes back last. It is the copy of run.json
// that says that new verdicts may stand in place of the old ones; drop() removes it first.
#include "curate/verdict_backup.h"

#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

constexpr const char* kAside = "judge.before";
constexpr const char* kFolders[] = {"verdict", "dedup/clusters", "tasks/verdict"};

std::string aside(const RunDirectory& directory, std::string_view folder) {
  return directory.at(fmt::format("{}/{}", kAside, folder));
}

Result<void> move(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (error) return errno_status(error.value(), fmt::format("moving {} to {}", from, to));
  return {};
}

}  // namespace

Result<VerdictBackup> VerdictBackup::make(const Context& context) {
  const RunDirectory& directory = context.directory;
  for (const char* parent : {"tasks", "dedup"})
    HEADRACE_RETURN_IF_ERROR(io::make_directories(aside(directory, parent)));
  HEADRACE_ASSIGN_OR_RETURN(const std::string run_json, io::read_file(directory.run_json()));
  HEADRACE_RETURN_IF_ERROR(io::write_file_atomic(aside(directory, "run.json"), run_json));
  VerdictBackup backup(directory);
  for (const char* folder : kFolders) {
    if (io::exists(directory.at(folder)))
      HEADRACE_RETURN_IF_ERROR(move(directory.at(folder), aside(directory, folder)));
  }
  return backup;
}

VerdictBackup::~VerdictBackup() {
  if (!directory_) return;
  if (const auto restored = restore(*directory_); !restored)
    log_warning("the verdicts of before are not back: {}", restored.error().message());
}

Result<void> VerdictBackup::drop() {
  const RunDirectory directory = *std::move(directory_);
  directory_.reset();
  HEADRACE_RETURN_IF_ERROR(io::remove_all(aside(directory, "run.json")));
  return io::remove_all(directory.at(kAside));
}

Result<bool> VerdictBackup::restore(const RunDirectory& directory) {
  if (!io::exists(directory.at(kAside))) return false;
  const std::string saved = aside(directory, "run.json");
  if (io::exists(saved)) {
    for (const char* folder : kFolders) {
      if (!io::exists(aside(directory, folder))) continue;
      HEADRACE_RETURN_IF_ERROR(io::remove_all(directory.at(folder)));
      HEADRACE_RETURN_IF_ERROR(move(aside(directory, folder), directory.at(folder)));
    }
    HEADRACE_ASSIGN_OR_RETURN(const std::string run_json, io::read_file(saved));
    HEADRACE_RETURN_IF_ERROR(io::write_file_atomic(directory.run_json(), run_json));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(saved));
  }
  HEADRACE_RETURN_IF_ERROR(io::remove_all(directory.at(kAside)));
  return true;
}

}  // namespace headrace::curate
