// SPDX-License-Identifier: Apache-2.0
// The leak check over files of texts, for the planted tests and the peers.
//
//   leak_texts items SET=FILE...            published benchmark files → items, a JSON object a line
//   leak_texts scan ITEMS SAMPLE DOCUMENTS [all]   → hits, a row each; with `all` every island
//   scored leak_texts split VALIDATION SAMPLE DOCUMENTS   → hits of the own split
//
// ITEMS is what the first wrote. SAMPLE and DOCUMENTS hold {"id", "text"} a line. Rows are tab
// separated: document, item, verdict, view, weights Q O A P, covered weights, density, run, bytes
// of the span, seed hits, longest gap of the question. Statistics go to standard error.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "leak/leak.h"
#include "leak/own_split.h"

namespace {

using headrace::leak::Hit;
using headrace::leak::Item;
using Json = nlohmann::json;

struct Document {
  std::string id;
  std::string text;
};

template <class T>
T must(headrace::Result<T> result) {
  if (!result.has_value()) {
    std::fprintf(stderr, "leak_texts: %s\n", result.error().message().c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "leak_texts: cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

template <class Use>
void for_each_line(const std::string& path, Use&& use) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) use(Json::parse(line));
}

std::vector<Document> documents_of(const std::string& path) {
  std::vector<Document> documents;
  for_each_line(path, [&](const Json& json) { documents.push_back({json["id"], json["text"]}); });
  return documents;
}

int items(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string path = argument.substr(equals + 1);
    const headrace::leak::ItemSource source{.set = argument.substr(0, equals), .file = path};
    for (const Item& item : must(read_items(bytes_of(path), source))) {
      const Json json = {{"id", item.set + "/" + item.id}, {"question", item.question},
                         {"options", item.options},        {"answer", item.answer},
                         {"solution", item.solution},      {"passage", item.passage}};
      std::cout << json.dump() << '\n';
    }
  }
  return 0;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int scan(const std::vector<std::string>& arguments) {
  auto builder = must(headrace::leak::IndexBuilder::make());
  for_each_line(arguments[0], [&](const Json& json) {
    builder.add({.id = json["id"],
                 .set = "",
                 .question = json["question"],
                 .options = json["options"],
                 .answer = json["answer"],
                 .solution = json["solution"],
                 .passage = json["passage"]});
  });
  auto counter = builder.counter();
  for (const Document& document : documents_of(arguments[1])) counter.add(document.text);
  builder.count(counter);
  const auto index = must(builder.finish());
  const auto& held = index.stats();
  std::fprintf(stderr,
               "items %zu (%zu folded, %zu without seeds, %zu not checkable), seeds %zu (%zu left "
               "out), sample %zu, %.1f MB\n",
               held.items, held.folded, held.without_seeds, held.not_checkable, held.seeds,
               held.seeds_left_out, held.reference_documents,
               static_cast<double>(index.memory_bytes()) / 1e6);

  headrace::leak::ScanSettings settings;
  settings.keep_all = arguments.size() > 3 && arguments[3] == "all";
  auto scanner = must(headrace::leak::Scanner::make(index, settings));
  const std::vector<Document> documents = documents_of(arguments[2]);
  std::vector<std::vector<Hit>> found;
  const double start = cpu_seconds();
  for (const Document& document : documents) found.push_back(scanner.scan(document.text));
  const double seconds = cpu_seconds() - start;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    for (const Hit& hit : found[i]) {
      std::string row = fmt::format("{}\t{}\t{}\t{}", document.id, index.item(hit.item).id,
                                    name_of(hit.verdict), name_of(hit.view));
      for (const double weight : hit.weight) row += fmt::format("\t{:.3f}", weight);
      for (std::size_t part = 0; part < hit.weight.size(); ++part) {
        row += fmt::format("\t{:.3f}", hit.weight[part] * hit.coverage[part]);
      }
      std::cout << row
                << fmt::format("\t{:.4f}\t{:.3f}\t{}\t{}\t{}\t{:.3f}\n", hit.density, hit.run,
                               hit.span.begin, hit.span.end, hit.seeds, hit.gap);
    }
  }
  const auto& seen = scanner.stats();
  std::fprintf(
      stderr,
      "documents %zu, %.1f MB in %.2f s = %.1f MB/s; probes %zu, bits set %zu, seed hits %zu, "
      "groups %zu, verified %zu, found %zu\n",
      seen.documents, static_cast<double>(seen.bytes) / 1e6, seconds,
      static_cast<double>(seen.bytes) / 1e6 / seconds, seen.probes, seen.bits_set, seen.seed_hits,
      seen.groups, seen.verified, seen.found);
  return 0;
}

int split(const std::vector<std::string>& arguments) {
  auto builder = must(headrace::leak::SplitBuilder::make());
  for (const Document& document : documents_of(arguments[0]))
    builder.add(document.id, document.text);
  for (const Document& document : documents_of(arguments[1])) builder.add_reference(document.text);
  const auto index = must(builder.finish());
  auto scanner = must(headrace::leak::SplitScanner::make(index));
  const std::vector<Document> documents = documents_of(arguments[2]);
  std::vector<std::vector<headrace::leak::SplitHit>> found;
  std::size_t bytes = 0;
  const double start = cpu_seconds();
  for (const Document& document : documents) found.push_back(scanner.scan(document.text));
  const double seconds = cpu_seconds() - start;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    bytes += document.text.size();
    for (const auto& hit : found[i]) {
      std::cout << fmt::format("{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.3f}\n", document.id,
                               index.id(hit.document), hit.leak ? "leak" : "flag",
                               hit.share_validation, hit.share_train, hit.mass);
    }
  }
  std::fprintf(stderr, "documents %zu, %.1f MB in %.2f s = %.1f MB/s\n", documents.size(),
               static_cast<double>(bytes) / 1e6, seconds,
               static_cast<double>(bytes) / 1e6 / seconds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::vector<std::string> rest(arguments.begin() + (argc > 1 ? 1 : 0), arguments.end());
  if (argc > 2 && arguments[0] == "items") return items(rest);
  if (argc > 4 && arguments[0] == "scan") return scan(rest);
  if (argc > 4 && arguments[0] == "split") return split(rest);
  std::fprintf(stderr,
               "usage: leak_texts items SET=FILE... | scan ITEMS SAMPLE DOCUMENTS [all] | "
               "split VALIDATION SAMPLE DOCUMENTS\n");
  return 2;
}
