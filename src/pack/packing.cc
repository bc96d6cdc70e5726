// SPDX-License-Identifier: Apache-2.0
#include "pack/packing.h"

#include "pack/best_fit.h"
#include "pack/concat_split.h"
#include "pack/padded.h"

namespace headrace::pack {

std::unique_ptr<const Packing> make_packing(Method method,
                                            std::span<const std::uint64_t> document_tokens,
                                            std::uint32_t sequence_length) {
  switch (method) {
    case Method::kConcat:
      return std::make_unique<ConcatSplit>(document_tokens, sequence_length);
    case Method::kBestFit:
      return std::make_unique<BestFit>(document_tokens, sequence_length);
    case Method::kPadded:
      return std::make_unique<Padded>(document_tokens, sequence_length);
    case Method::kNone:
      break;
  }
  return std::make_unique<Unpacked>(document_tokens);
}

}  // namespace headrace::pack
