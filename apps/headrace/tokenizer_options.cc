// SPDX-License-Identifier: Apache-2.0
#include "tokenizer_options.h"

#include <charconv>

#include <fmt/format.h>

namespace headrace::app {

void add_tokenizer(CLI::App* command, TokenizerArguments* arguments, const std::string& summary) {
  command->add_option("--tokenizer", arguments->path, summary)->type_name("FILE");
  command
      ->add_option("--pattern", arguments->pattern,
                   "how texts are split, for a .tiktoken file that is none of the published ones: "
                   "gpt2, cl100k, llama3, qwen2, o200k, kimi, or a regular expression")
      ->type_name("PATTERN");
  command
      ->add_option("--special", arguments->special,
                   "a special token of a .tiktoken file, e.g. '<|endoftext|>=100257'")
      ->type_name("TEXT=ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--lowercase", arguments->lowercase,
                   "whether letters become small, for a vocab.txt: true or false")
      ->type_name("BOOL");
}

Result<TokenizerOptions> parse_tokenizer_options(const TokenizerArguments& arguments) {
  TokenizerOptions options{.pattern = arguments.pattern, .lowercase = arguments.lowercase};
  for (const std::string& special : arguments.special) {
    const std::size_t equals = special.rfind('=');
    std::uint32_t id = 0;
    const char* const end = special.data() + special.size();
    const char* const begin = equals == std::string::npos ? end : special.data() + equals + 1;
    const auto [behind, error] = std::from_chars(begin, end, id);
    if (error != std::errc() || behind != end || equals == 0) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--special takes TEXT=ID, not '{}'", special));
    }
    options.special_tokens.emplace_back(special.substr(0, equals), id);
  }
  return options;
}

Result<Tokenizer> open_tokenizer(const TokenizerArguments& arguments) {
  const auto options = parse_tokenizer_options(arguments);
  if (!options) return options.error();
  return Tokenizer::open(arguments.path, *options);
}

}  // namespace headrace::app
