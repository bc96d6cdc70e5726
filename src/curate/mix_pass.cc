// SPDX-License-Identifier: Apache-2.0
// Domain weights → which of the tokenized documents go in. What is held out for validation goes in
// whole, into a set of its own, and is no part of the shares.
#include "base/error.h"
#include "curate/measure_columns.h"
#include "curate/passes.h"
#include "curate/validation.h"
#include "io/file.h"
#include "mix/mix.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kMixPassVersion = 1;

struct PartTokens {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> tokens;
  std::vector<std::uint32_t> chosen;  // kNotChosen until the mix says otherwise, or held out
};

// The tokenized rows of a part that are held out.
Result<void> mark_validation(const Context& context, std::size_t part, PartTokens* counts) {
  counts->chosen.assign(counts->ids.size(), kNotChosen);
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> sides, load_sides(context, part));
  if (sides.empty()) return {};
  HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context, part, {}));
  std::size_t row = 0;
  for (std::size_t i = 0; i < counts->ids.size(); ++i) {
    while (row < rows.ids.size() && rows.ids[row] < counts->ids[i]) ++row;
    if (row == rows.ids.size() || row >= sides.size())
      return corrupt("part {}: tokens of a document that it does not have: run the recipe again",
                     part);
    if (sides[row]) counts->chosen[i] = kChosenForValidation;
  }
  return {};
}

Result<PartTokens> load_counts(const Context& context, std::size_t part) {
  PartTokens counts;
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(context.directory.at(
                                             RunDirectory::part(kTokensFolder, part, "parquet"))));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &counts.ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("tokens", &counts.tokens));
  HEADRACE_RETURN_IF_ERROR(mark_validation(context, part, &counts));
  return counts;
}

// Chooses among the training documents of one domain.
void choose_in_domain(const Context& context, std::uint32_t domain, std::uint64_t budget,
                      std::vector<PartTokens>* all) {
  std::vector<PartTokens>& parts = *all;
  std::vector<mix::Candidate> candidates;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t row = 0; row < parts[part].ids.size(); ++row) {
      if (context.domain_of(parts[part].ids[row]) != domain) continue;
      if (parts[part].chosen[row] == kChosenForValidation) continue;
      candidates.push_back({parts[part].ids[row], parts[part].tokens[row]});
      places.emplace_back(part, row);
    }
  }
  const std::vector<bool> picked = mix::choose_documents(candidates, budget, context.recipe.seed);
  for (std::size_t i = 0; i < picked.size(); ++i) {
    if (picked[i]) parts[places[i].first].chosen[places[i].second] = kChosen;
  }
}

Result<void> write_part(const Context& context, std::size_t part, const PartTokens& counts) {
  io::AtomicPath file(context.directory.at(RunDirectory::part(kMixFolder, part, "parquet")));
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer, ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                                            {"chosen", ColumnType::kUint32}}));
  for (std::size_t row = 0; row < counts.ids.size(); ++row) {
    writer->append_uint64(0, counts.ids[row]);
    writer->append_uint32(1, counts.chosen[row]);
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return file.commit();
}

Result<Commit> run_mix(const Context& context, std::size_t part_count) {
  std::vector<PartTokens> parts;
  std::vector<mix::DomainSupply> supply;
  for (const std::string& domain : context.domains) supply.push_back({domain, 0});
  for (std::size_t part = 0; part < part_count; ++part) {
    HEADRACE_ASSIGN_OR_RETURN(PartTokens counts, load_counts(context, part));
    for (std::size_t row = 0; row < counts.ids.size(); ++row) {
      if (counts.chosen[row] != kChosenForValidation)
        supply[context.domain_of(counts.ids[row])].tokens += counts.tokens[row];
    }
    parts.push_back(std::move(counts));
  }
  HEADRACE_ASSIGN_OR_RETURN(
      const std::vector<std::uint64_t> budgets,
      mix::token_budgets(supply, context.recipe.mix_weights, context.recipe.mix_total_tokens));
  for (std::uint32_t domain = 0; domain < context.domains.size(); ++domain)
    choose_in_domain(context, domain, budgets[domain], &parts);

  Commit commit;
  commit.numbers = {{"tokens", 0}, {"documents", 0}};
  if (context.recipe.validation)
    commit.numbers.insert({{"validation.tokens", 0}, {"validation.documents", 0}});
  RowCounts rows;
  for (std::size_t part = 0; part < part_count; ++part) {
    HEADRACE_RETURN_IF_ERROR(write_part(context, part, parts[part]));
    commit.outputs.push_back({RunDirectory::part(kMixFolder, part, "parquet"), 0, ""});
    for (std::size_t row = 0; row < parts[part].ids.size(); ++row) {
      const std::uint64_t id = parts[part].ids[row];
      const std::uint32_t chosen = parts[part].chosen[row];
      if (chosen == kNotChosen) {
        rows.dropped(id, kQuotaReason);
        continue;
      }
      rows.kept(id);
      const std::string& domain = context.domains[context.domain_of(id)];
      const std::string set = chosen == kChosenForValidation ? "validation." : "";
      commit.numbers[set + "tokens"] += parts[part].tokens[row];
      commit.numbers[set + "documents"] += 1;
      commit.numbers[set + "tokens:" + domain] += parts[part].tokens[row];
      commit.numbers[set + "documents:" + domain] += 1;
    }
  }
  commit.files = std::move(rows.files);
  return commit;
}

}  // namespace

Result<Commit> mix_pass(Context& context, const std::vector<Commit>& tokens) {
  HEADRACE_RETURN_IF_ERROR(io::make_directories(context.directory.at(kMixFolder)));
  Fingerprint print;
  print.add(kMixPassVersion)
      .add(context.recipe.seed)
      .add(context.recipe.mix_total_tokens.value_or(0));
  for (const auto& [domain, weight] : context.recipe.mix_weights) print.add(domain).add(weight);
  if (context.recipe.validation) print.add(ValidationSides(context).fingerprint());
  std::uint64_t documents = 0;
  for (const Commit& commit : tokens) {
    print.add(commit.digest());
    documents += commit.numbers.at("documents");
  }
  HEADRACE_ASSIGN_OR_RETURN(
      std::vector<Commit> commits,
      run_stage(context, kMix, {{.fingerprint = print.hex(), .weight = documents, .work = [&] {
                                   return run_mix(context, tokens.size());
                                 }}}));
  return std::move(commits.front());
}

}  // namespace headrace::curate
