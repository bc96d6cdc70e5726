// SPDX-License-Identifier: Apache-2.0
// Pre-tokenization: text → pieces, the stretches that merges never cross.
//
// One Splitter per family of split patterns, hand-written: a regular expression engine would take
// most of the encoder's time. Each is the scalar form of its pattern, one piece at a time. Most
// texts are split by the kernels of mask_split.h, which are checked against these, and call on them
// where they do not know better (piece_finder.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "tokenize/mask_split.h"

namespace headrace::tokenize {

// Immutable: thread-safe.
class Splitter {
 public:
  virtual ~Splitter() = default;

  // Writes the end offsets of the pieces of `text` (valid UTF-8, less than 4 GiB) from `begin` on,
  // which must be 0 or the end of a piece, until `ends` is full or the text is. Returns how many.
  virtual std::size_t split(std::string_view text, std::size_t begin,
                            std::span<std::uint32_t> ends) const = 0;

  // The same pattern for the kernels of mask_split.h, if they know it.
  virtual MaskPattern mask_pattern() const { return {}; }
};

// One function per family; the pattern is in the comment at the top of its file.
std::unique_ptr<Splitter> make_gpt2_splitter();

struct Cl100kOptions {
  int digits = 3;               // \p{N}{1,3} or \p{N}
  bool marks_in_words = false;  // \p{L} is [\p{L}\p{M}] (Qwen3.5)
};
std::unique_ptr<Splitter> make_cl100k_splitter(Cl100kOptions options);

struct O200kOptions {
  int digits = 3;
  bool contractions = true;  // (?i:'s|'t|...)? behind words
  bool slash_tail = true;    // [\r\n/]* behind punctuation, else [\r\n]*
};
std::unique_ptr<Splitter> make_o200k_splitter(O200kOptions options);

std::unique_ptr<Splitter> make_deepseek_splitter();

// The whole text is one piece.
std::unique_ptr<Splitter> make_whole_splitter();

// The splitter for one Split step with behaviour Isolated, by its pattern. Unsupported: a pattern
// that is not one of the known ones, character for character.
Result<std::unique_ptr<Splitter>> splitter_for_pattern(const std::string& pattern);

// The same for the three Split steps of DeepSeek-V3, which see only the pieces of the step before.
Result<std::unique_ptr<Splitter>> splitter_for_patterns(std::span<const std::string> patterns);

// True if each text is covered by matches of the pattern, so that what is between matches does not
// matter.
bool covers_every_text(const std::string& pattern);

}  // namespace headrace::tokenize
