// SPDX-License-Identifier: Apache-2.0
#include "curate/books.h"

#include "curate/passes.h"

namespace headrace::curate {
namespace {

std::uint64_t dropped_total(const StageBooks& stage) {
  std::uint64_t total = 0;
  for (const auto& [reason, count] : stage.dropped) total += count;
  return total;
}

StageBooks to_stage(const char* name, const FileCounts& counts) {
  return {name, counts.in, counts.out, counts.quarantined, counts.dropped};
}

// The verdict stage is two stages of the books: what the rules drop, then what is a duplicate of
// what they keep.
void split_verdict(const FileCounts& counts, std::vector<StageBooks>* stages, bool with_dedup) {
  StageBooks judge = to_stage("judge", counts);
  StageBooks dedup{"dedup", 0, counts.out, 0, {}};
  if (const auto found = judge.dropped.find(kDuplicateReason); found != judge.dropped.end()) {
    dedup.dropped.insert(*found);
    judge.out += found->second;
    judge.dropped.erase(found);
  }
  dedup.in = judge.out;
  stages->push_back(std::move(judge));
  if (with_dedup) stages->push_back(std::move(dedup));
}

void add_to(const std::vector<StageBooks>& from, std::vector<StageBooks>* to) {
  if (to->empty()) {
    for (const StageBooks& stage : from) to->push_back({stage.stage, 0, 0, 0, {}});
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    (*to)[i].in += from[i].in;
    (*to)[i].out += from[i].out;
    (*to)[i].quarantined += from[i].quarantined;
    for (const auto& [reason, count] : from[i].dropped) (*to)[i].dropped[reason] += count;
  }
}

// Of several files the first shows where to look.
void add_quarantine(const FileCounts& counts, const std::string& source, Books* books) {
  for (const auto& [reason, found] : counts.quarantine) {
    QuarantineReason& all = books->quarantine[reason];
    if (all.records == 0) all = {0, source, found.first_offset};
    all.records += found.records;
  }
}

bool balanced(const std::vector<StageBooks>& stages) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageBooks& stage = stages[i];
    if (stage.in != stage.out + stage.quarantined + dropped_total(stage)) return false;
    if (i > 0 && stage.in != stages[i - 1].out) return false;
  }
  return true;
}

}  // namespace

Result<Books> make_books(const Context& context) {
  Books books;
  books.unfinished = unfinished_stage(context);
  std::map<std::string, std::map<std::uint64_t, FileCounts>> by_stage;
  for (const char* stage : {kDocuments, kVerdict, kTokenize, kMix}) {
    if (!context.finished.contains(stage)) break;
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> commits, finished_commits(context, stage));
    for (const Commit& commit : commits) {
      for (const auto& [file, counts] : commit.files) by_stage[stage][file].add(counts);
      for (const auto& [file, note] : commit.notes)
        books.notes.emplace_back(context.files.at(file).path, note);
    }
    by_stage[stage];  // a stage without files is there all the same
  }
  books.balanced = true;
  for (std::uint64_t file = 0; file < context.files.size(); ++file) {
    std::vector<StageBooks> stages;
    if (by_stage.contains(kDocuments)) {
      stages.push_back(to_stage("read", by_stage[kDocuments][file]));
      add_quarantine(by_stage[kDocuments][file], context.files[file].path, &books);
    }
    if (by_stage.contains(kVerdict))
      split_verdict(by_stage[kVerdict][file], &stages, context.recipe.exact_view.has_value());
    if (by_stage.contains(kTokenize))
      stages.push_back(to_stage("tokenize", by_stage[kTokenize][file]));
    if (by_stage.contains(kMix)) stages.push_back(to_stage("mix", by_stage[kMix][file]));
    books.balanced = books.balanced && balanced(stages);
    add_to(stages, &books.stages);
    add_to(stages, &books.domains[context.domains[context.files[file].domain]]);
    add_to(stages, &books.sources[context.files[file].path]);
  }
  if (!books.stages.empty()) {
    books.in = books.stages.front().in;
    books.kept = books.stages.back().out;
  }
  std::uint64_t lost = 0;
  for (const StageBooks& stage : books.stages) {
    books.quarantined += stage.quarantined;
    lost += stage.quarantined + dropped_total(stage);
    for (const auto& [reason, count] : stage.dropped) books.dropped[reason] += count;
  }
  books.balanced = books.balanced && books.in == books.kept + lost;
  return books;
}

}  // namespace headrace::curate
