// SPDX-License-Identifier: Apache-2.0
// What a step changed, small enough to look at.
#pragma once

#include <string>
#include <string_view>

namespace headrace::curate {

struct ChangeExcerpts {
  std::string before;
  std::string after;
};

// The place where two versions of a text begin to differ: up to kExcerptContext code points before
// it, and of what follows as much as makes kExcerptLength code points at most, ending
// kExcerptContext behind the last difference. Both excerpts begin at the same place. Empty when the
// texts are equal. Both texts are valid UTF-8.
inline constexpr int kExcerptContext = 40;
inline constexpr int kExcerptLength = 200;
ChangeExcerpts change_excerpts(std::string_view before, std::string_view after);

// The first `points` code points of valid UTF-8.
std::string front_of(std::string_view text, int points);

}  // namespace headrace::curate
