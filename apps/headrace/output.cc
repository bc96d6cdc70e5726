// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

// A recipe may have many faults; no message of one fault comes near.
constexpr std::size_t kLongestMessage = 64 << 10;

int exit_code(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kUnsupported:
      return kWrongUsage;
    case Code::kCancelled:
      return kInterrupted;
    case Code::kInternal:
      return kInternal;
    default:
      return kNotUsable;
  }
}

Json to_json(const StageBooks& stage) {
  return {{"stage", stage.stage},
          {"in", stage.in},
          {"out", stage.out},
          {"dropped", stage.dropped},
          {"quarantined", stage.quarantined}};
}

Json to_json(const std::vector<StageBooks>& stages) {
  Json json = Json::array();
  for (const StageBooks& stage : stages) json.push_back(to_json(stage));
  return json;
}

std::uint64_t total(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

std::uint64_t lost(const StageBooks& stage) { return total(stage.dropped) + stage.quarantined; }

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  // What is left of a loss that rounds to nothing must not read as none.
  return part > 0 && share < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", share);
}

// At least `least`; names in a column may be longer.
std::size_t column_width(std::size_t least, const std::vector<std::string>& names) {
  for (const std::string& name : names) least = std::max(least, name.size());
  return least;
}

std::string stage_table(const std::vector<StageBooks>& stages) {
  std::vector<std::string> names;
  for (const StageBooks& stage : stages) names.push_back(stage.stage);
  const std::size_t width = column_width(12, names);
  std::string text = fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13}\n", "stage", width, "in",
                                 "out", "dropped", "quarantined");
  for (const StageBooks& stage : stages) {
    text += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13}\n", stage.stage, width,
                        with_commas(stage.in), with_commas(stage.out),
                        with_commas(total(stage.dropped)), with_commas(stage.quarantined));
  }
  return text;
}

// What each stage took from each domain; a stage that took nothing has no column.
std::string domain_table(const Books& books) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < books.stages.size(); ++i) {
    if (lost(books.stages[i]) > 0) columns.push_back(i);
  }
  std::vector<std::string> names;
  for (const auto& [domain, stages] : books.domains) names.push_back(domain);
  const std::size_t width = column_width(20, names);
  std::string text = fmt::format("  {:<{}} {:>13}", "domain", width, "in");
  for (const std::size_t column : columns)
    text += fmt::format(" {:>12}", "- " + books.stages[column].stage);
  text += fmt::format(" {:>13}\n", "= kept");
  for (const auto& [domain, stages] : books.domains) {
    if (stages.empty()) continue;
    text += fmt::format("  {:<{}} {:>13}", domain, width, with_commas(stages.front().in));
    for (const std::size_t column : columns)
      text += fmt::format(" {:>12}", with_commas(lost(stages[column])));
    text += fmt::format(" {:>13} {:>8}\n", with_commas(stages.back().out),
                        percent(stages.back().out, stages.front().in));
  }
  return text;
}

std::string reason_table(const Books& books) {
  std::vector<std::string> names;
  for (const auto& [reason, count] : books.dropped) names.push_back(reason);
  const std::size_t width = column_width(40, names);
  std::string text = fmt::format("  {:<{}} {:>13}\n", "dropped because", width, "documents");
  std::vector<std::pair<std::string, std::uint64_t>> reasons(books.dropped.begin(),
                                                             books.dropped.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [reason, count] : reasons) {
    text += fmt::format("  {:<{}} {:>13} {:>8}\n", reason, width, with_commas(count),
                        percent(count, books.in));
  }
  return text;
}

// Where the first of each stands: a look at it tells more than its name.
std::string quarantine_table(const Books& books) {
  std::string text = fmt::format("  {:<40} {:>13}   the first\n", "quarantined because", "records");
  std::vector<std::pair<std::string, QuarantineReason>> reasons(books.quarantine.begin(),
                                                                books.quarantine.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) {
    return a.second.records > b.second.records;
  });
  for (const auto& [reason, found] : reasons) {
    text += fmt::format("  {:<40} {:>13}   {} at byte {}\n", reason, with_commas(found.records),
                        found.source, with_commas(found.offset));
  }
  text += fmt::format(
      "  'headrace inspect {}' says what such a file is, 'headrace cat RUN --quarantined' shows "
      "the\n"
      "  records; what each reason means: docs/reference/reasons.md\n",
      reasons.front().second.source);
  return text;
}

std::string removed_table(const Books& books) {
  std::string text =
      fmt::format("  {:<40} {:>13} {:>13}\n", "removed from texts", "ranges", "bytes");
  for (const RemovedBooks& removed : books.removed) {
    text += fmt::format("  {:<40} {:>13} {:>13}\n", removed.reason, with_commas(removed.ranges),
                        with_commas(removed.bytes));
  }
  return text + fmt::format("  {} documents are kept without a part of their text\n",
                            with_commas(books.documents_cut));
}

std::string score_table(const std::vector<ScoreBooks>& scores) {
  std::vector<std::string> names;
  for (const ScoreBooks& score : scores) names.push_back(score.name);
  const std::size_t width = column_width(24, names);
  std::string text =
      fmt::format("  {:<{}} {:<12} {:>13} {:>13}\n", "score", width, "kind", "scored", "no value");
  for (const ScoreBooks& score : scores) {
    text += fmt::format("  {:<{}} {:<12} {:>13} {:>13} {:>8}\n", score.name, width, score.kind,
                        with_commas(score.scored), with_commas(score.invalid),
                        percent(score.invalid, score.scored));
    if (score.unknown_ids > 0) {
      text += fmt::format("  {:<{}} {} ids of its files are of no document of this run\n", "",
                          width, with_commas(score.unknown_ids));
    }
  }
  return text;
}

// "Nothing found" says nothing unless it stands beside what was looked for, and in what.
std::string leak_table(const LeakBooks& leak) {
  std::string text = fmt::format(
      "  leaks        {} items looked for in {} documents: {} documents hold one; verdict {}\n",
      with_commas(leak.items), with_commas(leak.documents), with_commas(leak.found), leak.verdict);
  text += fmt::format("  {:<24} {:>10} {:>13} {:>13} {:>13}\n", "set", "items", "documents",
                      "hits: drop", "hits: flag");
  for (const LeakBooks::Set& set : leak.sets) {
    text += fmt::format("  {:<24} {:>10} {:>13} {:>13} {:>13}{}\n", set.name,
                        with_commas(set.items), with_commas(set.documents), with_commas(set.drop),
                        with_commas(set.flag), set.report_only ? "  report only" : "");
  }
  text += fmt::format(
      "  of the items {} have no seed and are never found, {} are too short to be told alone, {} "
      "have\n  the words of another; {} documents told which phrases are common; {} places looked "
      "at\n  twice, {} of {} groups compared with their item\n",
      with_commas(leak.without_seeds), with_commas(leak.not_checkable), with_commas(leak.folded),
      with_commas(leak.reference_documents), with_commas(leak.seed_bits),
      with_commas(leak.verified), with_commas(leak.groups));
  return text;
}

std::string validation_table(const ValidationBooks& validation) {
  std::string text =
      fmt::format("  validation   {} documents are held out\n", with_commas(validation.documents));
  if (!validation.checks_leaks) {
    return text + "  nobody looked for their text in the others (mix.validation.leaks: ignore)\n";
  }
  return text + fmt::format(
                    "  {} training documents looked through for their text: {} hold it ({}), {} "
                    "hold a\n  little; {} documents of the validation side are too short to be "
                    "found in others\n",
                    with_commas(validation.checked), with_commas(validation.leaks),
                    validation.drops_leaks ? "dropped" : "only counted",
                    with_commas(validation.flagged), with_commas(validation.without_fingerprints));
}

bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x61C ||
         (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
         (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

void add_common(CLI::App* command, Common* common) {
  command->add_flag("--json", common->json, "one JSON document on stdout, for programs");
  command->add_flag("-q,--quiet", common->quiet, "no progress, errors only");
  command->add_flag("-v,--verbose", common->verbose, "say more on stderr");
  command
      ->add_option("--threads", common->threads,
                   "0 = all CPUs; changes the speed, never the result")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""));
}

// Names of files may hold anything; a terminal must not act on it.
std::string for_terminal(std::string_view text) {
  std::string shown;
  bool behind_c2 = false;  // C2 80 to C2 9F are control characters, too
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_c1 = behind_c2 && byte >= 0x80 && byte < 0xA0;
    if (is_c1 || (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
      shown += fmt::format("\\x{:02X}", byte);
    } else {
      shown += c;
    }
    behind_c2 = byte == 0xC2;
  }
  return shown;
}

std::string visible(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (is_invisible(c)) {
      line += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c));
    } else {
      line += text.substr(i, length);
    }
    i += length;
  }
  return line;
}

int fail(const Status& status) {
  std::string message = status.message();
  if (message.size() > kLongestMessage) {
    message.resize(kLongestMessage);
    message += fmt::format("... ({} bytes)", status.message().size());
  }
  fmt::print(stderr, "headrace: {}\n", for_terminal(message));
  return exit_code(status.code());
}

namespace {

void end_without_stdout() {
  if (errno == EPIPE) std::_Exit(kDone);
  fmt::print(stderr, "headrace: writing to stdout: {}\n", std::strerror(errno));
  std::_Exit(kNotUsable);
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) end_without_stdout();
}

void print_text(std::string_view text) { print(for_terminal(text)); }

void flush() {
  if (std::fflush(stdout) != 0) end_without_stdout();
}

void print_json(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<double> parse_share(std::string_view text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return percent ? value / 100 : value;
}

Status bad_sample(std::string_view text) {
  return Status(Code::kInvalidArgument,
                fmt::format("--sample takes a share such as 1% or 0.01, not '{}'", text));
}

std::string with_commas(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

Json to_json(const std::optional<Unfinished>& unfinished) {
  if (!unfinished) return nullptr;
  return {{"stage", unfinished->stage},
          {"tasks", unfinished->tasks == 0 ? Json(nullptr) : Json(unfinished->tasks)},
          {"tasks_done", unfinished->tasks_done}};
}

std::string to_text(const Unfinished& unfinished) {
  const std::string how_far =
      unfinished.tasks == 0
          ? fmt::format("stage {} has not begun", unfinished.stage)
          : fmt::format("{} of {} tasks of stage {} committed", with_commas(unfinished.tasks_done),
                        with_commas(unfinished.tasks), unfinished.stage);
  return fmt::format("unfinished: {}; run again to go on", how_far);
}

Json score_json(const ScoreView& score) {
  Json json = {{"value", score.value ? Json(*score.value) : Json(nullptr)}};
  if (!score.label.empty()) json["label"] = score.label;
  return json;
}

Json to_json(const LeakBooks& leak) {
  Json json = {{"verdict", leak.verdict},
               {"items", leak.items},
               {"folded", leak.folded},
               {"without_seeds", leak.without_seeds},
               {"not_checkable", leak.not_checkable},
               {"reference_documents", leak.reference_documents},
               {"documents", leak.documents},
               {"found", leak.found},
               {"seed_bits", leak.seed_bits},
               {"groups", leak.groups},
               {"verified", leak.verified},
               {"sets", Json::array()}};
  for (const LeakBooks::Set& set : leak.sets) {
    json["sets"].push_back({{"set", set.name},
                            {"items", set.items},
                            {"documents", set.documents},
                            {"drop", set.drop},
                            {"flag", set.flag},
                            {"report_only", set.report_only}});
  }
  return json;
}

Json to_json(const ValidationBooks& validation) {
  return {{"documents", validation.documents},
          {"checked", validation.checks_leaks ? Json(validation.checked) : Json(nullptr)},
          {"leaks", validation.leaks},
          {"flagged", validation.flagged},
          {"without_fingerprints", validation.without_fingerprints},
          {"drops", validation.drops_leaks}};
}

Json to_json(const Books& books) {
  Json json = {{"in", books.in},
               {"kept", books.kept},
               {"dropped", books.dropped},
               {"quarantined", books.quarantined},
               {"quarantine", Json::object()},
               {"balanced", books.balanced},
               {"finished", !books.unfinished},
               {"unfinished", to_json(books.unfinished)},
               {"stages", to_json(books.stages)},
               {"domains", Json::object()},
               {"sources", Json::object()},
               {"scores", Json::array()},
               {"notes", Json::array()}};
  for (const auto& [reason, found] : books.quarantine) {
    json["quarantine"][reason] = {
        {"records", found.records}, {"source", found.source}, {"offset", found.offset}};
  }
  for (const auto& [domain, stages] : books.domains) json["domains"][domain] = to_json(stages);
  for (const auto& [source, stages] : books.sources) json["sources"][source] = to_json(stages);
  for (const ScoreBooks& score : books.scores) {
    json["scores"].push_back({{"name", score.name},
                              {"kind", score.kind},
                              {"scored", score.scored},
                              {"invalid", score.invalid},
                              {"unknown_ids", score.unknown_ids}});
  }
  if (books.leak) json["leak"] = to_json(*books.leak);
  if (books.validation) json["validation"] = to_json(*books.validation);
  json["removed"] = Json::array();
  for (const RemovedBooks& removed : books.removed) {
    json["removed"].push_back(
        {{"reason", removed.reason}, {"ranges", removed.ranges}, {"bytes", removed.bytes}});
  }
  json["documents_cut"] = books.documents_cut;
  json["bytes_removed"] = books.bytes_removed;
  for (const auto& [source, note] : books.notes)
    json["notes"].push_back({{"source", source}, {"note", note}});
  return json;
}

std::string to_text(const Books& books) {
  const std::string balance = !books.balanced    ? "DOES NOT BALANCE"
                              : books.unfinished ? "so far"
                                                 : "the books balance";
  std::string text =
      fmt::format("{} in = {} kept + {} dropped + {} quarantined   {}\n\n", with_commas(books.in),
                  with_commas(books.kept), with_commas(total(books.dropped)),
                  with_commas(books.quarantined), balance);
  if (books.unfinished) text.insert(0, to_text(*books.unfinished) + "\n");
  text += stage_table(books.stages);
  if (!books.domains.empty()) text += "\n" + domain_table(books);
  if (!books.scores.empty()) text += "\n" + score_table(books.scores);
  if (books.leak) text += "\n" + leak_table(*books.leak);
  if (books.validation) text += "\n" + validation_table(*books.validation);
  if (!books.removed.empty()) text += "\n" + removed_table(books);
  if (!books.dropped.empty()) text += "\n" + reason_table(books);
  if (!books.quarantine.empty()) text += "\n" + quarantine_table(books);
  if (!books.notes.empty()) text += "\n  notes on files\n";
  for (const auto& [source, note] : books.notes) text += fmt::format("  {}: {}\n", source, note);
  return text;
}

}  // namespace headrace::app
