// SPDX-License-Identifier: Apache-2.0
// Token files of others, read only: numbers end to end, documents by an index beside them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "shard/fields.h"
#include "shard/shard_output.h"

namespace headrace::shard {

struct TokenFile {
  OpenShard shard;
  std::uint64_t begin = 0;  // of the first token in the file
  std::size_t width = 0;    // 2: uint16; 4: read as int32
  // Behind each document, in tokens; ascending.
  std::vector<std::uint64_t> ends;
};

// Width of tokens of which `tokens` fill `bytes`: 2 or 4; else what is wrong with `path`.
Result<std::size_t> width_of_tokens(std::uint64_t tokens, std::uint64_t bytes,
                                    const std::string& path);
// Samples are documents with one field, "tokens". Checks `ends` against the file.
Result<std::unique_ptr<FieldReader>> make_token_file_reader(TokenFile file);

}  // namespace headrace::shard
