// SPDX-License-Identifier: Apache-2.0
// The parts of a file put together. What each means: tokenizers 0.22.2.
#include "tokenize/pipeline_json.h"

#include "base/error.h"
#include "tokenize/decoder_json.h"
#include "tokenize/models_json.h"
#include "tokenize/normalizer_json.h"
#include "tokenize/pre_tokenizer_json.h"
#include "tokenize/tokenizer_json_model.h"

namespace headrace::tokenize {
namespace {

bool has_byte_decoder(const JsonObject& root) {
  std::string_view type;
  return is_null_or_absent(root, "decoder") ||
         (root.at_key("decoder").at_key("type").get(type) == simdjson::SUCCESS &&
          type == "ByteLevel");
}

}  // namespace

Result<void> load_pipeline(const JsonObject& root, Tokenizer::Impl* impl) {
  auto pipeline = std::make_unique<Pipeline>();
  if (!is_null_or_absent(root, "normalizer")) {
    HEADRACE_RETURN_IF_ERROR(
        read_normalizer(root.at_key("normalizer").value(), &pipeline->normalizers));
  }
  bool ends_with_bytes = false;
  if (!is_null_or_absent(root, "pre_tokenizer")) {
    HEADRACE_ASSIGN_OR_RETURN(
        PreTokenizerSteps read,
        read_pre_tokenizer(root.at_key("pre_tokenizer").value(), !pipeline->normalizers.empty()));
    pipeline->pre_tokenizers = std::move(read.steps);
    ends_with_bytes = read.ends_with_bytes;
  }
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject model,
                            object_of(root.at_key("model").value(), "model"));
  HEADRACE_ASSIGN_OR_RETURN(const std::string type, model_type(model));
  if (ends_with_bytes) {
    if (type == "BPE" && has_byte_decoder(root)) {
      auto loaded = load_model(root.at_key("model").value(), impl);
      if (loaded) {
        pipeline->model = make_byte_model(impl);
        impl->pipeline = std::move(pipeline);
        return {};
      }
      if (loaded.error().code() != Code::kUnsupported) return loaded;
      impl->clear_vocabulary();
    }
    pipeline->pre_tokenizers.push_back(make_byte_chars_step());
  }
  if (type == "BPE") {
    HEADRACE_ASSIGN_OR_RETURN(pipeline->model, load_char_bpe(model, impl));
  } else if (type == "Unigram") {
    HEADRACE_ASSIGN_OR_RETURN(pipeline->model, load_unigram(model, impl));
  } else if (type == "WordPiece") {
    HEADRACE_ASSIGN_OR_RETURN(pipeline->model, load_wordpiece(model, impl));
  } else {
    return unsupported("model \"{}\": BPE, Unigram and WordPiece are supported", type);
  }
  HEADRACE_RETURN_IF_ERROR(apply_decoder(root, impl));
  impl->pipeline = std::move(pipeline);
  return {};
}

}  // namespace headrace::tokenize
