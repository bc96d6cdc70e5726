// SPDX-License-Identifier: Apache-2.0
// Text ↔ token ids, id for id as the tokenizer file says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// A loaded tokenizer. Immutable and thread-safe; copies share it. Encoding goes through an Encoder,
// one per thread, which keeps caches between calls.
class Tokenizer {
 public:
  // Reads a Hugging Face `tokenizer.json` with a byte-level BPE model. A file with a part that is
  // not known (another model, normalizer or pre-tokenizer) is refused by name, never approximated.
  static Result<Tokenizer> open(const std::string& path);

  // Ids are 0 to vocabulary_size() - 1, added tokens included.
  std::size_t vocabulary_size() const;
  // The id of a token by its text as it stands in the file ("<|endoftext|>"): an added token or a
  // vocabulary entry.
  std::optional<std::uint32_t> token_id(std::string_view token) const;
  // Names of the special added tokens, for messages.
  std::vector<std::string> special_tokens() const;
  // 64 hex digits: the SHA-256 of the file.
  const std::string& sha256() const;

  // The bytes of the ids, concatenated. Not always valid UTF-8: a character may be cut between
  // tokens. Ids outside the vocabulary are an invalid_argument.
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
