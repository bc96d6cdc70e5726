// SPDX-License-Identifier: Apache-2.0
// The .idx file of Megatron's indexed dataset. Byte layout: docs/formats/megatron.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::shard {

// Bytes of a token: 2 ("uint16") or 4 ("int32"); other names are kInvalidArgument.
Result<std::uint32_t> token_width(std::string_view token_type);

// The .idx of sequences of these lengths (tokens), laid end to end, each a document of its own.
std::string format_megatron_index(std::uint32_t token_width,
                                  std::span<const std::uint32_t> sequence_tokens);

inline constexpr std::uint64_t kMegatronHeaderBytes = 34;

// Token width of the first kMegatronHeaderBytes of an .idx; `path` names it in errors.
Result<std::uint32_t> megatron_token_width(std::string_view header, const std::string& path);

// "" if `found` is `expected`; else one sentence about the first difference: which field, of which
// sequence, what stands there.
std::string describe_index_difference(std::string_view expected, std::string_view found,
                                      std::uint64_t sequences);

}  // namespace headrace::shard
