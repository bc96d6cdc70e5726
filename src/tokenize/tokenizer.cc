// SPDX-License-Identifier: Apache-2.0
// Opening a file, lookups, decoding. Encoding is in encoder.cc.
#include "headrace/tokenizer.h"

#include "base/error.h"
#include "base/quote.h"
#include "base/sha256.h"
#include "io/file.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace {
namespace {

constexpr std::size_t kMostOfAnError = 500;

enum class Kind { kJson, kVocabulary, kRanks, kSentencePiece, kUnknown };

Kind kind_of(const std::string& path, std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && bytes[begin] == '{') return Kind::kJson;
  if (path.ends_with(".json")) return Kind::kJson;
  if (path.ends_with(".txt")) return Kind::kVocabulary;
  if (tokenize::looks_like_tiktoken(bytes)) return Kind::kRanks;
  constexpr char kFirstField = 0x0A;  // of a SentencePiece model: field 1, of variable length
  return bytes.starts_with(kFirstField) ? Kind::kSentencePiece : Kind::kUnknown;
}

// An option for another kind of file would change nothing, without a word.
Result<void> check_options(Kind kind, const TokenizerOptions& options) {
  if (kind != Kind::kRanks && (!options.pattern.empty() || !options.special_tokens.empty())) {
    return invalid_argument("a pattern and special tokens are for .tiktoken files only");
  }
  if (kind != Kind::kVocabulary && options.lowercase.has_value()) {
    return invalid_argument("lowercase is for vocab.txt files only");
  }
  return {};
}

// Of the options, in one form.
std::string describe(const TokenizerOptions& options) {
  std::string text = options.pattern + '\n';
  for (const auto& [token, id] : options.special_tokens) text += fmt::format("{} {}\n", id, token);
  if (options.lowercase) text += *options.lowercase ? "lowercase" : "as it is";
  return text;
}

Result<void> load(const std::string& path, const TokenizerOptions& options, Tokenizer::Impl* impl) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(path));
  impl->sha256 = sha256_hex(bytes);
  const bool is_plain =
      options.pattern.empty() && options.special_tokens.empty() && !options.lowercase;
  impl->fingerprint = is_plain ? impl->sha256 : sha256_hex(impl->sha256 + describe(options));
  const Kind kind = kind_of(path, bytes);
  HEADRACE_RETURN_IF_ERROR(check_options(kind, options));
  switch (kind) {
    case Kind::kJson:
      return tokenize::load_tokenizer_json(bytes, impl);
    case Kind::kVocabulary:
      return tokenize::load_vocabulary(bytes, options, impl);
    case Kind::kRanks:
      return tokenize::load_tiktoken(bytes, options, impl);
    case Kind::kSentencePiece:
      return tokenize::load_sentencepiece(bytes, impl);
    case Kind::kUnknown:
      break;
  }
  return unsupported(
      "not a tokenizer.json, a .tiktoken rank file, a SentencePiece .model or a vocab.txt");
}

}  // namespace

Result<Tokenizer> Tokenizer::open(const std::string& path, const TokenizerOptions& options) {
  auto impl = std::make_shared<Impl>();
  if (auto loaded = load(path, options, impl.get()); !loaded.has_value()) {
    // The message may quote a token of any length.
    const std::string found = excerpt(loaded.error().message(), kMostOfAnError);
    return Status(loaded.error().code(), fmt::format("tokenizer {}: {}", path, found));
  }
  return Tokenizer(std::move(impl));
}

std::size_t Tokenizer::vocabulary_size() const { return impl_->bytes_by_id.size(); }

std::optional<std::uint32_t> Tokenizer::token_id(std::string_view token) const {
  const auto found = impl_->ids_by_text.find(std::string(token));
  if (found == impl_->ids_by_text.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Tokenizer::special_tokens() const { return impl_->special_tokens; }

const std::string& Tokenizer::sha256() const { return impl_->sha256; }

const std::string& Tokenizer::fingerprint() const { return impl_->fingerprint; }

const std::vector<std::uint32_t>& Tokenizer::before() const { return impl_->before; }

const std::vector<std::uint32_t>& Tokenizer::behind() const { return impl_->behind; }

std::optional<std::string_view> Tokenizer::token_bytes(std::uint32_t id) const {
  if (id >= impl_->bytes_by_id.size() || !impl_->bytes_by_id[id]) return std::nullopt;
  return *impl_->bytes_by_id[id];
}

Result<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids) const {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto bytes = token_bytes(ids[i]);
    if (!bytes) {
      return invalid_argument("decoding: id {} at place {}: no token has it (vocabulary of {})",
                              ids[i], i, vocabulary_size());
    }
    text += *bytes;
  }
  std::size_t blanks = 0;
  while (blanks < impl_->blanks_to_strip && blanks < text.size() && text[blanks] == ' ') ++blanks;
  return text.substr(blanks);
}

}  // namespace headrace
