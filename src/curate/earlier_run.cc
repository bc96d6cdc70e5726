// SPDX-License-Identifier: Apache-2.0
#include "curate/earlier_run.h"

#include <filesystem>

#include "base/error.h"
#include "curate/passes.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

Result<void> check_same_settings(const DedupSpec& own, const DedupSpec& earlier,
                                 const std::string& run) {
  if (own.exact_view && own.exact_view != earlier.exact_view) {
    return invalid_argument(
        "dedup.against: {} {}: run its recipe again with the view of this one, or give this one "
        "its view",
        run, earlier.exact_view ? "hashed another view" : "has no hashes for exact duplicates");
  }
  if (own.near && (!earlier.near || own.near->signature != earlier.near->signature)) {
    return invalid_argument(
        "dedup.against: {} {}, and this recipe wants {}: run its recipe again with these settings, "
        "or give this one those of the earlier",
        run,
        earlier.near ? "has signatures of " + earlier.near->signature.text()
                     : "has no signatures (its recipe has no dedup.near)",
        own.near->signature.text());
  }
  return {};
}

}  // namespace

Result<std::optional<EarlierRun>> EarlierRun::open(const Context& context) {
  const std::string& path = context.recipe.dedup.against;
  std::optional<EarlierRun> none;
  if (path.empty()) return none;
  std::error_code error;
  if (std::filesystem::weakly_canonical(path, error) ==
      std::filesystem::weakly_canonical(context.directory.root(), error)) {
    return invalid_argument("dedup.against: {} is the output of this run itself", path);
  }
  auto opened = open_context(path);
  if (!opened) return opened.error().with_context("dedup.against");
  EarlierRun earlier;
  earlier.run_ = *std::move(opened);
  const Context& run = *earlier.run_;
  if (!run.finished.contains(kVerdict)) {
    return invalid_argument("dedup.against: {} has no verdicts yet: let 'headrace run' finish it",
                            path);
  }
  HEADRACE_RETURN_IF_ERROR(check_same_settings(context.recipe.dedup, run.recipe.dedup, path));
  constexpr const char* kRead[] = {kHashesFolder, kSignaturesFolder};
  constexpr const char* kVerdicts[] = {kVerdictFolder};
  earlier.run_->threads = context.threads;
  HEADRACE_ASSIGN_OR_RETURN(earlier.documents_, whole_commits(run, kDocuments, kRead));
  HEADRACE_ASSIGN_OR_RETURN(earlier.verdicts_, whole_commits(run, kVerdict, kVerdicts));
  return std::optional(std::move(earlier));
}

std::string EarlierRun::fingerprint() const {
  Fingerprint print;
  for (const Commit& commit : documents_) print.add(commit.digest());
  for (const Commit& commit : verdicts_) print.add(commit.digest());
  return print.hex();
}

std::string EarlierRun::at(const char* folder, std::size_t part, const char* extension) const {
  return run_->directory.at(RunDirectory::part(folder, part, extension));
}

Result<std::vector<std::uint64_t>> EarlierRun::ids(std::size_t part) const {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(at(kVerdictFolder, part, "parquet")));
  std::vector<std::uint64_t> ids;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  return ids;
}

Result<std::vector<bool>> EarlierRun::kept(std::size_t part) const {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(at(kVerdictFolder, part, "parquet")));
  std::vector<std::string> reasons = {""};
  std::vector<std::uint32_t> codes;
  HEADRACE_RETURN_IF_ERROR(reader->read_codes("reason", &reasons, &codes));
  std::vector<bool> kept(codes.size());
  for (std::size_t row = 0; row < codes.size(); ++row) kept[row] = codes[row] == 0;
  return kept;
}

}  // namespace headrace::curate
