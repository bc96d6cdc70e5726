// SPDX-License-Identifier: Apache-2.0
// The readers behind NgramModel::open.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "headrace/result.h"

namespace headrace::score {
class NgramModel;
}

namespace headrace::score::internal {

// Fills up to `size` bytes; 0: no more.
using ReadMore = std::function<Result<std::size_t>(char* buffer, std::size_t size)>;
using ReadAt = std::function<Result<void>(std::uint64_t offset, std::span<char> buffer)>;

// `most_bytes`: what the text can be at most.
Result<NgramModel> read_arpa(std::string_view name, std::uint64_t most_bytes, ReadMore read);
Result<NgramModel> read_ngram_binary(std::string_view name, std::uint64_t bytes, ReadAt read);

// True for files of KenLM, whole or not, of any version.
bool is_ngram_binary(std::string_view head);

}  // namespace headrace::score::internal
