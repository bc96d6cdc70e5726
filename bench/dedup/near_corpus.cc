// SPDX-License-Identifier: Apache-2.0
// Writes a corpus of known duplicates (corpus.h) for bench/dedup/near_truth.py.
//
//   near_corpus DOCUMENTS corpus.jsonl truth.tsv [LEAST_WORDS SPAN]
//
// One line of the truth for each document: unique, exact or near; the number of the document it is
// a copy of; the true Jaccard similarity to it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/os.h>

#include "corpus.h"
#include "dedup/shingles.h"

int main(int argc, char** argv) {
  namespace dedup = headrace::dedup;
  if (argc != 4 && argc != 6) return 2;
  const std::uint64_t documents = std::strtoull(argv[1], nullptr, 10);
  const dedup::bench::Corpus corpus =
      argc == 6 ? dedup::bench::Corpus(1, std::strtoull(argv[4], nullptr, 10),
                                       std::strtoull(argv[5], nullptr, 10))
                : dedup::bench::Corpus();
  auto texts = fmt::output_file(argv[2]);
  auto truth = fmt::output_file(argv[3]);
  headrace::TextViewBuilder builder;
  dedup::Shingler shingler;
  std::string text;
  std::string other;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (std::uint64_t i = 0; i < documents; ++i) {
    const dedup::bench::Planted what = corpus.planted(i);
    corpus.text(i, &text);
    texts.print("{{\"text\": \"{}\"}}\n", text);
    double similarity = 1;
    if (what.kind == dedup::bench::Kind::kNear) {
      corpus.text(what.base, &other);
      dedup::shingle_set(shingler.shingles(builder.build(text), dedup::kLongNgram), &a);
      dedup::shingle_set(shingler.shingles(builder.build(other), dedup::kLongNgram), &b);
      similarity = dedup::jaccard(a, b);
    }
    const char* const kinds[] = {"unique", "exact", "near"};
    truth.print("{}\t{}\t{:.6f}\n", kinds[static_cast<int>(what.kind)], what.base, similarity);
  }
  return 0;
}
