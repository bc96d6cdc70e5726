// SPDX-License-Identifier: Apache-2.0
// Speed of the leak check on one core, from text in memory to hits.
//
//   leak_bench ITEMS SAMPLE ROUNDS DOCUMENTS...
//
// ITEMS as `leak_texts items` writes them; SAMPLE and DOCUMENTS {"text"} a line. First the result:
// every item that can be searched for is found in itself, and every round finds the same. Then per
// file, CPU time, best of the rounds: megabytes per second of tokens alone, of the check, of the
// split check with the items' questions as validation documents, and what it had to do.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "leak/internal/token_text.h"
#include "leak/leak.h"
#include "leak/own_split.h"

namespace {

using Json = nlohmann::json;

std::vector<Json> records_of(const char* path) {
  std::vector<Json> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) records.push_back(Json::parse(line));
  return records;
}

std::vector<std::string> texts_of(const char* path) {
  std::vector<std::string> texts;
  for (const Json& record : records_of(path)) texts.push_back(record["text"]);
  return texts;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Best MB/s of `rounds`; 0 if they do not all return the same.
double speed(const std::vector<std::string>& texts, int rounds,
             const std::function<std::size_t(const std::string&)>& look) {
  double bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<double>(text.size());
  double best = 1e300;
  std::size_t expected = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = cpu_seconds();
    std::size_t found = 0;
    for (const std::string& text : texts) found += look(text);
    best = std::min(best, cpu_seconds() - start);
    if (round > 0 && found != expected) return 0;
    expected = found;
  }
  return bytes / 1e6 / best;
}

}  // namespace

int main(int argc, char** argv) {
  using headrace::leak::Item;
  if (argc < 5) {
    std::fprintf(stderr, "usage: leak_bench ITEMS SAMPLE ROUNDS DOCUMENTS...\n");
    return 2;
  }
  const int rounds = std::max(1, std::atoi(argv[3]));
  auto builder = *headrace::leak::IndexBuilder::make();
  auto split_builder = *headrace::leak::SplitBuilder::make();
  std::vector<Item> items;
  for (const Json& json : records_of(argv[1])) {
    items.push_back({.id = json["id"],
                     .set = "",
                     .question = json["question"],
                     .options = json["options"],
                     .answer = json["answer"],
                     .solution = json["solution"],
                     .passage = json["passage"]});
    builder.add(items.back());
    split_builder.add(items.back().id, items.back().question + items.back().passage);
  }
  auto counter = builder.counter();
  for (const std::string& text : texts_of(argv[2])) counter.add(text);
  builder.count(counter);
  const auto index = *builder.finish();
  const auto split_index = *split_builder.finish();
  auto scanner = *headrace::leak::Scanner::make(index);
  auto split_scanner = *headrace::leak::SplitScanner::make(split_index);

  std::size_t found = 0;
  for (std::uint32_t i = 0; i < index.size(); ++i) {
    const Item& item = index.item(i);
    std::string text = item.passage + "\n" + item.question;
    for (const std::string& option : item.options) text += "\n" + option;
    const auto hits = scanner.scan(text + "\n" + item.answer + "\n" + item.solution);
    found += std::any_of(hits.begin(), hits.end(), [&](const auto& hit) { return hit.item == i; });
  }
  const std::size_t searchable = index.size() - index.not_checkable().size();
  std::printf("%zu items, %.1f MB, found in themselves %zu (%zu checkable)\n", index.size(),
              static_cast<double>(index.memory_bytes()) / 1e6, found, searchable);
  if (found * 100 < searchable * 99) return 1;

  headrace::leak::TokenText tokens(**headrace::leak::FoldTable::get());
  for (int i = 4; i < argc; ++i) {
    const std::vector<std::string> texts = texts_of(argv[i]);
    const headrace::leak::ScanStats before = scanner.stats();
    const double alone = speed(texts, rounds, [&](const std::string& text) {
      tokens.assign(text);
      return tokens.size();
    });
    const double check =
        speed(texts, rounds, [&](const std::string& text) { return scanner.scan(text).size(); });
    const double split = speed(
        texts, rounds, [&](const std::string& text) { return split_scanner.scan(text).size(); });
    if (alone == 0 || check == 0 || split == 0) {
      std::fprintf(stderr, "leak_bench: %s: rounds differ\n", argv[i]);
      return 1;
    }
    const headrace::leak::ScanStats& stats = scanner.stats();
    const auto per_round = [&](std::uint64_t now, std::uint64_t then) {
      return static_cast<double>(now - then) / rounds;
    };
    std::printf(
        "%s: tokens %.0f MB/s, check %.0f MB/s, split check %.0f MB/s; %.1f MB, %.0f documents, "
        "probes %.0f, past the "
        "filter %.2f %%, seed hits %.0f, groups %.0f, verified %.0f, hits %.0f\n",
        argv[i], alone, check, split, per_round(stats.bytes, before.bytes) / 1e6,
        per_round(stats.documents, before.documents), per_round(stats.probes, before.probes),
        100 * per_round(stats.bits_set, before.bits_set) / per_round(stats.probes, before.probes),
        per_round(stats.seed_hits, before.seed_hits), per_round(stats.groups, before.groups),
        per_round(stats.verified, before.verified), per_round(stats.found, before.found));
  }
  return 0;
}
