// SPDX-License-Identifier: Apache-2.0
// Texts to try kernels on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headrace {

// Short texts in many scripts with everything that the definitions speak of. Always there.
std::vector<std::string> odd_texts();

// Valid UTF-8 of about `bytes` bytes whose characters are drawn from all classes, ASCII mostly.
std::string random_text(std::uint64_t seed, std::size_t bytes);

// Any bytes at all, many of them not ASCII.
std::string random_bytes(std::uint64_t seed, std::size_t bytes);

struct RealText {
  std::string name;  // file
  std::string text;  // valid UTF-8
};

// Files under the folder that the environment variable HEADRACE_DATA names, cut after `bytes`
// bytes: Chinese novels and encyclopaedia, English speeches, licences, code, and one article in 20
// languages. Empty when the variable is not set.
std::vector<RealText> real_texts(std::size_t bytes);

// Cut into pieces of 1 to `most` bytes, at code points; the pieces together are the text.
std::vector<std::string> random_pieces(const std::string& text, std::uint64_t seed,
                                       std::size_t most);

}  // namespace headrace
