// SPDX-License-Identifier: Apache-2.0
// Documents in a given order → sequences.
//
// Pure arithmetic on lengths: no token is looked at, and any sequence can be asked for alone, by
// any task.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace headrace::pack {

// A run of tokens of one document inside a sequence.
struct Piece {
  std::uint64_t document = 0;  // place in the order of documents
  std::uint64_t begin = 0;     // first token inside the document
  std::uint32_t length = 0;
};

// Immutable after construction: thread-safe.
class Packing {
 public:
  virtual ~Packing() = default;

  virtual std::uint64_t sequences() const = 0;
  // The pieces of sequence s, in order. Documents without tokens give no piece.
  virtual void pieces(std::uint64_t s, std::vector<Piece>* pieces) const = 0;
  virtual std::uint64_t leftover_tokens() const { return 0; }  // that are in no sequence
  virtual std::uint64_t padding_tokens() const { return 0; }   // that sequences lack
};

// How documents become sequences.
enum class Method {
  kConcat,   // laid end to end and cut; what fills no sequence is left over
  kBestFit,  // whole where they fit into a sequence, so that little is padded
  kPadded,   // each begins a sequence
  kNone,     // each is one, as long as it is
};

// By the name that recipes have: concat, best_fit, padded, none.
inline constexpr std::string_view kMethodNames[] = {"concat", "best_fit", "padded", "none"};

// `document_tokens[i]`: tokens of the i-th document in stream order, its end token included.
// `sequence_length` > 0, and of no matter for kNone.
std::unique_ptr<const Packing> make_packing(Method method,
                                            std::span<const std::uint64_t> document_tokens,
                                            std::uint32_t sequence_length);

}  // namespace headrace::pack
