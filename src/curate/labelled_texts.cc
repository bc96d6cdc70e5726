// SPDX-License-Identifier: Apache-2.0
// Labels come as fields beside a text, or as decisions of the audit page. A record with both an
// `id` and a `decision` is a decision, and the last one on a document counts: two files of one run
// may hold decisions on the same document, so `source` (or else the file) belongs to its name.
//
// Everything is held in memory: people label thousands, not millions, and training passes over the
// texts again and again.
#include "curate/labelled_texts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/quote.h"
#include "base/thread_pool.h"
#include "curate/file_inputs.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::json;

struct Found {
  LabelledRow row;
  bool labelled = false;
  bool has_field = false;   // even if null
  std::string decision_on;  // the document, where the record is a decision; else ""
};

// "1" for 1, 1.0 and true, since one column may hold what another tool wrote as another type.
std::string label_text(const Json& label) {
  if (label.is_string()) return label.get<std::string>();
  if (label.is_boolean()) return label.get<bool>() ? "1" : "0";
  if (label.is_number_float()) {
    const double value = label.get<double>();
    if (value == std::floor(value) && std::fabs(value) < 1e15)
      return fmt::format("{}", static_cast<std::int64_t>(value));
  }
  return label.dump();
}

constexpr const char* kId = "id";

std::string text_of(const Json& meta, const char* key) {
  const auto at = meta.find(key);
  if (at == meta.end()) return "";
  return at->is_string() ? at->get<std::string>() : at->is_number_unsigned() ? at->dump() : "";
}

class LabelSink final : public read::RecordSink {
 public:
  // `text`: the field that the reader takes for the text.
  LabelSink(const std::string& label, const std::string& text, Join join, std::vector<Found>* found)
      : label_(label), id_is_text_(text == kId), join_(join), found_(*found) {}

  Result<void> document(Document& document) override {
    const Json meta = Json::parse(document.meta.empty() ? "{}" : document.meta, nullptr, false);
    Found found;
    const std::string id = id_is_text_ ? document.text : text_of(meta, kId);
    if (join_ == Join::kTexts) {
      found.row.text = document.text;
    } else {
      found.row.id = id;
    }
    if (const auto label = meta.find(label_); label != meta.end()) {
      found.has_field = true;
      found.labelled = !label->is_null() && !label->is_structured() && *label != "";
      if (found.labelled) found.row.label = label_text(*label);
    }
    if (meta.contains("decision") && !id.empty()) {
      const std::string source = text_of(meta, "source");
      found.decision_on =
          fmt::format("{} {}", id, source.empty() ? std::to_string(document.id.file()) : source);
    }
    found_.push_back(std::move(found));
    return {};
  }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_count;
    return {};
  }

  std::uint64_t rejected_count = 0;

 private:
  const std::string& label_;
  bool id_is_text_;
  Join join_;
  std::vector<Found>& found_;
};

// Later decisions on a document leave the earlier ones out.
void keep_last_decisions(std::vector<Found>* found, LabelledCounts* counts) {
  std::set<std::string> seen;
  std::vector<Found> kept;
  for (auto at = found->rbegin(); at != found->rend(); ++at) {
    if (!at->decision_on.empty() && !seen.insert(at->decision_on).second) {
      ++counts->replaced;
      continue;
    }
    kept.push_back(std::move(*at));
  }
  std::reverse(kept.begin(), kept.end());
  *found = std::move(kept);
}

class FieldSink final : public read::RecordSink {
 public:
  Result<void> document(Document& document) override {
    const Json meta = Json::parse(document.meta.empty() ? "{}" : document.meta, nullptr, false);
    if (meta.is_object()) {
      for (const auto& field : meta.items()) fields.push_back(field.key());
    }
    return cancelled("seen enough");
  }
  Result<void> rejected(const RejectedRecord&) override { return {}; }
  std::vector<std::string> fields;
};

// Only on the way to an error, so reading once more is cheap enough.
Status no_label_field(const LabelledData& data, const std::string& text) {
  FieldSink sink;
  auto opened = open_files({.paths = data.files, .text = text, .keep = std::nullopt});
  if (!opened) return opened.error();
  const auto& split = (*opened)->tasks.front().splits.front();
  (void)(*opened)->readers->of(split.file).read(split, sink, {});
  return invalid_argument(
      "no record of {} has the label field '{}'; beside '{}' there {}: say "
      "which one by --label",
      excerpts(data.files), data.label, text,
      sink.fields.empty() ? "is no field" : "are " + excerpts(sink.fields));
}

// The text of each row, from the run; rows of other documents go.
Result<void> fetch_texts(const std::string& run, LabelledRows* labelled) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, open_context(run));
  if (!context->finished.contains(kDocuments)) {
    return invalid_argument(
        "{} has no texts yet: let 'headrace run' finish its document pass first", run);
  }
  std::map<std::uint64_t, std::vector<std::size_t>> wanted_ids;
  for (std::size_t i = 0; i < labelled->rows.size(); ++i) {
    DocumentId id;
    if (parse_document_id(labelled->rows[i].id, &id)) wanted_ids[id.value].push_back(i);
  }
  std::vector<bool> has_text(labelled->rows.size());
  for (std::size_t part = 0; part < part_count(*context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(*context, part, {}));
    std::vector<bool> wanted(rows.ids.size());
    for (std::size_t row = 0; row < wanted.size(); ++row)
      wanted[row] = wanted_ids.contains(rows.ids[row]);
    HEADRACE_RETURN_IF_ERROR(
        for_each_text(*context, part, wanted, [&](std::size_t row, const RowText& text) {
          for (const std::size_t i : wanted_ids[rows.ids[row]]) {
            labelled->rows[i].text = text.text;
            has_text[i] = true;
          }
          return true;
        }));
  }
  std::vector<LabelledRow> kept;
  for (std::size_t i = 0; i < has_text.size(); ++i) {
    if (has_text[i]) kept.push_back(std::move(labelled->rows[i]));
  }
  labelled->counts.unmatched = labelled->rows.size() - kept.size();
  labelled->rows = std::move(kept);
  if (labelled->rows.empty()) {
    return invalid_argument(
        "none of the {} labelled documents is in the run {}: are these labels "
        "of another run?",
        labelled->counts.unmatched, run);
  }
  return {};
}

Result<std::vector<Found>> read_all(const LabelledData& data, const std::string& text, Join join,
                                    std::size_t threads, std::stop_token stop,
                                    LabelledRows* labelled) {
  const std::set<std::string> keep = {data.label, kId, "decision", "source"};
  std::vector<std::string> kept;
  for (const std::string& field : keep) {
    if (field != text) kept.push_back(field);
  }
  HEADRACE_ASSIGN_OR_RETURN(
      const auto context,
      open_files(
          {.paths = data.files, .text = text, .keep = kept, .threads = threads, .stop = stop}));
  for (const InputFile& file : context->files) labelled->files.push_back(file.path);
  std::vector<std::vector<Found>> parts(context->tasks.size());
  std::vector<std::uint64_t> rejected(context->tasks.size());
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts.size(), context->threads, stop, [&](std::size_t task) -> Result<void> {
        LabelSink sink(data.label, text, join, &parts[task]);
        for (const read::Split& split : context->tasks[task].splits)
          HEADRACE_RETURN_IF_ERROR(context->readers->of(split.file).read(split, sink, stop));
        rejected[task] = sink.rejected_count;
        return {};
      }));
  std::vector<Found> all;
  for (std::size_t task = 0; task < parts.size(); ++task) {
    labelled->counts.rejected += rejected[task];
    std::move(parts[task].begin(), parts[task].end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

Result<LabelledRows> read_labelled(const LabelledData& data, Join join, std::size_t threads,
                                   std::stop_token stop) {
  if (data.files.empty()) return invalid_argument("labelled data is needed: --data FILE");
  const bool by_id = join == Join::kIds || !data.run.empty();
  std::string text = by_id ? kId : data.text;
  if (data.label == text) return invalid_argument("the label field is the text field, '{}'", text);
  LabelledRows labelled;
  const Join wanted = by_id ? Join::kIds : Join::kTexts;
  auto read = read_all(data, text, wanted, threads, stop, &labelled);
  const bool found_none = read ? read->empty() : read.error().code() == Code::kInvalidArgument;
  if (by_id && found_none) {
    // Ids that are numbers are no text to a reader; then there may be one beside them.
    LabelledRows beside;
    auto again = read_all(data, data.text, wanted, threads, stop, &beside);
    if (again && !again->empty()) {
      read = std::move(again);
      labelled = std::move(beside);
      text = data.text;
    }
  }
  if (!read) return read.error();
  std::vector<Found>& found = *read;
  if (found.empty()) return invalid_argument("{}: no document in it", excerpts(data.files));
  if (std::none_of(found.begin(), found.end(), [](const Found& one) { return one.has_field; }))
    return no_label_field(data, text);
  keep_last_decisions(&found, &labelled.counts);
  for (Found& one : found) {
    if (one.labelled) {
      labelled.rows.push_back(std::move(one.row));
    } else {
      ++labelled.counts.unlabelled;
    }
  }
  if (labelled.rows.empty()) {
    return invalid_argument("{}: {} documents, and the label '{}' of each is null",
                            excerpts(data.files), found.size(), data.label);
  }
  if (!data.run.empty() && join == Join::kTexts)
    HEADRACE_RETURN_IF_ERROR(fetch_texts(data.run, &labelled));
  labelled.counts.documents = labelled.rows.size();
  for (const LabelledRow& row : labelled.rows) ++labelled.counts.by_label[row.label];
  return labelled;
}

Result<std::string> choose_positive(const LabelledCounts& counts, const std::string& wanted) {
  std::vector<std::string> labels;
  for (const auto& [label, documents] : counts.by_label)
    labels.push_back(fmt::format("{} ({} documents)", excerpt(label, 40), documents));
  const std::string are = excerpts(labels);
  if (counts.by_label.size() < 2) {
    return invalid_argument("all documents have one label, {}: documents of two kinds are needed",
                            are);
  }
  if (!wanted.empty()) {
    if (counts.by_label.contains(wanted)) return wanted;
    return invalid_argument("no document has the positive label '{}'; labels are {}", wanted, are);
  }
  const bool zero_and_one =
      counts.by_label.size() == 2 && counts.by_label.contains("0") && counts.by_label.contains("1");
  if (zero_and_one) return "1";
  return invalid_argument("which label is the positive one? Say it by --positive; labels are {}",
                          are);
}

std::unique_ptr<bool[]> positives_of(const std::vector<LabelledRow>& rows,
                                     const std::string& positive) {
  auto made = std::make_unique<bool[]>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) made[i] = rows[i].label == positive;
  return made;
}

}  // namespace headrace::curate
