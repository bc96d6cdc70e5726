// SPDX-License-Identifier: Apache-2.0
// --tokenizer and what a tokenizer file may leave open.
#pragma once

#include "command.h"

namespace headrace::app {

struct TokenizerArguments {
  std::string path;
  std::string pattern;
  std::vector<std::string> special;  // TEXT=ID
  std::optional<bool> lowercase;
};

void add_tokenizer(CLI::App* command, TokenizerArguments* arguments, const std::string& summary);

// An error for what has no '=' and number.
Result<TokenizerOptions> parse_tokenizer_options(const TokenizerArguments& arguments);
Result<Tokenizer> open_tokenizer(const TokenizerArguments& arguments);

}  // namespace headrace::app
