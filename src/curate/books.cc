// SPDX-License-Identifier: Apache-2.0
#include "curate/books.h"

#include <set>

#include "curate/judge_columns.h"
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

// The verdict stage is three stages of the books: what the rules on measures drop, what those on
// scores drop of the rest, then what is a duplicate of what they keep.
void split_verdict(const FileCounts& counts, const Recipe::Data& recipe,
                   std::vector<StageBooks>* stages) {
  std::set<std::string> of_scores;
  for (const ScoreSpec& spec : recipe.scores) {
    for (std::string& reason : reasons_of(spec)) of_scores.insert(std::move(reason));
  }
  StageBooks judge = to_stage("judge", counts);
  StageBooks score{"score", 0, counts.out, 0, {}};
  StageBooks dedup{"dedup", 0, counts.out, 0, {}};
  for (auto it = judge.dropped.begin(); it != judge.dropped.end();) {
    const bool duplicate = it->first == kDuplicateReason;
    if (!duplicate && !of_scores.contains(it->first)) {
      ++it;
      continue;
    }
    judge.out += it->second;
    if (duplicate) score.out += it->second;
    (duplicate ? dedup : score).dropped.insert(*it);
    it = judge.dropped.erase(it);
  }
  score.in = judge.out;
  dedup.in = recipe.scores.empty() ? judge.out : score.out;
  stages->push_back(std::move(judge));
  if (!recipe.scores.empty()) stages->push_back(std::move(score));
  if (recipe.exact_view) stages->push_back(std::move(dedup));
}

std::uint64_t number_of(const Commit& commit, const std::string& name) {
  const auto found = commit.numbers.find(name);
  return found == commit.numbers.end() ? 0 : found->second;
}

void add_scores(const Context& context, const std::vector<Commit>& verdicts, Books* books) {
  for (const ScoreSpec& spec : context.recipe.scores) {
    ScoreBooks score{.name = spec.name, .kind = spec.kind};
    for (const Commit& commit : verdicts) {
      score.scored += number_of(commit, "scored." + spec.name);
      score.invalid += number_of(commit, "invalid." + spec.name);
    }
    if (const auto first = context.ledger.read(score_stage(spec.name), 0))
      score.unknown_ids = number_of(*first, "unknown_ids");
    books->scores.push_back(std::move(score));
  }
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
  for (const char* stage : {kDocuments, kVerdict, kSpans, kTokenize, kMix}) {
    if (!wants_stage(context.recipe, stage)) continue;
    if (!context.finished.contains(stage)) break;
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> commits, finished_commits(context, stage));
    if (stage == std::string_view(kVerdict)) add_scores(context, commits, &books);
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
      split_verdict(by_stage[kVerdict][file], context.recipe, &stages);
    if (by_stage.contains(kSpans)) stages.push_back(to_stage("spans", by_stage[kSpans][file]));
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
