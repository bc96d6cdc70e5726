// SPDX-License-Identifier: Apache-2.0
// The offline half: a recipe → a run directory (docs/formats/run_directory.md), and what can be
// asked of one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

namespace headrace {

// A checked recipe. Immutable.
class Recipe {
 public:
  // Reads and checks a recipe file. All faults are reported at once, each with its line; unknown
  // keys with a suggestion; keys of later versions are refused by name. Relative paths in it are
  // relative to the working folder.
  static Result<Recipe> load(const std::string& path);
  static Result<Recipe> parse(std::string_view yaml, const std::string& name = "recipe");

  // JSON Schema (draft 2020-12) of a recipe, for editors: every key with what it says, measures,
  // presets and steps by name. What only the whole recipe shows (min above max) is parse()'s.
  static std::string schema();

  const std::string& name() const;
  const std::string& output() const;  // the `output` key, "" if not given

  struct Data;
  const Data& data() const { return *data_; }

 private:
  explicit Recipe(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

struct RunOptions {
  std::string output;  // run directory; "" = the recipe's
  // Share of the documents, (0, 1]; keyed by the recipe's seed. Affects results.
  std::optional<double> sample;
  // What stands in `output` may be replaced, even a run of other sources or of another sample.
  bool replace = false;
  std::size_t threads = 0;  // speed only; 0 = the recipe's limits, else all CPUs
  bool dry_run = false;     // check everything that can be known at the start, write nothing
  bool show_progress = false;
  std::stop_token stop;  // ends the run between records; what was committed stays valid
};

// One stage of the books; in = out + dropped + quarantined.
struct StageBooks {
  std::string stage;
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  std::uint64_t quarantined = 0;
  std::map<std::string, std::uint64_t> dropped;  // reason → count
};

// Records that are quarantined for one reason, and where the first of them stands.
struct QuarantineReason {
  std::uint64_t records = 0;
  std::string source;        // input file
  std::uint64_t offset = 0;  // in it, decompressed
};

// What an entry of the recipe's score section did.
struct ScoreBooks {
  std::string name;
  std::string kind;
  std::uint64_t scored = 0;   // documents that came to it
  std::uint64_t invalid = 0;  // of these, without a value: undetermined, or the model failed
  // External scores of ids that no document has: left aside.
  std::uint64_t unknown_ids = 0;
};

// What the check for held-out items did, of the documents that came to it as the recipe stands.
struct LeakBooks {
  struct Set {
    std::string name;
    std::uint64_t items = 0;
    std::uint64_t drop = 0;       // hits: an item of which enough is there
    std::uint64_t flag = 0;       // hits: a part of one, a passage, a quotation
    std::uint64_t documents = 0;  // with a hit of either kind
    bool report_only = false;     // touches no document
  };
  std::string verdict;                    // what a hit does: "drop", "flag", "remove_span"
  std::uint64_t items = 0;                // that are looked for
  std::uint64_t folded = 0;               // further items, with the same words as one of them
  std::uint64_t without_seeds = 0;        // of `items`: never found, nothing to search by
  std::uint64_t not_checkable = 0;        // of `items`: too short to be told alone
  std::uint64_t reference_documents = 0;  // that told which phrases are common
  std::uint64_t documents = 0;            // looked through
  std::uint64_t found = 0;                // with a hit
  std::uint64_t seed_bits = 0;            // places that were worth a second look
  std::uint64_t groups = 0;               // of seeds of one item, close together
  std::uint64_t verified = 0;             // of these, compared with the item
  std::vector<Set> sets;                  // by name
};

// What `mix.validation` holds out.
struct ValidationBooks {
  std::uint64_t documents = 0;  // kept, on the validation side
  std::uint64_t checked = 0;    // training documents that were looked through for their text
  std::uint64_t leaks = 0;      // of these: hold it
  std::uint64_t flagged = 0;    // of these: hold a little of it
  // Validation documents too short to be found in others.
  std::uint64_t without_fingerprints = 0;
  bool checks_leaks = true;  // else nobody looked
  bool drops_leaks = true;   // else they are only counted
};

// What was removed from the texts of documents, for one reason. Ranges may overlap.
struct RemovedBooks {
  std::string reason;  // duplicate_paragraph, duplicate_line, duplicate_substring, leak
  std::uint64_t ranges = 0;
  std::uint64_t bytes = 0;
};

// Where every record went. Of a run that is not finished: as far as its finished stages go.
struct Books {
  std::uint64_t in = 0;
  std::uint64_t kept = 0;
  std::uint64_t quarantined = 0;
  std::map<std::string, std::uint64_t> dropped;
  std::map<std::string, QuarantineReason> quarantine;  // reason → what it took
  bool balanced = false;
  std::optional<Unfinished> unfinished;  // nothing when the run is finished
  std::vector<StageBooks> stages;
  std::map<std::string, std::vector<StageBooks>> domains;
  std::map<std::string, std::vector<StageBooks>> sources;  // by input file
  std::vector<ScoreBooks> scores;                          // in the recipe's order
  std::optional<LeakBooks> leak;                           // where the recipe has `leak`
  std::optional<ValidationBooks> validation;               // where it has `mix.validation`
  std::vector<RemovedBooks> removed;                       // empty where nothing is removed
  std::uint64_t documents_cut = 0;                         // kept without a part of their text
  std::uint64_t bytes_removed = 0;  // each counted once, those of dropped documents too
  // Input file, what was found: truncated, empty ...
  std::vector<std::pair<std::string, std::string>> notes;
};

struct PlanStage {
  std::string name;
  std::uint64_t tasks = 0;  // 0: known only when earlier stages are done (shards)
  // Valid commits that would be kept. Of the stages after "documents" all or none are counted, and
  // none when the recipe has changed.
  std::uint64_t tasks_done = 0;
};

// What a dry run knows.
struct RunPlan {
  std::uint64_t input_files = 0;
  std::uint64_t input_bytes = 0;
  std::vector<PlanStage> stages;
};

// A number of the full run, from a sample: with 95 % confidence between `low` and `high`.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// A reason and the share of all records that it takes, each record under its first.
struct ReasonProjection {
  std::string stage;
  std::string reason;
  std::uint64_t sampled = 0;  // records of the sample
  // Clopper and Pearson's interval for this reason alone. None for duplicates: a sample of
  // documents sees both of a pair so rarely that their share is far too low.
  std::optional<Estimate> share;
};

// What a run on a sample says of the run on everything.
struct Projection {
  std::uint64_t records = 0;  // of the full run: all were read
  std::uint64_t sampled = 0;
  std::vector<ReasonProjection> reasons;  // of the stages read and judge, in their order; dedup
  Estimate kept_documents;                // by the rules; duplicates go on top of it
  Estimate kept_bytes;                    // of their text
  std::optional<Estimate> tokens;  // of what is kept after duplicates, where there are tokens
  // Of the full run on this machine: from "the passes after the documents cost what they cost the
  // sample" to "they grow with it". None where a part of the sample had been done before, and none
  // in what Run::projection() says later.
  std::optional<Estimate> seconds;
  Estimate disk_bytes;  // of its run directory, without report and samples
};

// A run directory.
class Run {
 public:
  // Opens what run() made, finished or not. not_found when `directory` is no run.
  static Result<Run> open(const std::string& directory);

  const std::string& directory() const;
  // The folder of manifest.json, "" when no run in this directory has made shards yet.
  std::string shards() const;
  // The same of the documents that are held out for validation.
  std::string validation_shards() const;
  Result<Books> books() const;
  std::string report() const;  // path of index.html
  // What a finished run of a sample says of the full run; nothing for a run of all documents.
  Result<std::optional<Projection>> projection() const;

  struct Data;
  const Data& data() const { return *data_; }
  explicit Run(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

struct RunResult {
  std::string run;                // directory
  std::string shards;             // folder of manifest.json or ""
  std::string validation_shards;  // of the documents that are held out, or ""
  std::string report;             // path of index.html
  Books books;
  RunPlan plan;                          // filled by a dry run, too
  std::optional<Projection> projection;  // where RunOptions::sample is set
  double seconds = 0;
};

// Does what the recipe says; run again = resume: only what has no valid commit is done. A run whose
// books do not balance ends with RunResult::books.balanced == false.
Result<RunResult> run(const Recipe& recipe, const RunOptions& options = {});

// Documents that a reason is counted for, before and after a judging. Each is counted under its
// first reason, the cheapest rule that it breaks.
struct ReasonChange {
  std::string reason;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

// A document whose verdict a judging changed.
struct VerdictChange {
  std::string id;
  std::string domain;
  std::string source;
  std::string reason_before;           // "" = kept
  std::optional<double> value_before;  // what that rule saw
  std::string reason_after;
  std::optional<double> value_after;
  std::string text;  // where JudgeOptions asks for texts: 200 code points at most
};

struct JudgeOptions {
  std::optional<Recipe>
      recipe;  // with the new thresholds; nothing = judge again with the run's own
  // Documents to show of those newly kept, and of those newly dropped: a random sample.
  std::uint64_t examples = 5;
  bool texts = false;       // read the texts of the examples; nothing else of a judging reads text
  std::size_t threads = 0;  // speed only
  std::stop_token stop;     // ends between parts; what was committed stays valid
};

struct JudgeResult {
  std::uint64_t documents = 0;  // judged
  // Whether there were whole verdicts to compare with: an interrupted judging leaves none. Without,
  // `before`, both counts of changes and the examples are empty.
  bool compared = false;
  std::uint64_t before = 0;  // kept by rules and dedup before
  std::uint64_t after = 0;
  std::uint64_t newly_kept = 0;
  std::uint64_t newly_dropped = 0;
  std::uint64_t newly_scored = 0;                // texts that models had to look at, by all entries
  std::uint64_t newly_scanned = 0;               // documents that were looked through for leaks
  std::vector<ReasonChange> reasons;             // by name
  std::map<std::string, std::uint64_t> dropped;  // reason → documents, after
  std::vector<VerdictChange> kept_examples;      // newly kept, by id
  std::vector<VerdictChange> dropped_examples;   // newly dropped, by id
  double seconds = 0;
};

// New thresholds on kept columns. No text is read, but for documents that come to a score, or to a
// check for leaks, that they do not have yet. Shards of the earlier verdicts stay where they
// are until run() makes new ones.
Result<JudgeResult> judge_run(const std::string& directory, const JudgeOptions& options = {});

// Proves a run directory whole: run.json, every committed file against its size and checksum, and
// the shards as verify_shards does. Damage is an answer, not an error, and so is a run that is not
// finished.
Result<VerifyReport> verify_run(const std::string& directory, const VerifyOptions& options = {});

// The score of one document by an entry of the recipe.
struct ScoreView {
  std::string name;
  std::optional<double> value;  // nothing: undetermined, or the model failed on the text
  std::string label;            // "" for kinds that give none
};

// What cat shows of one record.
struct RecordView {
  std::string id;  // "12:48213"
  std::string domain;
  std::string source;      // input file
  std::string text;        // raw bytes as they were for quarantined records, made printable
  std::string meta;        // the other fields, one JSON object, or ""
  std::string reason;      // "" when kept
  std::string value;       // what the rule saw, "" where there is no number
  std::string detail;      // of a record that could not be read: what was found
  std::uint64_t line = 0;  // of the input file, from 1; 0 where there are no lines
  std::uint64_t offset = 0;
  std::vector<ScoreView> scores;  // of those that the document came to
  std::string split;  // "training" or "validation"; "" where the recipe has no mix.validation
};

struct CatOptions {
  enum class What { kKept, kDropped, kQuarantined } what = What::kKept;
  std::string reason;  // with kDropped: only this one
  std::optional<std::uint64_t> limit;
};

// Calls `sink` for each record in id order until it returns false.
Result<void> cat(const std::string& directory, const CatOptions& options,
                 const std::function<bool(const RecordView&)>& sink);

// One document's story.
struct Explanation {
  std::string id;
  std::string domain;
  std::string source;
  std::uint64_t offset = 0;
  std::string text;         // as stored; see `removed`
  std::string meta;         // the other fields, one JSON object, or ""
  std::string raw;          // as the reader saw it, before any step
  std::string raw_missing;  // why `raw` could not be read again; "" when it was
  struct StepChange {
    std::string step;
    std::uint64_t changes = 0;
    // The place of its first change and what follows, 200 code points at most; "" where the step
    // changed nothing.
    std::string before;
    std::string after;
  };
  std::vector<StepChange> steps;  // what each normalizing step changed
  struct Measured {
    std::string name;
    std::string family;           // "Words", "Repetition" ...
    std::optional<double> value;  // nothing: null
  };
  std::vector<Measured> measures;  // in the order of the registry
  // A score with the bounds that the domain has on it (not those of buckets, nor percentiles).
  struct Scored {
    ScoreView score;
    bool scored = false;  // else an earlier rule dropped the document before
    std::optional<double> min;
    std::optional<double> max;
    std::vector<std::string> keep;  // labels; empty = every label
  };
  std::vector<Scored> scores;
  std::string verdict;  // "kept", "dropped" or "quarantined"
  std::string
      detail;  // of a record that never became a document: what was found; `raw` is its front
  std::vector<std::string> reasons;  // all of them; the first is the one it is counted under
  // A rule on a measure that the document breaks, as the run's recipe has it for this document.
  struct BrokenRule {
    std::string reason;
    std::string measure;
    std::optional<double> value;  // nothing: null
    std::string bound;            // "max 0.3"; "" where null is what drops
    std::string scope;   // which documents of the domain it judges: "language zh"; "" = all others
    std::string place;   // key of the recipe: "judge.languages.zh.rules"
    std::string preset;  // that gives the rule there: "zh-web", "zh-web, bucket 2"; "" = the recipe
    std::vector<std::string> words;  // of a rule on flagged words: those found, each once
  };
  // A held-out item that stands in the document.
  struct Leak {
    std::string set;
    std::string item;          // id in the set
    std::string verdict;       // "drop": enough of it is there; "flag": a part
    bool report_only = false;  // its set touches no document
    std::string view;          // what was compared: "question", "question+options" ...
    double ratio = 0;          // matched share of the view's weight
    double mass = 0;           // matched weight
    double density = 0;        // matched words of the stretch
    double question = 0;       // matched shares of the item's parts
    double options = 0;
    double answer = 0;
    double passage = 0;
    std::uint64_t begin = 0;  // bytes of `text`
    std::uint64_t end = 0;
    std::string excerpt;  // what stands there, 200 code points at most
  };
  std::vector<Leak> leaks;  // empty also where nobody looked: see `leak_checked`
  bool leak_checked = false;
  std::string split;  // "training" or "validation"; "" where the recipe has no mix.validation
  // A validation document whose text stands in this training document.
  struct ValidationLeak {
    std::string id;
    bool leak = false;            // else a little of it
    double share_validation = 0;  // matched share of that document
    double share_training = 0;    // and of this one
    double mass = 0;
  };
  std::vector<ValidationLeak> validation_leaks;
  std::vector<BrokenRule> broken;  // one for each of `reasons` that a rule on a measure gives
  // A range of `text` that is not handed on (to tokens, by cat): bytes [begin, end).
  struct Removed {
    std::string reason;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string text;     // 200 code points at most
    std::string kept_id;  // where an earlier copy stands; "" for leaks
    std::uint64_t kept_begin = 0;
  };
  std::vector<Removed> removed;  // in order; may overlap
  std::string text_left;         // `text` without them; "" where nothing is removed
  // Ids of all documents that one stands for, near and exact duplicates, that one first; empty =
  // none.
  std::vector<std::string> cluster;
  // The members of its cluster of near duplicates, the survivor first. `similarity` is the true
  // Jaccard similarity to the member that it is most similar to.
  struct NearMember {
    std::string id;
    std::string linked_to;
    double similarity = 0;
  };
  std::vector<NearMember> near;
  std::string earlier;      // id in `earlier_run` of what it is a duplicate of; "" = none
  std::string earlier_run;  // dedup.against
  std::optional<std::uint64_t> tokens;  // nothing when not tokenized
};

Result<Explanation> explain(const std::string& directory, const std::string& id);

}  // namespace headrace
