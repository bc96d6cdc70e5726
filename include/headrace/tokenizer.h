// SPDX-License-Identifier: Apache-2.0
// Text ↔ token ids, id for id as the tokenizer file says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// What a file leaves open. Given for a file that says it itself, it is an invalid_argument.
struct TokenizerOptions {
  // How texts are split, for `.tiktoken` files: a name (cl100k, o200k, gpt2, llama3, qwen2, kimi)
  // or a regular expression as tiktoken has it. "": that of the file, if it is a published one.
  std::string pattern;
  // Texts and ids of special tokens, for `.tiktoken` files; they replace those of a published one.
  std::vector<std::pair<std::string, std::uint32_t>> special_tokens;
  // Whether letters become small, for `vocab.txt`.
  std::optional<bool> lowercase;
};

// A loaded tokenizer. Immutable and thread-safe; copies share it. Encoding goes through an Encoder,
// one per thread, which keeps caches between calls.
class Tokenizer {
 public:
  // Reads a Hugging Face `tokenizer.json`, a `.tiktoken` rank file, a SentencePiece `.model` or a
  // BERT's `vocab.txt`; which of them, its bytes say. A file with a part that is not known is
  // refused by name, never approximated. What a file does not say must be in `options`: a rank file
  // has neither a split pattern nor special tokens, unless it is one that was published (told by
  // its SHA-256: cl100k, o200k, p50k, r50k, llama3, kimi_k2).
  static Result<Tokenizer> open(const std::string& path, const TokenizerOptions& options = {});

  // Ids are 0 to vocabulary_size() - 1, added tokens included.
  std::size_t vocabulary_size() const;
  // The id of a token by its text as it stands in the file ("<|endoftext|>"): an added token or a
  // vocabulary entry.
  std::optional<std::uint32_t> token_id(std::string_view token) const;
  // What the file's post-processor puts around a text (a begin token, [CLS] and [SEP]). An Encoder
  // adds neither.
  const std::vector<std::uint32_t>& before() const;
  const std::vector<std::uint32_t>& behind() const;
  // Names of the special added tokens, for messages.
  std::vector<std::string> special_tokens() const;
  // 64 hex digits: the SHA-256 of the file.
  const std::string& sha256() const;
  // Of all that ids depend on: sha256() if no option was given, else a hash of it and the options.
  const std::string& fingerprint() const;

  // What the token stands for in the middle of a text; nothing if no token has the id. Valid as
  // long as the tokenizer.
  std::optional<std::string_view> token_bytes(std::uint32_t id) const;
  // The bytes of the ids, put together as the file's decoder says. Not always valid UTF-8: a
  // character may be cut between tokens. Ids outside the vocabulary are an invalid_argument.
  Result<std::string> decode(std::span<const std::uint32_t> ids) const;

  class Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit Tokenizer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct EncodeOptions {
  // Special added tokens that occur in the text: false = they are ordinary text (a document can not
  // forge an end of document), true = they become their ids, as HF tokenizers does. Added tokens
  // that are not special always match.
  bool special_tokens_in_text = false;
};

enum class SimdLevel;

// Single-threaded; keep one per thread for as long as possible: it learns what its texts repeat,
// which takes some 40 MiB.
class Encoder {
 public:
  explicit Encoder(Tokenizer tokenizer, EncodeOptions options = {});
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  // Appends the ids of `text` (valid UTF-8; invalid bytes are an error of Code::kCorrupt with the
  // offset). No begin or end tokens are added: who wants them asks by name.
  Result<void> encode(std::string_view text, std::vector<std::uint32_t>* ids);

  // For tests: with other instructions than the best of this machine. The ids are the same.
  Encoder(Tokenizer tokenizer, EncodeOptions options, SimdLevel level);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headrace
