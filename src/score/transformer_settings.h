// SPDX-License-Identifier: Apache-2.0
// The options of the kind transformer, checked against a model and its tokenizer.
#pragma once

#include <cstdint>
#include <string>

#include "headrace/result.h"

#include "base/options.h"
#include "record/sequence_tokenizer.h"
#include "score/inference.h"

namespace headrace::score {

struct TransformerSettings {
  std::size_t max_length = 0;    // tokens of a sequence
  std::size_t batch_tokens = 0;  // that go through the model together; speed only
  std::size_t classes = 0;       // logits of a sequence
  std::size_t positive = 0;      // the class whose probability is the value
  std::int64_t padding_id = 0;
};

// The file that is named, else tokenizer.json, else vocab.txt beside the model.
Result<std::string> tokenizer_path(const OptionValues& options, const std::string& model);

// invalid_argument: the table of the model has fewer rows than the tokenizer at `path` has tokens,
// or many more.
Result<void> check_vocabulary(const ModelFacts& facts, const SequenceTokenizer& tokenizer,
                              const std::string& path);

Result<TransformerSettings> transformer_settings(const OptionValues& options,
                                                 const ModelFacts& facts,
                                                 const SequenceTokenizer& tokenizer);

}  // namespace headrace::score
