// SPDX-License-Identifier: Apache-2.0
#include "curate/books.h"

#include <set>

#include "curate/judge_columns.h"
#include "curate/passes.h"
#include "curate/removed_spans.h"

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

// The verdict stage is several stages of the books: what the rules on measures drop, of the rest
// what those on scores drop, what holds a held-out item or validation text, then what is a
// duplicate.
void split_verdict(const FileCounts& counts, const Recipe::Data& recipe,
                   std::vector<StageBooks>* stages) {
  std::vector<StageBooks> chain = {{"judge", 0, 0, counts.quarantined, {}}};
  std::map<std::string, std::size_t> place_of;  // reasons of later stages
  const auto add = [&](const char* stage, const std::vector<std::string>& reasons) {
    for (const std::string& reason : reasons) place_of[reason] = chain.size();
    chain.push_back({stage, 0, 0, 0, {}});
  };
  for (const ScoreSpec& spec : recipe.scores) {
    for (const std::string& reason : reasons_of(spec)) place_of[reason] = 1;
  }
  if (!recipe.scores.empty()) add("score", {});
  if (recipe.leak) add("leak", {kLeakReason});
  if (recipe.validation) add("validation", {kValidationLeakReason});
  if (recipe.dedup.needs_hashes()) add("dedup", {});
  for (const auto& [reason, count] : counts.dropped) {
    const auto place = place_of.find(reason);
    const std::size_t stage = is_duplicate(reason)      ? chain.size() - 1
                              : place == place_of.end() ? 0
                                                        : place->second;
    chain[stage].dropped[reason] = count;
  }
  std::uint64_t out = counts.out;
  for (auto stage = chain.rbegin(); stage != chain.rend(); ++stage) {
    stage->out = out;
    stage->in = out += stage->quarantined + dropped_total(*stage);
  }
  chain.front().in = counts.in;  // counted apart: a lost row shows
  std::move(chain.begin(), chain.end(), std::back_inserter(*stages));
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

std::uint64_t sum_of(const std::vector<Commit>& commits, const std::string& name) {
  std::uint64_t sum = 0;
  for (const Commit& commit : commits) sum += number_of(commit, name);
  return sum;
}

// What was looked for comes from the commit of the index, what it cost from those of the scans, and
// what was found from the verdicts: in the documents that came to the check.
LeakBooks leak_books(const Context& context, const std::vector<Commit>& verdicts) {
  LeakBooks leak{.verdict = name_of(context.recipe.leak->verdict)};
  if (const auto index = context.ledger.read(kLeakIndex, 0)) {
    leak.items = number_of(*index, "items");
    leak.folded = number_of(*index, "folded");
    leak.without_seeds = number_of(*index, "without_seeds");
    leak.not_checkable = number_of(*index, "not_checkable");
    leak.reference_documents = number_of(*index, "reference_documents");
    constexpr std::string_view kItems = "items.";
    for (const auto& [name, count] : index->numbers) {
      if (!name.starts_with(kItems)) continue;
      LeakBooks::Set set{.name = name.substr(kItems.size()), .items = count};
      set.drop = sum_of(verdicts, "leak.drop." + set.name);
      set.flag = sum_of(verdicts, "leak.flag." + set.name);
      set.documents = sum_of(verdicts, "leak.documents." + set.name);
      set.report_only = context.recipe.leak->is_report_only(set.name);
      leak.sets.push_back(std::move(set));
    }
  }
  const std::vector<Commit> scans = context.ledger.all(kLeaks);
  leak.seed_bits = sum_of(scans, "bits_set");
  leak.groups = sum_of(scans, "groups");
  leak.verified = sum_of(scans, "verified");
  leak.documents = sum_of(verdicts, "leak.documents");
  leak.found = sum_of(verdicts, "leak.found");
  return leak;
}

ValidationBooks validation_books(const Context& context, const std::vector<Commit>& verdicts) {
  const ValidationSpec& spec = *context.recipe.validation;
  ValidationBooks books{.documents = sum_of(verdicts, "validation.documents"),
                        .checked = sum_of(verdicts, "validation.checked"),
                        .leaks = sum_of(verdicts, "validation.leaks"),
                        .flagged = sum_of(verdicts, "validation.flagged"),
                        .checks_leaks = spec.check_leaks,
                        .drops_leaks = spec.drop_leaks};
  if (const auto index = context.ledger.read(kSplitIndex, 0))
    books.without_fingerprints = number_of(*index, "without_fingerprints");
  return books;
}

void add_removed(const std::vector<Commit>& spans, Books* books) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(SpanReason::kLittleLeft); ++i) {
    RemovedBooks removed{.reason = std::string(name_of(static_cast<SpanReason>(i)))};
    for (const Commit& commit : spans) {
      removed.ranges += number_of(commit, "spans." + removed.reason);
      removed.bytes += number_of(commit, "bytes." + removed.reason);
    }
    if (removed.ranges > 0) books->removed.push_back(std::move(removed));
  }
  for (const Commit& commit : spans) {
    books->documents_cut += number_of(commit, "documents_cut");
    books->bytes_removed += number_of(commit, "bytes_removed");
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
    if (stage == std::string_view(kVerdict)) {
      add_scores(context, commits, &books);
      if (context.recipe.leak) books.leak = leak_books(context, commits);
      if (context.recipe.validation) books.validation = validation_books(context, commits);
    }
    if (stage == std::string_view(kSpans)) add_removed(commits, &books);
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
