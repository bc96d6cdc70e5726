// SPDX-License-Identifier: Apache-2.0
// Text → the token ids of one sequence, for models that read a whole text at once (BERT and its
// like). `score` needs it, `tokenize` implements it, and neither includes the other: the driver
// hands it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"

namespace headrace {

// One thread's buffers. Not thread-safe; lives no longer than its tokenizer.
class SequenceEncoder {
 public:
  virtual ~SequenceEncoder() = default;
  // Replaces *ids by those of `text` with the tokens that belong around it ([CLS], [SEP]): at most
  // max_length, which is more than SequenceTokenizer::added(). What does not fit is the end of the
  // text. Bytes that are not UTF-8 are an error of Reach::kRecord.
  virtual Result<void> encode(std::string_view text, std::size_t max_length,
                              std::vector<std::int64_t>* ids) = 0;
};

// Read-only: thread-safe.
class SequenceTokenizer {
 public:
  virtual ~SequenceTokenizer() = default;
  virtual std::size_t vocabulary_size() const = 0;  // the highest id + 1
  virtual std::size_t added() const = 0;            // tokens around each text
  virtual std::int64_t padding_id() const = 0;
  // What the file says of the longest sequence.
  virtual std::optional<std::size_t> max_length() const = 0;
  // Of the file and of all options that change ids.
  virtual Hash128 fingerprint() const = 0;
  virtual std::unique_ptr<SequenceEncoder> start() const = 0;
};

struct SequenceTokenizerOptions {
  bool lowercase = true;  // for files that do not say: vocab.txt
};

// Opens tokenizer files. Thread-safe.
class SequenceTokenizers {
 public:
  virtual ~SequenceTokenizers() = default;
  // not_found, corrupt, unsupported: with the path, and the name of the part that is not known.
  virtual Result<std::unique_ptr<SequenceTokenizer>> open(
      const std::string& path, const SequenceTokenizerOptions& options) const = 0;
};

}  // namespace headrace
