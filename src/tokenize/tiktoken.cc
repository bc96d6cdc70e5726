// SPDX-License-Identifier: Apache-2.0
// `.tiktoken` rank files: a line is base64(bytes of a token), a blank, its rank, which is its id.
//
// Merges are by rank: of all neighbours whose concatenation is a token, those of the lowest rank,
// leftmost first. So every way to split a token into two tokens is a merge, and all of one token
// are equals. A piece that is a token becomes it without merging.
//
// A rank file has neither a pattern nor special tokens: they stand in the code of its publisher.
// Published files are known by their hash; for any other, options must say them.
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "tokenize/base64.h"
#include "tokenize/byte_chars.h"
#include "tokenize/pipeline_json.h"
#include "tokenize/pre_tokenizer_steps.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace::tokenize {
namespace {

// tiktoken's own spellings (tiktoken_ext/openai_public.py), Llama-3's and Kimi-K2's.
constexpr std::string_view kGpt2 =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)";
constexpr std::string_view kCl100k =
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s)";
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kO200k =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kKimi =
    R"([\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct NamedPattern {
  std::string_view name;
  std::string_view pattern;
  // The scanner for it; null: there is none.
  std::unique_ptr<Splitter> (*make)();
};
const NamedPattern kPatterns[] = {
    {"gpt2", kGpt2, [] { return make_gpt2_splitter(); }},
    {"cl100k", kCl100k, [] { return make_cl100k_splitter({.digits = 3}); }},
    {"llama3", kLlama3, [] { return make_cl100k_splitter({.digits = 3}); }},
    {"qwen2", kQwen2, [] { return make_cl100k_splitter({.digits = 1}); }},
    {"o200k", kO200k, [] { return make_o200k_splitter({}); }},
    {"kimi", kKimi, nullptr},
};

const NamedPattern* find_pattern(std::string_view name) {
  const auto* found = std::ranges::find(kPatterns, name, &NamedPattern::name);
  return found == std::end(kPatterns) ? nullptr : found;
}

using SpecialTokens = std::vector<std::pair<std::string, std::uint32_t>>;

SpecialTokens llama3_special_tokens() {
  SpecialTokens tokens;
  std::uint32_t id = 128000;
  for (const char* text : {"<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>",
                           "<|reserved_special_token_1|>", "<|finetune_right_pad_id|>",
                           "<|step_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>",
                           "<|eot_id|>", "<|python_tag|>", "<|image|>"}) {
    tokens.emplace_back(text, id++);
  }
  for (int i = 2; id < 128256; ++i) {
    tokens.emplace_back(fmt::format("<|reserved_special_token_{}|>", i), id++);
  }
  return tokens;
}

struct Published {
  std::string_view sha256;
  std::string_view name;
  std::string_view pattern;
  SpecialTokens (*special_tokens)();  // null: its publisher keeps them in another file
};
const Published kPublished[] = {
    {"306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", "r50k_base", "gpt2",
     [] { return SpecialTokens{{"<|endoftext|>", 50256}}; }},
    {"94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", "p50k_base", "gpt2",
     [] { return SpecialTokens{{"<|endoftext|>", 50256}}; }},
    {"223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", "cl100k_base", "cl100k",
     [] {
       return SpecialTokens{{"<|endoftext|>", 100257},
                            {"<|fim_prefix|>", 100258},
                            {"<|fim_middle|>", 100259},
                            {"<|fim_suffix|>", 100260},
                            {"<|endofprompt|>", 100276}};
     }},
    {"446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", "o200k_base", "o200k",
     [] { return SpecialTokens{{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}}; }},
    {"82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55", "llama3", "llama3",
     llama3_special_tokens},
    {"b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103", "kimi_k2", "kimi",
     nullptr},
};

// One line; false: it is none of a rank file.
bool parse_line(std::string_view line, std::string* bytes, std::uint64_t* rank) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos || blank == 0) return false;
  bytes->clear();
  const char* const end = line.data() + line.size();
  const auto [behind, error] = std::from_chars(line.data() + blank + 1, end, *rank);
  return error == std::errc() && behind == end && decode_base64(line.substr(0, blank), bytes) &&
         !bytes->empty();
}

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  // The next line that is not empty.
  bool next(std::string_view* line) {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      *line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      if (line->ends_with('\r')) line->remove_suffix(1);
      if (!line->empty()) return true;
    }
    return false;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view text_;
  std::size_t number_ = 0;
};

Result<void> read_ranks(std::string_view text, Tokenizer::Impl* impl, Tokenizer::Impl::Ids* ids) {
  Lines lines(text);
  std::string bytes;
  std::uint64_t rank = 0;
  for (std::string_view line; lines.next(&line);) {
    if (!parse_line(line, &bytes, &rank)) {
      return corrupt("line {} is not base64, a blank and a number", lines.number());
    }
    if (rank >= kMostIds) {
      return unsupported("line {}: rank {}: the limit is {}", lines.number(), rank, kMostIds - 1);
    }
    const auto id = static_cast<std::uint32_t>(rank);
    if (impl->bytes_by_id.size() <= id) impl->bytes_by_id.resize(id + std::size_t{1});
    if (impl->bytes_by_id[id] || !ids->emplace(bytes, id).second) {
      return corrupt("line {}: rank {} or its token is there twice", lines.number(), rank);
    }
    impl->bytes_by_id[id] = bytes;
    impl->junctions.add(bytes);
  }
  return {};
}

// By rank, and for each token every way to make it of two.
Result<std::vector<Merge>> find_merges(const Tokenizer::Impl& impl,
                                       const Tokenizer::Impl::Ids& ids) {
  std::vector<Merge> merges;
  for (std::uint32_t id = 0; id < impl.bytes_by_id.size(); ++id) {
    if (!impl.bytes_by_id[id]) continue;
    const std::string& bytes = *impl.bytes_by_id[id];
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      const auto left = ids.find(bytes.substr(0, cut));
      if (left == ids.end()) continue;
      const auto right = ids.find(bytes.substr(cut));
      if (right != ids.end()) merges.push_back({left->second, right->second, id});
    }
  }
  if (merges.size() > kMostMerges) {
    return unsupported("{} ways to merge: the limit is {}", merges.size(), kMostMerges);
  }
  return merges;
}

// tiktoken's cl100k has blanks behind the last newline of a text in one piece with it, the scanner
// has not: no difference unless a token holds such blanks.
bool has_blanks_behind_newline(const Tokenizer::Impl& impl) {
  return std::ranges::any_of(impl.bytes_by_id, [](const std::optional<std::string>& token) {
    if (!token) return false;
    const std::size_t newline = token->find_first_of("\r\n");
    return newline != std::string::npos &&
           token->find_first_not_of("\r\n", newline) != std::string::npos &&
           token->find_first_not_of("\t\n\v\f\r ") == std::string::npos;
  });
}

Result<void> set_pattern(std::string_view given, Tokenizer::Impl* impl) {
  const NamedPattern* named = find_pattern(given);
  const bool has_scanner = named != nullptr && named->make != nullptr &&
                           (named->pattern != kCl100k || !has_blanks_behind_newline(*impl));
  if (has_scanner) {
    impl->splitter = named->make();
    return {};
  }
  const std::string_view pattern = named != nullptr ? named->pattern : given;
  HEADRACE_ASSIGN_OR_RETURN(Regex regex, Regex::parse(pattern, RegexDialect::kFancyRegex));
  if (regex.may_match_nothing()) return unsupported("pattern {} may match nothing", pattern);
  auto pipeline = std::make_unique<Pipeline>();
  // What nothing matches is dropped, as tiktoken does it.
  pipeline->pre_tokenizers.push_back(make_split(std::move(regex), SplitBehavior::kRemoved, true));
  pipeline->model = make_byte_model(impl);
  impl->pipeline = std::move(pipeline);
  return {};
}

Result<void> add_special_tokens(const SpecialTokens& given, Tokenizer::Impl* impl) {
  std::vector<AddedToken> tokens;
  for (const auto& [text, id] : given) {
    if (text.empty() || id >= kMostIds) {
      return invalid_argument("special token \"{}\" with id {}: an empty text or an id too large",
                              text, id);
    }
    if (impl->bytes_by_id.size() <= id) impl->bytes_by_id.resize(id + std::size_t{1});
    if (impl->bytes_by_id[id]) {
      return invalid_argument("special token \"{}\": its id {} belongs to another token", text, id);
    }
    impl->bytes_by_id[id] = text;
    impl->special_tokens.push_back(text);
    impl->ids_by_text[text] = id;
    tokens.push_back({.content = text, .id = id, .special = true});
  }
  impl->raw_added = AddedTokenMatcher(std::move(tokens));
  return {};
}

}  // namespace

bool looks_like_tiktoken(std::string_view bytes) {
  Lines lines(bytes.substr(0, 1 << 16));
  std::string_view line;
  std::string token;
  std::uint64_t rank = 0;
  return lines.next(&line) && parse_line(line, &token, &rank);
}

Result<void> load_tiktoken(std::string_view text, const TokenizerOptions& options,
                           Tokenizer::Impl* impl) {
  const auto* published = std::ranges::find(kPublished, impl->sha256, &Published::sha256);
  const bool is_published = published != std::end(kPublished);
  if (options.pattern.empty() && !is_published) {
    return invalid_argument(
        "a rank file does not say how texts are split, and this one (sha256 {}) is none of the "
        "published ones: give a pattern (gpt2, cl100k, llama3, qwen2, o200k, kimi, or a regular "
        "expression) and the special tokens",
        impl->sha256);
  }
  Tokenizer::Impl::Ids ids;
  HEADRACE_RETURN_IF_ERROR(read_ranks(text, impl, &ids));
  std::array<std::uint32_t, 256> byte_ids{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto found = ids.find(std::string(1, static_cast<char>(byte)));
    if (found == ids.end()) return unsupported("no token for byte {:#04x}", byte);
    byte_ids[byte] = found->second;
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Merge> merges, find_merges(*impl, ids));
  impl->bpe = std::make_unique<ByteBpe>(byte_ids, merges, MergeOrder::kByToken);
  MergeScratch scratch;
  std::vector<std::uint32_t> made;
  for (const auto& [bytes, id] : ids) {
    made.resize(bytes.size());
    const std::size_t count = impl->bpe->merge(bytes, &scratch, made.data());
    if (count != 1 || made[0] != id) impl->unreachable.emplace(bytes, id);
  }
  // Names of tokens are their bytes as tokenizer.json writes them: any bytes become a text.
  for (const auto& [bytes, id] : ids) {
    std::string name;
    for (const char byte : bytes) name += byte_char(static_cast<unsigned char>(byte));
    impl->ids_by_text.emplace(std::move(name), id);
  }
  HEADRACE_RETURN_IF_ERROR(
      set_pattern(options.pattern.empty() ? published->pattern : options.pattern, impl));
  if (!options.special_tokens.empty()) return add_special_tokens(options.special_tokens, impl);
  if (!is_published || published->special_tokens == nullptr) return {};
  return add_special_tokens(published->special_tokens(), impl);
}

}  // namespace headrace::tokenize
