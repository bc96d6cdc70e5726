// SPDX-License-Identifier: Apache-2.0
#include "curate/ledger.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "curate/sealed_json.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

// Outputs are removed by these paths: a commit must not lead out of its run directory.
bool stays_inside(std::string_view path) {
  return !path.empty() && path.front() != '/' &&
         ("/" + std::string(path) + "/").find("/../") == std::string::npos;
}

Json to_json(const FileCounts& counts) {
  Json json = {{"in", counts.in}, {"out", counts.out}};
  if (counts.quarantined) json["quarantined"] = counts.quarantined;
  for (const auto& [reason, found] : counts.quarantine)
    json["quarantine"][reason] = {{"records", found.records}, {"first_offset", found.first_offset}};
  if (counts.lines) json["lines"] = counts.lines;
  if (!counts.dropped.empty()) json["dropped"] = counts.dropped;
  return json;
}

FileCounts counts_from(const Json& json) {
  FileCounts counts;
  counts.in = json.at("in");
  counts.out = json.at("out");
  counts.quarantined = json.value("quarantined", std::uint64_t{0});
  if (json.contains("quarantine")) {
    for (const auto& [reason, found] : json["quarantine"].items())
      counts.quarantine[reason] = {found.at("records"), found.at("first_offset")};
  }
  counts.lines = json.value("lines", std::uint64_t{0});
  if (json.contains("dropped"))
    counts.dropped = json["dropped"].get<std::map<std::string, std::uint64_t>>();
  return counts;
}

Json to_json(const Commit& commit) {
  Json json = {{"fingerprint", commit.fingerprint}, {"outputs", Json::array()}};
  for (const OutputFile& output : commit.outputs) {
    json["outputs"].push_back(
        {{"path", output.path}, {"bytes", output.bytes}, {"xxh3_128", output.xxh3_128}});
  }
  json["files"] = Json::object();
  for (const auto& [file, counts] : commit.files)
    json["files"][std::to_string(file)] = to_json(counts);
  json["notes"] = Json::array();
  for (const auto& [file, note] : commit.notes) json["notes"].push_back({file, note});
  json["numbers"] = commit.numbers;
  return json;
}

// A file that was changed by anything but this program is no commit, and its task runs again.
std::optional<Commit> commit_from(const std::string& text) {
  const std::optional<Json> sealed = unseal(text);
  if (!sealed) return std::nullopt;
  try {
    const Json& json = *sealed;
    Commit commit;
    commit.fingerprint = json.at("fingerprint");
    for (const Json& output : json.at("outputs")) {
      commit.outputs.push_back({output.at("path"), output.at("bytes"), output.at("xxh3_128")});
      if (!stays_inside(commit.outputs.back().path)) return std::nullopt;
    }
    for (const auto& [file, counts] : json.at("files").items())
      commit.files[std::stoull(file)] = counts_from(counts);
    for (const Json& note : json.at("notes")) commit.notes.emplace_back(note.at(0), note.at(1));
    commit.numbers = json.at("numbers").get<std::map<std::string, std::uint64_t>>();
    return commit;
  } catch (const std::exception&) {  // a damaged commit is no commit: the task runs again
    return std::nullopt;
  }
}

}  // namespace

void FileCounts::add(const FileCounts& other) {
  in += other.in;
  out += other.out;
  quarantined += other.quarantined;
  for (const auto& [reason, found] : other.quarantine) {
    const auto [own, is_first] = quarantine.emplace(reason, found);
    if (is_first) continue;
    own->second.records += found.records;
    own->second.first_offset = std::min(own->second.first_offset, found.first_offset);
  }
  lines += other.lines;
  for (const auto& [reason, count] : other.dropped) dropped[reason] += count;
}

std::string Commit::digest() const {
  Fingerprint digest;
  digest.add(fingerprint);
  for (const OutputFile& output : outputs) digest.add(output.path).add(output.xxh3_128);
  return digest.hex();
}

std::string Ledger::name(std::string_view stage, std::size_t task) {
  return fmt::format("tasks/{}/{:05}.json", stage, task);
}

std::string Ledger::path(std::string_view stage, std::size_t task) const {
  return directory_.at(name(stage, task));
}

std::optional<Commit> Ledger::read(std::string_view stage, std::size_t task) const {
  const auto text = io::read_file(path(stage, task));
  if (!text) return std::nullopt;
  return commit_from(*text);
}

std::optional<Commit> Ledger::find(std::string_view stage, std::size_t task,
                                   std::string_view fingerprint) const {
  std::optional<Commit> commit = read(stage, task);
  if (!commit || commit->fingerprint != fingerprint) return std::nullopt;
  if (broken_output(stage, task, *commit)) return std::nullopt;
  return commit;
}

std::int64_t Ledger::trusted_until(const std::string& commit_path) const {
  const auto info = io::file_info(commit_path);
  const std::lock_guard lock(mutex_);
  const auto reread = reread_.find(commit_path);
  // Clocks of file systems tick in milliseconds: what bears the time of the commit itself may have
  // been changed behind it.
  return std::max(info ? info->changed_ns - 1 : 0, reread == reread_.end() ? 0 : reread->second);
}

std::optional<std::string> Ledger::broken_output(std::string_view stage, std::size_t task,
                                                 const Commit& commit,
                                                 std::span<const char* const> folders) const {
  const std::string commit_path = path(stage, task);
  const std::int64_t trusted_ns = trusted_until(commit_path);
  std::int64_t latest_ns = trusted_ns;
  for (const OutputFile& output : commit.outputs) {
    const auto lies_in = [&](const char* folder) { return output.path.starts_with(folder); };
    if (!folders.empty() && std::none_of(folders.begin(), folders.end(), lies_in)) continue;
    const std::string file = directory_.at(output.path);
    const auto info = io::file_info(file);
    if (!info || info->bytes != output.bytes) return output.path;
    if (info->changed_ns <= trusted_ns) continue;
    const auto hash = io::hash_file(file);
    if (!hash || to_hex(*hash) != output.xxh3_128) return output.path;
    latest_ns = std::max(latest_ns, info->changed_ns);
  }
  if (latest_ns > trusted_ns && folders.empty()) {
    const std::lock_guard lock(mutex_);
    reread_[commit_path] = latest_ns;
  }
  return std::nullopt;
}

void Ledger::renew(std::string_view stage, std::size_t task) const {
  const std::string commit_path = path(stage, task);
  {
    const std::lock_guard lock(mutex_);
    if (!reread_.contains(commit_path)) return;
  }
  std::error_code ignored;  // without the right to do it the next start reads again
  std::filesystem::last_write_time(commit_path, std::filesystem::file_time_type::clock::now(),
                                   ignored);
}

Result<void> Ledger::write(std::string_view stage, std::size_t task, Commit commit) const {
  for (OutputFile& output : commit.outputs) {
    const std::string file = directory_.at(output.path);
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(file));
    HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(file));
    output.bytes = info.bytes;
    output.xxh3_128 = to_hex(hash);
  }
  HEADRACE_RETURN_IF_ERROR(io::make_directories(directory_.at(fmt::format("tasks/{}", stage))));
  return io::write_file_atomic(path(stage, task), seal(to_json(commit)));
}

Result<void> Ledger::forget(std::string_view stage, std::size_t task) const {
  if (const std::optional<Commit> commit = read(stage, task)) {
    for (const OutputFile& output : commit->outputs) {
      HEADRACE_RETURN_IF_ERROR(io::remove_all(directory_.at(output.path)));
    }
  }
  return io::remove_all(path(stage, task));
}

Result<void> Ledger::forget_from(std::string_view stage, std::size_t first) const {
  for (std::size_t task = first; io::exists(path(stage, task)); ++task) {
    HEADRACE_RETURN_IF_ERROR(forget(stage, task));
  }
  return {};
}

std::vector<Commit> Ledger::all(std::string_view stage) const {
  std::vector<Commit> commits;
  while (auto commit = read(stage, commits.size())) commits.push_back(*std::move(commit));
  return commits;
}

Fingerprint& Fingerprint::add(std::string_view word) {
  add(static_cast<std::uint64_t>(word.size()));
  hasher_.update(word);
  return *this;
}

Fingerprint& Fingerprint::add(std::uint64_t number) {
  char bytes[sizeof(number)];
  std::memcpy(bytes, &number, sizeof(number));
  hasher_.update({bytes, sizeof(bytes)});
  return *this;
}

Fingerprint& Fingerprint::add(double number) {
  std::uint64_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return add(bits);
}

Fingerprint& Fingerprint::add(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    bytes[i / 8] = static_cast<char>(bytes[i / 8] | (bits[i] ? 1 << (i % 8) : 0));
  return add(bytes);
}

std::string Fingerprint::hex() const { return to_hex(hasher_.digest()); }

}  // namespace headrace::curate
