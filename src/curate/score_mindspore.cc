// SPDX-License-Identifier: Apache-2.0
// Scores by a Python worker that runs a MindSpore model: one process for all parts, since it alone
// knows how to keep its device busy. It is told the rows by files and answers by files
// (docs/formats/scores.md), so what it finished before it was killed is not asked for again.
#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/log.h"
#include "base/subprocess.h"
#include "curate/context.h"
#include "curate/given_ids.h"
#include "curate/measure_columns.h"
#include "curate/score_source.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

// Options that are flags of the worker.
constexpr std::pair<const char*, const char*> kFlags[] = {{"model", "--model"},
                                                          {"tokenizer", "--tokenizer"},
                                                          {"max_length", "--max-length"},
                                                          {"batch", "--batch"}};

Result<std::string> find_python(const OptionValues& options) {
  const auto own = options.find("python");
  const char* const environment = std::getenv("HEADRACE_PYTHON");
  const std::string name = own != options.end()     ? own->second
                           : environment != nullptr ? environment
                                                    : "python3";
  auto found = find_program(name);
  if (!found)
    return found.error().with_context(
        "set 'python', or HEADRACE_PYTHON, to the interpreter that "
        "has headrace and MindSpore");
  return found;
}

class MindSporeSource final : public ScoreSource {
 public:
  static Result<std::unique_ptr<ScoreSource>> open(const ScoreSpec& spec) {
    auto source = std::make_unique<MindSporeSource>();
    source->spec_ = spec;
    HEADRACE_ASSIGN_OR_RETURN(source->python_, find_python(spec.options));
    Fingerprint print;
    print.add(kMindSporeKind);
    for (const auto& [option, flag] : kFlags) {
      const auto value = spec.options.find(option);
      if (value == spec.options.end()) continue;
      print.add(option);
      const bool is_file =
          std::string_view(option) == "model" || std::string_view(option) == "tokenizer";
      if (is_file) {
        HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(value->second));
        print.add(to_hex(hash));
      } else {
        print.add(value->second);
      }
    }
    source->fingerprint_ = print.hex();
    return std::unique_ptr<ScoreSource>(std::move(source));
  }

  const std::string& fingerprint() const override { return fingerprint_; }

  Result<void> prepare(Context& context, const std::vector<RowsToScore>& wanted) override {
    HEADRACE_RETURN_IF_ERROR(write_wanted(context, wanted));
    std::vector<std::string> arguments = {python_,  "-m",      "headrace.mindspore",
                                          "score",  "--run",   context.directory.root(),
                                          "--name", spec_.name};
    for (const auto& [option, flag] : kFlags) {
      const auto value = spec_.options.find(option);
      if (value == spec_.options.end()) continue;
      arguments.emplace_back(flag);
      arguments.push_back(value->second);
    }
    log_info("score '{}': {}", spec_.name, fmt::join(arguments, " "));
    HEADRACE_ASSIGN_OR_RETURN(const ProgramEnd end,
                              run_program(arguments, context.stop, [this](std::string_view line) {
                                log_info("score '{}': {}", spec_.name, line);
                              }));
    if (context.stop.stop_requested()) return cancelled("stopped while scoring '{}'", spec_.name);
    if (end.exit_code == 0) return {};
    return unavailable("score '{}': the worker ({} -m headrace.mindspore) ended with code {}: {}",
                       spec_.name, python_, end.exit_code,
                       end.last_line.empty() ? "it said nothing" : end.last_line);
  }

  Result<void> score(const Context& context, const RowsToScore& wanted,
                     ScoredPart* scores) override {
    const std::string path = fresh_file(context, wanted.part);
    if (const auto taken = take_answer(path, wanted, scores); !taken) {
      // The next start asks again: the worker would take this file for a finished part.
      HEADRACE_RETURN_IF_ERROR(io::remove_all(path));
      return taken.error().with_context(
          fmt::format("the answer of the worker of '{}'", spec_.name));
    }
    return {};
  }

  Result<void> finish(const Context& context) override {
    for (const char* folder : {"wanted", "fresh"})
      HEADRACE_RETURN_IF_ERROR(io::remove_all(folder_of(context, folder)));
    return {};
  }

 private:
  static Result<void> take_answer(const std::string& path, const RowsToScore& wanted,
                                  ScoredPart* scores) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> ids, read_given_ids(*reader, path));
    std::vector<double> values;
    std::vector<std::string> labels;
    HEADRACE_RETURN_IF_ERROR(reader->read_double("value", &values));
    for (int group = 0; group < reader->row_groups(); ++group)
      HEADRACE_RETURN_IF_ERROR(reader->read_strings("label", group, &labels));
    std::size_t next = 0;
    for (std::size_t row = 0; row < wanted.rows.size(); ++row) {
      if (!wanted.rows[row]) continue;
      if (next == ids.size() || ids[next] != scores->ids[row]) {
        return corrupt("{}: row {} is not of the document {} that was asked for", path, next,
                       scores->ids[row]);
      }
      scores->set(row, values[next], labels[next]);
      ++next;
    }
    if (next == ids.size()) return {};
    return corrupt("{}: {} rows, where {} were asked for", path, ids.size(), next);
  }

  std::string folder_of(const Context& context, std::string_view name) const {
    return context.directory.at(fmt::format("{}/{}", scores_folder(spec_.name), name));
  }
  static std::string part_name(std::size_t part) { return fmt::format("part-{:05}.parquet", part); }
  std::string file_of(const Context& context, std::string_view name, std::size_t part) const {
    return io::join(folder_of(context, name), part_name(part));
  }
  std::string fresh_file(const Context& context, std::size_t part) const {
    return file_of(context, "fresh", part);
  }

  // What an earlier start was asked for stays, with its answer, only where it is the same question:
  // the same rows, the same model.
  Result<void> write_wanted(const Context& context, const std::vector<RowsToScore>& wanted) const {
    HEADRACE_RETURN_IF_ERROR(io::make_directories(folder_of(context, "wanted")));
    HEADRACE_RETURN_IF_ERROR(io::make_directories(folder_of(context, "fresh")));
    HEADRACE_ASSIGN_OR_RETURN(const auto files, io::glob(folder_of(context, "wanted")));
    for (const std::string& file : files) {
      const bool again = std::any_of(wanted.begin(), wanted.end(), [&](const RowsToScore& rows) {
        return file.ends_with("/" + part_name(rows.part));
      });
      if (!again) HEADRACE_RETURN_IF_ERROR(io::remove_all(file));
    }
    for (const RowsToScore& rows : wanted) HEADRACE_RETURN_IF_ERROR(write_wanted(context, rows));
    return {};
  }

  Result<void> write_wanted(const Context& context, const RowsToScore& wanted) const {
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows,
                              MeasuredPart::load(context, wanted.part, {}));
    const std::string path = file_of(context, "wanted", wanted.part);
    io::AtomicPath file(path);
    HEADRACE_ASSIGN_OR_RETURN(auto writer,
                              ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64}},
                                                    {{"scorer", fingerprint_}}));
    for (std::size_t row = 0; row < wanted.rows.size(); ++row) {
      if (!wanted.rows[row]) continue;
      writer->append_uint64(0, rows.ids[row]);
      HEADRACE_RETURN_IF_ERROR(writer->end_row());
    }
    HEADRACE_RETURN_IF_ERROR(writer->close());
    if (io::exists(path)) {
      HEADRACE_ASSIGN_OR_RETURN(const Hash128 before, io::hash_file(path));
      HEADRACE_ASSIGN_OR_RETURN(const Hash128 now, io::hash_file(file.temporary()));
      if (to_hex(before) == to_hex(now)) return {};
    }
    HEADRACE_RETURN_IF_ERROR(io::remove_all(fresh_file(context, wanted.part)));
    return file.commit();
  }

  ScoreSpec spec_;
  std::string python_;
  std::string fingerprint_;
};

}  // namespace

Result<std::unique_ptr<ScoreSource>> open_mindspore_source(const ScoreSpec& spec) {
  return MindSporeSource::open(spec);
}

}  // namespace headrace::curate
