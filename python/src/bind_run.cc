// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/run.h. Results leave as dicts with the keys that the command prints with --json.
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "headrace/run.h"

#include "bindings.h"

namespace headrace::python {
namespace {

using Path = std::filesystem::path;

nb::dict counts(const std::map<std::string, std::uint64_t>& values) {
  nb::dict out;
  for (const auto& [name, count] : values) out[to_str(name)] = count;
  return out;
}

nb::list stages(const std::vector<StageBooks>& values) {
  nb::list out;
  for (const StageBooks& stage : values) {
    nb::dict row;
    row["stage"] = to_str(stage.stage);
    row["in"] = stage.in;
    row["out"] = stage.out;
    row["dropped"] = counts(stage.dropped);
    row["quarantined"] = stage.quarantined;
    out.append(row);
  }
  return out;
}

nb::dict stages_by_name(const std::map<std::string, std::vector<StageBooks>>& values) {
  nb::dict out;
  for (const auto& [name, rows] : values) out[to_str(name)] = stages(rows);
  return out;
}

nb::dict to_dict(const LeakBooks& leak) {
  nb::list sets;
  for (const LeakBooks::Set& set : leak.sets) {
    nb::dict row;
    row["set"] = to_str(set.name);
    row["items"] = set.items;
    row["documents"] = set.documents;
    row["drop"] = set.drop;
    row["flag"] = set.flag;
    row["report_only"] = set.report_only;
    sets.append(row);
  }
  nb::dict out;
  out["verdict"] = to_str(leak.verdict);
  out["items"] = leak.items;
  out["folded"] = leak.folded;
  out["without_seeds"] = leak.without_seeds;
  out["not_checkable"] = leak.not_checkable;
  out["reference_documents"] = leak.reference_documents;
  out["documents"] = leak.documents;
  out["found"] = leak.found;
  out["seed_bits"] = leak.seed_bits;
  out["groups"] = leak.groups;
  out["verified"] = leak.verified;
  out["sets"] = sets;
  return out;
}

nb::dict to_dict(const ValidationBooks& validation) {
  nb::dict out;
  out["documents"] = validation.documents;
  out["checked"] = validation.checks_leaks ? nb::cast(validation.checked) : nb::none();
  out["leaks"] = validation.leaks;
  out["flagged"] = validation.flagged;
  out["without_fingerprints"] = validation.without_fingerprints;
  out["drops"] = validation.drops_leaks;
  return out;
}

nb::dict to_dict(const Books& books) {
  nb::dict out;
  out["in"] = books.in;
  out["kept"] = books.kept;
  out["dropped"] = counts(books.dropped);
  out["quarantined"] = books.quarantined;
  nb::dict quarantine;
  for (const auto& [reason, found] : books.quarantine) {
    nb::dict row;
    row["records"] = found.records;
    row["source"] = to_str(found.source);
    row["offset"] = found.offset;
    quarantine[to_str(reason)] = row;
  }
  out["quarantine"] = quarantine;
  out["balanced"] = books.balanced;
  out["finished"] = !books.unfinished.has_value();
  out["unfinished"] = nb::none();
  if (books.unfinished.has_value()) {
    nb::dict row;
    row["stage"] = to_str(books.unfinished->stage);
    row["tasks"] = books.unfinished->tasks == 0 ? nb::none() : nb::cast(books.unfinished->tasks);
    row["tasks_done"] = books.unfinished->tasks_done;
    out["unfinished"] = row;
  }
  out["stages"] = stages(books.stages);
  out["domains"] = stages_by_name(books.domains);
  out["sources"] = stages_by_name(books.sources);
  nb::list scores;
  for (const ScoreBooks& score : books.scores) {
    nb::dict row;
    row["name"] = to_str(score.name);
    row["kind"] = to_str(score.kind);
    row["scored"] = score.scored;
    row["invalid"] = score.invalid;
    row["unknown_ids"] = score.unknown_ids;
    scores.append(row);
  }
  out["scores"] = scores;
  out["leak"] = books.leak.has_value() ? nb::object(to_dict(*books.leak)) : nb::none();
  out["validation"] =
      books.validation.has_value() ? nb::object(to_dict(*books.validation)) : nb::none();
  nb::list removed;
  for (const RemovedBooks& one : books.removed) {
    nb::dict row;
    row["reason"] = to_str(one.reason);
    row["ranges"] = one.ranges;
    row["bytes"] = one.bytes;
    removed.append(row);
  }
  out["removed"] = removed;
  out["documents_cut"] = books.documents_cut;
  out["bytes_removed"] = books.bytes_removed;
  nb::list notes;
  for (const auto& [source, note] : books.notes) {
    nb::dict row;
    row["source"] = to_str(source);
    row["note"] = to_str(note);
    notes.append(row);
  }
  out["notes"] = notes;
  return out;
}

nb::dict to_dict(const RunPlan& plan) {
  nb::list rows;
  for (const PlanStage& stage : plan.stages) {
    nb::dict row;
    row["stage"] = to_str(stage.name);
    row["tasks"] = stage.tasks;
    row["tasks_done"] = stage.tasks_done;
    rows.append(row);
  }
  nb::dict out;
  out["input_files"] = plan.input_files;
  out["input_bytes"] = plan.input_bytes;
  out["stages"] = rows;
  return out;
}

nb::dict to_dict(const Estimate& estimate) {
  nb::dict out;
  out["value"] = estimate.value;
  out["low"] = estimate.low;
  out["high"] = estimate.high;
  return out;
}

nb::object dict_or_none(const std::optional<Estimate>& estimate) {
  return estimate.has_value() ? nb::object(to_dict(*estimate)) : nb::none();
}

std::optional<nb::dict> to_dict(const std::optional<Projection>& projection) {
  if (!projection.has_value()) return std::nullopt;
  nb::list reasons;
  for (const ReasonProjection& reason : projection->reasons) {
    nb::dict row;
    row["stage"] = to_str(reason.stage);
    row["reason"] = to_str(reason.reason);
    row["sampled"] = reason.sampled;
    row["share"] = dict_or_none(reason.share);
    reasons.append(row);
  }
  nb::dict out;
  out["records"] = projection->records;
  out["sampled"] = projection->sampled;
  out["confidence"] = 0.95;
  out["reasons"] = reasons;
  out["kept_documents"] = to_dict(projection->kept_documents);
  out["kept_bytes"] = to_dict(projection->kept_bytes);
  out["tokens"] = dict_or_none(projection->tokens);
  out["seconds"] = dict_or_none(projection->seconds);
  out["disk_bytes"] = to_dict(projection->disk_bytes);
  return out;
}

nb::dict run_recipe(const Path& recipe, const Path& output, std::optional<double> sample,
                    bool replace, std::size_t threads, bool dry_run, bool show_progress) {
  std::stop_source stop;
  const RunOptions options{.output = output.string(),
                           .sample = sample,
                           .replace = replace,
                           .threads = threads,
                           .dry_run = dry_run,
                           .show_progress = show_progress,
                           .stop = stop.get_token()};
  const RunResult result = unwrap(run_interruptibly(stop, [&]() -> Result<RunResult> {
    HEADRACE_ASSIGN_OR_RETURN(const Recipe loaded, Recipe::load(recipe.string()));
    return run(loaded, options);
  }));
  nb::dict out;
  out["run"] = to_str(result.run);
  out["shards"] = to_str(result.shards);
  out["validation_shards"] = to_str(result.validation_shards);
  out["report"] = to_str(result.report);
  out["books"] = to_dict(result.books);
  out["plan"] = to_dict(result.plan);
  const std::optional<nb::dict> projection = to_dict(result.projection);
  out["projection"] = projection.has_value() ? nb::object(*projection) : nb::none();
  out["seconds"] = result.seconds;
  return out;
}

// Directory, shards and report of what Run::open finds.
nb::dict open_run(const Path& directory) {
  const Run opened = unwrap(Run::open(directory.string()));
  nb::dict out;
  out["run"] = to_str(opened.directory());
  out["shards"] = to_str(opened.shards());
  out["validation_shards"] = to_str(opened.validation_shards());
  out["report"] = to_str(opened.report());
  return out;
}

nb::dict read_books(const Path& directory) {
  return to_dict(unwrap(unwrap(Run::open(directory.string())).books()));
}

std::optional<nb::dict> read_projection(const Path& directory) {
  const std::optional<Projection> projection = unwrap([&] {
    const nb::gil_scoped_release released;
    return unwrap(Run::open(directory.string())).projection();
  }());
  return to_dict(projection);
}

nb::dict judge_again(const Path& directory, const std::optional<Path>& recipe,
                     std::size_t threads) {
  std::stop_source stop;
  JudgeOptions options{.threads = threads, .stop = stop.get_token()};
  const JudgeResult result = unwrap(run_interruptibly(stop, [&]() -> Result<JudgeResult> {
    if (recipe.has_value()) {
      HEADRACE_ASSIGN_OR_RETURN(options.recipe, Recipe::load(recipe->string()));
    }
    return judge_run(directory.string(), options);
  }));
  nb::dict out;
  out["documents"] = result.documents;
  out["before"] = result.before;
  out["after"] = result.after;
  out["newly_kept"] = result.newly_kept;
  out["newly_dropped"] = result.newly_dropped;
  out["newly_scored"] = result.newly_scored;
  out["newly_scanned"] = result.newly_scanned;
  out["dropped"] = counts(result.dropped);
  out["seconds"] = result.seconds;
  return out;
}

nb::object word_or_none(const std::string& word) {
  return word.empty() ? nb::none() : nb::object(to_str(word));
}

nb::dict to_dict(const Explanation::BrokenRule& rule) {
  nb::list words;
  for (const std::string& word : rule.words) words.append(to_str(word));
  nb::dict out;
  out["reason"] = to_str(rule.reason);
  out["measure"] = to_str(rule.measure);
  out["value"] = rule.value.has_value() ? nb::cast(*rule.value) : nb::none();
  out["bound"] = word_or_none(rule.bound);
  out["scope"] = word_or_none(rule.scope);
  out["place"] = to_str(rule.place);
  out["preset"] = word_or_none(rule.preset);
  out["words"] = words;
  return out;
}

nb::dict to_dict(const ScoreView& score) {
  nb::dict out;
  out["value"] = score.value.has_value() ? nb::cast(*score.value) : nb::none();
  out["label"] = word_or_none(score.label);
  return out;
}

nb::dict to_dict(const Explanation::Scored& scored) {
  const auto number = [](const std::optional<double>& value) {
    return value.has_value() ? nb::cast(*value) : nb::none();
  };
  nb::dict out = to_dict(scored.score);
  out["scored"] = scored.scored;
  out["min"] = number(scored.min);
  out["max"] = number(scored.max);
  nb::list keep;
  for (const std::string& label : scored.keep) keep.append(to_str(label));
  out["keep"] = keep;
  return out;
}

nb::dict to_dict(const Explanation::Leak& leak) {
  nb::dict out;
  out["set"] = to_str(leak.set);
  out["item"] = to_str(leak.item);
  out["verdict"] = to_str(leak.verdict);
  out["report_only"] = leak.report_only;
  out["view"] = to_str(leak.view);
  out["ratio"] = leak.ratio;
  out["mass"] = leak.mass;
  out["density"] = leak.density;
  out["question"] = leak.question;
  out["options"] = leak.options;
  out["answer"] = leak.answer;
  out["passage"] = leak.passage;
  out["begin"] = leak.begin;
  out["end"] = leak.end;
  out["excerpt"] = to_str(leak.excerpt);
  return out;
}

nb::dict to_dict(const Explanation::ValidationLeak& leak) {
  nb::dict out;
  out["id"] = to_str(leak.id);
  out["leak"] = leak.leak;
  out["share_validation"] = leak.share_validation;
  out["share_training"] = leak.share_training;
  out["mass"] = leak.mass;
  return out;
}

nb::dict to_dict(const Explanation::Removed& range) {
  nb::dict out;
  out["reason"] = to_str(range.reason);
  out["begin"] = range.begin;
  out["end"] = range.end;
  out["text"] = to_str(range.text);
  out["kept_id"] = word_or_none(range.kept_id);
  out["kept_begin"] = range.kept_id.empty() ? nb::none() : nb::cast(range.kept_begin);
  return out;
}

nb::dict explain_document(const Path& directory, const std::string& id) {
  const Explanation story = unwrap([&] {
    const nb::gil_scoped_release released;
    return explain(directory.string(), id);
  }());
  nb::list steps;
  for (const Explanation::StepChange& step : story.steps) {
    nb::dict row;
    row["step"] = to_str(step.step);
    row["changes"] = step.changes;
    row["before"] = to_str(step.before);
    row["after"] = to_str(step.after);
    steps.append(row);
  }
  nb::dict measures;
  for (const Explanation::Measured& measure : story.measures) {
    measures[to_str(measure.name)] =
        measure.value.has_value() ? nb::cast(*measure.value) : nb::none();
  }
  nb::list reasons;
  for (const std::string& reason : story.reasons) reasons.append(to_str(reason));
  nb::list broken;
  for (const Explanation::BrokenRule& rule : story.broken) broken.append(to_dict(rule));
  nb::list removed;
  for (const Explanation::Removed& range : story.removed) removed.append(to_dict(range));
  nb::list cluster;
  for (const std::string& member : story.cluster) cluster.append(to_str(member));
  nb::list near;
  for (const Explanation::NearMember& member : story.near) {
    nb::dict row;
    row["id"] = to_str(member.id);
    row["linked_to"] = to_str(member.linked_to);
    row["similarity"] = member.similarity;
    near.append(row);
  }
  nb::dict out;
  out["id"] = to_str(story.id);
  out["domain"] = to_str(story.domain);
  out["source"] = to_str(story.source);
  out["offset"] = story.offset;
  out["text"] = to_str(story.text);
  out["meta"] = to_str(story.meta);
  out["raw"] = to_str(story.raw);
  out["raw_missing"] = to_str(story.raw_missing);
  out["steps"] = steps;
  out["measures"] = measures;
  nb::dict scores;
  for (const Explanation::Scored& scored : story.scores) {
    scores[to_str(scored.score.name)] = to_dict(scored);
  }
  out["scores"] = scores;
  out["verdict"] = to_str(story.verdict);
  out["reasons"] = reasons;
  out["broken"] = broken;
  nb::list leaks;
  for (const Explanation::Leak& leak : story.leaks) leaks.append(to_dict(leak));
  nb::list validation_leaks;
  for (const Explanation::ValidationLeak& leak : story.validation_leaks) {
    validation_leaks.append(to_dict(leak));
  }
  out["leaks"] = story.leak_checked || !story.leaks.empty() ? nb::object(leaks) : nb::none();
  out["split"] = word_or_none(story.split);
  out["validation_leaks"] = validation_leaks;
  out["removed"] = removed;
  out["text_left"] = story.removed.empty() ? nb::none() : nb::object(to_str(story.text_left));
  out["cluster"] = cluster;
  out["near"] = near;
  out["earlier"] = story.earlier.empty() ? nb::none() : nb::object(to_str(story.earlier));
  out["tokens"] = story.tokens.has_value() ? nb::cast(*story.tokens) : nb::none();
  return out;
}

nb::dict to_dict(const RecordView& record) {
  nb::dict out;
  out["id"] = to_str(record.id);
  out["domain"] = to_str(record.domain);
  out["source"] = to_str(record.source);
  out["text"] = to_str(record.text);
  out["meta"] = to_str(record.meta);
  out["reason"] = to_str(record.reason);
  out["value"] = to_str(record.value);
  out["detail"] = to_str(record.detail);
  out["split"] = word_or_none(record.split);
  out["line"] = record.line;
  out["offset"] = record.offset;
  nb::dict scores;
  for (const ScoreView& score : record.scores) scores[to_str(score.name)] = to_dict(score);
  out["scores"] = scores;
  return out;
}

// cat() pushes, Python pulls: a thread reads ahead into a queue of bounded bytes. One consumer.
class RecordStream {
 public:
  RecordStream(std::string directory, CatOptions options)
      : reader_([this, directory = std::move(directory),
                 options = std::move(options)](const std::stop_token& stop) {
          auto result =
              cat(directory, options, [&](const RecordView& record) { return push(record, stop); });
          const std::lock_guard lock(mutex_);
          if (!result.has_value()) error_ = std::move(result).error();
          ended_ = true;
          changed_.notify_all();
        }) {}

  // The next record; raises StopIteration after the last, the error where cat() met one.
  nb::dict next() {
    std::optional<RecordView> record;
    while (!take(record)) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    if (!record.has_value()) throw nb::stop_iteration();
    return to_dict(*record);
  }

 private:
  static constexpr std::size_t kReadAheadBytes = 8 << 20;

  static std::size_t size_of(const RecordView& record) {
    return sizeof(record) + record.text.size() + record.meta.size();
  }

  bool push(const RecordView& record, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const bool room =
        changed_.wait(lock, stop, [&] { return records_.empty() || held_ < kReadAheadBytes; });
    if (!room) return false;
    held_ += size_of(record);
    records_.push_back(record);
    changed_.notify_all();
    return true;
  }

  // False when nothing came within kSignalCheck. True without a record: the end.
  bool take(std::optional<RecordView>& record) {
    const nb::gil_scoped_release released;
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kSignalCheck, [&] { return !records_.empty() || ended_; })) {
      return false;
    }
    if (!records_.empty()) {
      record = std::move(records_.front());
      records_.pop_front();
      held_ -= size_of(*record);
      changed_.notify_all();
    } else if (error_.has_value()) {
      throw StatusError(*error_);
    }
    return true;
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<RecordView> records_;
  std::size_t held_ = 0;
  bool ended_ = false;
  std::optional<Status> error_;
  std::jthread reader_;  // last: ends before what it uses
};

// `what`: "kept", "dropped" or "quarantined"; run.py passes no other word.
CatOptions cat_options(const std::string& what, std::string reason,
                       std::optional<std::uint64_t> limit) {
  CatOptions options{.what = CatOptions::What::kKept, .reason = std::move(reason), .limit = limit};
  if (what == "dropped") options.what = CatOptions::What::kDropped;
  if (what == "quarantined") options.what = CatOptions::What::kQuarantined;
  return options;
}

}  // namespace

void bind_run(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("run", &run_recipe, "recipe"_a, "output"_a, "sample"_a.none(), "replace"_a,
             "threads"_a, "dry_run"_a, "show_progress"_a);
  module.def("open_run", &open_run, "directory"_a);
  module.def("books", &read_books, "directory"_a);
  module.def("projection", &read_projection, "directory"_a);
  module.def("judge_run", &judge_again, "directory"_a, "recipe"_a.none(), "threads"_a);
  module.def("explain", &explain_document, "directory"_a, "id"_a);
  nb::class_<RecordStream>(module, "RecordStream")
      .def(
          "__init__",
          [](RecordStream* self, const Path& directory, const std::string& what, std::string reason,
             std::optional<std::uint64_t> limit) {
            new (self)
                RecordStream(directory.string(), cat_options(what, std::move(reason), limit));
          },
          "directory"_a, "what"_a, "reason"_a, "limit"_a.none())
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &RecordStream::next);
}

}  // namespace headrace::python
