// SPDX-License-Identifier: Apache-2.0
// Benchmark files → items.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "leak/internal/item_layout.h"
#include "leak/item.h"

namespace headrace::leak {
namespace {

// GSM8K marks what a calculator would do: "<<16-3-4=9>>".
std::string without_calculations(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("<<");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find(">>", begin);
    if (end == std::string_view::npos) break;
    out += text.substr(0, begin);
    text.remove_prefix(end + 2);
  }
  return out += text;
}

std::string name_of_file(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find('.')));
}

class ItemReader {
 public:
  explicit ItemReader(const ItemSource& source) : source_(source) {}

  Result<std::vector<Item>> read(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    std::string layout = source_.layout;
    if (layout == "auto") {
      HEADRACE_ASSIGN_OR_RETURN(layout, guess(bytes));
    }
    if (layout == "text") {
      Item item;
      item.passage = bytes;
      HEADRACE_RETURN_IF_ERROR(put(std::move(item), "the file"));
    } else if (layout == "cmmlu" || layout == "csv" || layout == "tsv") {
      HEADRACE_RETURN_IF_ERROR(table(bytes, layout == "tsv" ? '\t' : ','));
    } else if (layout == "gaokao" || layout == "json") {
      HEADRACE_RETURN_IF_ERROR(document(bytes, layout == "gaokao"));
    } else if (layout == "gsm8k" || layout == "humaneval" || layout == "jsonl") {
      HEADRACE_RETURN_IF_ERROR(lines(bytes, layout));
    } else {
      return invalid_argument("reading the items of {}: unknown layout '{}'{}", source_.file,
                              excerpt(layout),
                              suggestion(layout, {"auto", "cmmlu", "gaokao", "gsm8k", "humaneval",
                                                  "jsonl", "json", "csv", "tsv", "text"}));
    }
    if (items_.empty()) return corrupt("reading the items of {}: there is none", source_.file);
    return std::move(items_);
  }

 private:
  Result<std::string> guess(std::string_view bytes) const {
    const auto ends = [&](std::string_view end) { return source_.file.ends_with(end); };
    if (ends(".jsonl") || ends(".ndjson")) return std::string("jsonl");
    if (ends(".csv")) return std::string("csv");
    if (ends(".tsv")) return std::string("tsv");
    if (ends(".txt") || ends(".md")) return std::string("text");
    if (ends(".json")) {
      // Many .json files of benchmarks hold a record a line.
      const std::string_view first = bytes.substr(0, bytes.find('\n'));
      const bool is_lines =
          first.size() + 1 < bytes.size() && Json::accept(first) && first.starts_with('{');
      if (is_lines) return std::string("jsonl");
      return std::string(bytes.substr(0, 4096).find("\"example\"") != std::string_view::npos &&
                                 bytes.substr(0, 1).starts_with('{')
                             ? "gaokao"
                             : "json");
    }
    return invalid_argument(
        "reading the items of {}: the extension tells no layout; give one of jsonl, json, csv, "
        "tsv, "
        "text",
        source_.file);
  }

  Result<void> put(Item item, std::string_view where) {
    const bool has_text = !(item.question.empty() && item.passage.empty() && item.answer.empty() &&
                            item.solution.empty() &&
                            std::all_of(item.options.begin(), item.options.end(),
                                        [](const std::string& option) { return option.empty(); }));
    if (!has_text) {
      return corrupt(
          "reading the items of {}: {} has no text in the fields that are looked for; name them in "
          "`fields`",
          source_.file, where);
    }
    if (item.question.empty() && !source_.fields.question.empty()) {
      return corrupt("reading the items of {}: {} has no text in the field '{}' of questions",
                     source_.file, where, excerpt(source_.fields.question.front()));
    }
    item.set = source_.set;
    const std::string file = name_of_file(source_.file);
    if (item.id.empty()) {
      item.id = fmt::format("{}/{}", file, items_.size());
    } else if (std::all_of(item.id.begin(), item.id.end(),
                           [](char c) { return c >= '0' && c <= '9'; })) {
      item.id = fmt::format("{}/{}", file, item.id);  // a number is one in its file
    }
    items_.push_back(std::move(item));
    return {};
  }

  Result<void> record(const Json& json, std::string_view layout, std::string_view where) {
    if (json.is_string()) {
      Item item;
      item.passage = json.get<std::string>();
      return put(std::move(item), where);
    }
    if (!json.is_object()) {
      return corrupt("reading the items of {}: {} is no object", source_.file, where);
    }
    Item item = item_of(json, source_.fields);
    if (layout == "gsm8k" || item.answer.find("<<") != std::string::npos) {
      item.answer = without_calculations(item.answer);
    }
    if (layout == "gaokao") {
      item.answer.clear();  // letters
      take_apart(&item);
    }
    return put(std::move(item), where);
  }

  Result<void> lines(std::string_view bytes, std::string_view layout) {
    for (std::size_t number = 1; !bytes.empty(); ++number) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      const std::string_view line = bytes.substr(0, end);
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      const std::string where = fmt::format("line {}", number);
      const Json json = Json::parse(line, nullptr, false);
      if (json.is_discarded()) {
        return corrupt("reading the items of {}: {} is no JSON: {}", source_.file, where,
                       excerpt(line));
      }
      HEADRACE_RETURN_IF_ERROR(record(json, layout, where));
    }
    return {};
  }

  Result<void> document(std::string_view bytes, bool is_gaokao) {
    const Json json = Json::parse(bytes, nullptr, false);
    if (json.is_discarded()) {
      return corrupt("reading the items of {}: the file is no JSON", source_.file);
    }
    const Json* array = json.is_array() ? &json : nullptr;
    if (json.is_object()) {
      for (const auto& [name, value] : json.items()) {
        const bool is_better = array == nullptr || name == "example" || name == "data";
        if (value.is_array() && is_better) array = &value;
      }
    }
    if (array == nullptr) {
      return record(json, is_gaokao ? "gaokao" : "json", "the file");
    }
    for (std::size_t i = 0; i < array->size(); ++i) {
      HEADRACE_RETURN_IF_ERROR(record((*array)[i], is_gaokao ? "gaokao" : "json",
                                      fmt::format("record {} (counted from 0)", i)));
    }
    return {};
  }

  Result<void> table(std::string_view bytes, char separator) {
    auto rows = csv_rows(bytes, separator);
    if (!rows.has_value()) {
      return rows.error().with_context(fmt::format("reading the items of {}", source_.file));
    }
    for (std::size_t i = 1; i < rows->size(); ++i) {
      const std::vector<std::string>& names = rows->front();
      const std::vector<std::string>& row = (*rows)[i];
      if (row.size() != names.size()) {
        return corrupt("reading the items of {}: row {} has {} fields, the first row names {}",
                       source_.file, i, row.size(), names.size());
      }
      Json json = Json::object();
      for (std::size_t k = 0; k < row.size(); ++k) {
        json[names[k].empty() ? "index" : names[k]] = row[k];
      }
      HEADRACE_RETURN_IF_ERROR(record(json, "csv", fmt::format("row {}", i)));
    }
    return {};
  }

  const ItemSource& source_;
  std::vector<Item> items_;
};

}  // namespace

Result<std::vector<Item>> read_items(std::string_view bytes, const ItemSource& source) {
  return ItemReader(source).read(bytes);
}

}  // namespace headrace::leak
