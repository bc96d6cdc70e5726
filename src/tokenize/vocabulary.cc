// SPDX-License-Identifier: Apache-2.0
// vocab.txt as a tokenizer of texts. Whether letters become small stands in no file of it.
#include "base/error.h"
#include "tokenize/decoder_json.h"
#include "tokenize/models_json.h"
#include "tokenize/normalizer_steps.h"
#include "tokenize/pre_tokenizer_steps.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {

Result<void> load_vocabulary(std::string_view lines, const TokenizerOptions& options,
                             Tokenizer::Impl* impl) {
  if (!options.lowercase) {
    return invalid_argument(
        "a vocab.txt does not say whether letters become small: give lowercase (true for an "
        "uncased model)");
  }
  HEADRACE_ASSIGN_OR_RETURN(WordPieceFile file, parse_vocabulary(lines, *options.lowercase));
  impl->bytes_by_id.resize(file.vocabulary_size);
  for (const auto& [text, id] : file.model.ids()) {
    impl->ids_by_text.emplace(text, id);
    std::string bytes = text;
    join_word(&bytes, "##", true);
    impl->bytes_by_id[id] = std::move(bytes);
  }
  impl->blanks_to_strip = 1;
  for (const char* name : {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"}) {
    if (impl->ids_by_text.contains(name)) impl->special_tokens.emplace_back(name);
  }
  impl->before.assign(file.before.begin(), file.before.end());
  impl->behind.assign(file.behind.begin(), file.behind.end());
  impl->raw_added = std::move(file.raw_added);
  auto pipeline = std::make_unique<Pipeline>();
  pipeline->normalizers.push_back(make_bert_step(*file.normalizer));
  pipeline->pre_tokenizers.push_back(make_bert_words());
  pipeline->model = make_wordpiece_model(std::move(file.model));
  impl->pipeline = std::move(pipeline);
  return {};
}

}  // namespace headrace::tokenize
