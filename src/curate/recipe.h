// SPDX-License-Identifier: Apache-2.0
// What a recipe says, checked. The public class Recipe holds one of these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headrace/run.h"
#include "headrace/tokenizer.h"

#include "base/options.h"
#include "curate/recipe_dedup.h"
#include "curate/recipe_leak.h"
#include "curate/recipe_score.h"
#include "curate/word_lists.h"
#include "judge/judge.h"
#include "pack/packing.h"

namespace headrace {

namespace curate {

struct SourceSpec {
  std::string domain;
  std::vector<std::string> paths;  // globs, as written
  std::string format = "auto";
  std::string text = "text";
  std::vector<std::string> keep;
  bool keep_all = true;
  std::string documents = "file";
  std::string encoding = "auto";
  std::string place;  // for messages: "recipe line 3", or "argument 2" of a command without one
};

struct StepSpec {
  std::string name;
  OptionValues options;
};

// What a recipe without `normalize` does.
std::vector<StepSpec> default_steps();

// The judge section, or that of one domain; an empty preset means the section's own.
struct JudgeSpec {
  std::string preset;
  judge::RuleSet set;  // rules, then `languages`, then `buckets`
};

// No token, where one may be named.
inline constexpr const char* kNoToken = "none";

struct TokenizeSpec {
  std::string tokenizer;     // path
  TokenizerOptions options;  // what the file leaves open
  std::string begin;         // token that opens each document; "": those that the file puts there
  std::string end;           // token that closes each document
};

}  // namespace curate

struct Recipe::Data {
  std::string path;
  std::string name = "run";
  std::uint64_t seed = 0;
  std::vector<curate::SourceSpec> sources;
  std::vector<curate::StepSpec> normalize;
  std::vector<curate::WordListSpec> word_lists;  // read by load_words(), not with the recipe
  curate::Words words;
  curate::JudgeSpec judge;
  std::map<std::string, curate::JudgeSpec> judge_domains;
  std::vector<curate::ScoreSpec> scores;  // in the order of scoring
  curate::DedupSpec dedup;
  std::optional<curate::LeakSpec> leak;  // nothing: no held-out items are looked for
  std::map<std::string, double> mix_weights;
  std::optional<std::uint64_t> mix_total_tokens;
  std::optional<curate::ValidationSpec> validation;  // nothing: all documents are for training
  std::optional<curate::TokenizeSpec> tokenize;      // nothing: the run ends with verdicts
  pack::Method pack_method = pack::Method::kConcat;
  std::uint32_t pack_length = 4096;  // 0: method none, each document is one sample
  std::string shard_format = "megatron";
  std::uint64_t shard_bytes = 512ULL << 20;
  std::uint64_t shard_multiple_of = 1;
  bool shard_shuffle = true;
  std::string output;
  std::size_t threads = 0;
  std::uint64_t memory_bytes = 1ULL << 30;  // for what looks at the whole corpus; speed only
  double confidence = 0.9;
  std::string yaml;  // the text as read

  // Names of all domains, in order of first appearance in `sources`.
  std::vector<std::string> domains() const;
  // The rules of a domain: those of the score section, under its preset (or the section's),
  // overridden by its rules.
  judge::RuleSet rules_of(const std::string& domain) const;
  // Where the recipe would name a rule for all of a domain that no rule of its own replaces:
  // "judge.rules", or "judge.domains.NAME.rules" where the domain starts from its own preset.
  std::string base_place(const std::string& domain) const;
};

}  // namespace headrace
