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
#include "tokenize/splitter.h"

namespace headrace {

// Immutable once loaded: thread-safe.
class Tokenizer::Impl {
 public:
  using Ids = std::unordered_map<std::string, std::uint32_t>;

  std::string sha256;

  // Tokens as the file writes them, vocabulary and added tokens.
  Ids ids_by_text;
  // id → the bytes it stands for; none where no token has the id.
  std::vector<std::optional<std::string>> bytes_by_id;
  std::vector<std::string> special_tokens;

  tokenize::AddedTokenMatcher raw_added;         // matched in the text as it comes
  tokenize::AddedTokenMatcher normalized_added;  // matched behind the normalizer

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

 private:
  mutable std::once_flag bpe_tables_once_;
  mutable std::unique_ptr<const tokenize::BpeTables> bpe_tables_;
};

namespace tokenize {

// Fills an Impl from the bytes of a tokenizer.json. Errors do not name the file.
Result<void> load_tokenizer_json(std::string_view json, Tokenizer::Impl* impl);

}  // namespace tokenize
}  // namespace headrace
