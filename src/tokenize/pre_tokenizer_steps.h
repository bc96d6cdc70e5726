// SPDX-License-Identifier: Apache-2.0
// The pre-tokenizers of tokenizer.json, each a step of a pipeline.
#pragma once

#include <memory>
#include <string>

#include "tokenize/pipeline.h"
#include "tokenize/regex.h"
#include "tokenize/splitter.h"

namespace headrace::tokenize {

using PreTokenizerStep = std::unique_ptr<const PreTokenizer>;

// What becomes of the stretches that match.
enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// With `invert`, what does not match counts as matching.
PreTokenizerStep make_split(Regex pattern, SplitBehavior behavior, bool invert);
PreTokenizerStep make_split(std::string text, SplitBehavior behavior, bool invert);
// Each character of the set is a stretch of its own.
PreTokenizerStep make_split(CodePointSet set, SplitBehavior behavior, bool invert);
// A splitter whose pattern covers every text, Isolated.
PreTokenizerStep make_splitter_step(std::unique_ptr<Splitter> splitter);
PreTokenizerStep make_prefix_space();  // before a piece that does not begin with a blank
PreTokenizerStep make_byte_chars_step();
PreTokenizerStep make_bert_words();

enum class PrependScheme { kFirst, kNever, kAlways };
// `replacement` is one character.
PreTokenizerStep make_metaspace(std::string replacement, PrependScheme scheme, bool split);

}  // namespace headrace::tokenize
