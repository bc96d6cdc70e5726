// SPDX-License-Identifier: Apache-2.0
// What a tokenizer.json says, in the form that encoding and decoding use.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "headrace/tokenizer.h"

#include "tokenize/added_tokens.h"
#include "tokenize/bpe_tables.h"
#include "tokenize/byte_bpe.h"
#include "tokenize/junctions.h"
#include "tokenize/pipeline.h"
#include "tokenize/splitter.h"

namespace headrace {

// Immutable once loaded: thread-safe.
class Tokenizer::Impl {
 public:
  using Ids = std::unordered_map<std::string, std::uint32_t>;

  std::string sha256;
  std::string fingerprint;

  // Tokens as the file writes them, vocabulary and added tokens.
  Ids ids_by_text;
  // id → the bytes it stands for; none where no token has the id.
  std::vector<std::optional<std::string>> bytes_by_id;
  std::vector<std::string> special_tokens;
  // What the post-processor of the file puts around a text.
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> behind;
  std::size_t blanks_to_strip = 0;  // decoding: so many at most from the front of the text

  tokenize::AddedTokenMatcher raw_added;         // matched in the text as it comes
  tokenize::AddedTokenMatcher normalized_added;  // matched behind the normalizer

  // The general way of a text; null: what follows is the way.
  std::unique_ptr<const tokenize::Pipeline> pipeline;

  bool nfc = false;           // the normalizer
  bool prefix_space = false;  // ByteLevel's add_prefix_space
  std::unique_ptr<const tokenize::Splitter> splitter;

  std::unique_ptr<const tokenize::ByteBpe> bpe;
  tokenize::Junctions junctions;
  // Made at the first call: who only decodes does not need it. Thread-safe.
  const tokenize::BpeTables& bpe_tables() const {
    std::call_once(bpe_tables_once_, [this] {
      bpe_tables_ = std::make_unique<tokenize::BpeTables>(*bpe, bytes_by_id, unreachable);
    });
    return *bpe_tables_;
  }

  // With ignore_merges a piece that is an entry becomes its id. Merging says the same but for
  // these, whose merges make something else.
  Ids unreachable;

  // What a loader that gave up has filled.
  void clear_vocabulary() {
    ids_by_text.clear();
    bytes_by_id.clear();
    unreachable.clear();
    bpe.reset();
    junctions = {};
  }

 private:
  mutable std::once_flag bpe_tables_once_;
  mutable std::unique_ptr<const tokenize::BpeTables> bpe_tables_;
};

namespace tokenize {

// Each fills an Impl from the bytes of a file. Errors do not name it.
Result<void> load_tokenizer_json(std::string_view json, Tokenizer::Impl* impl);
Result<void> load_sentencepiece(std::string_view bytes, Tokenizer::Impl* impl);
// vocab.txt
Result<void> load_vocabulary(std::string_view lines, const TokenizerOptions& options,
                             Tokenizer::Impl* impl);
// `sha256` of the file tells whether it is a published one.
Result<void> load_tiktoken(std::string_view lines, const TokenizerOptions& options,
                           Tokenizer::Impl* impl);

// True if the first line is one of a rank file: base64, a blank, a number.
bool looks_like_tiktoken(std::string_view bytes);

}  // namespace tokenize
}  // namespace headrace
