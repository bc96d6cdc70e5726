// SPDX-License-Identifier: Apache-2.0
// Evaluation items: what must not stand in training documents. Benchmark files are read as they are
// published.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::leak {

// One question of a benchmark, or one passage. All texts are UTF-8 as published; any may be empty.
struct Item {
  std::string id;   // within its set; never empty after read_items()
  std::string set;  // the benchmark
  std::string question;
  std::vector<std::string> options;  // without their letters; their order plays no part
  std::string answer;                // text, not the letter of an option
  std::string solution;              // worked solution or explanation; scored with the answer
  std::string passage;               // what the question is about; or the whole item
  // "set/id" of items with the same words, folded into this one (IndexBuilder::finish).
  std::vector<std::string> also = {};

  bool operator==(const Item&) const = default;
};

// Which fields of a record hold what. An empty list means the names in use: see
// docs/rooms/09-leak.md. Names may be paths ("q.stem"). The first name that a record has is taken;
// `options` may also name several fields, one each.
struct ItemFields {
  std::vector<std::string> id = {};
  std::vector<std::string> question = {};
  std::vector<std::string> options = {};
  std::vector<std::string> answer = {};
  std::vector<std::string> solution = {};
  std::vector<std::string> passage = {};
};

struct ItemSource {
  std::string set;   // name of the benchmark; also the prefix of made-up ids
  std::string file;  // for messages, made-up ids and layout "auto"; need not exist
  // auto   by the extension and the first record
  // cmmlu  CSV with ,Question,A,B,C,D,Answer
  // gaokao JSON {"example": [{"question", "answer", "analysis"}]} with options inside the question
  // gsm8k  JSON Lines {"question", "answer"}: the answer is a worked solution with <<...>> marks
  // humaneval  JSON Lines {"task_id", "prompt", "canonical_solution"}
  // jsonl, json (an array, or an object holding one), csv, tsv: by `fields`
  // text   the whole file is one passage
  std::string layout = "auto";
  ItemFields fields = {};
};

// Reads all items of one file's bytes. A record without any text, or that does not parse, is an
// error that names file and record: a benchmark with a hole would be a check with a hole. Numbers,
// letters or indices that name an option become that option's text.
Result<std::vector<Item>> read_items(std::string_view bytes, const ItemSource& source);

}  // namespace headrace::leak
