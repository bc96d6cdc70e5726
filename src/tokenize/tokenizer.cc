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

Result<void> load(const std::string& path, Tokenizer::Impl* impl) {
  HEADRACE_ASSIGN_OR_RETURN(const std::string json, io::read_file(path));
  impl->sha256 = sha256_hex(json);
  return tokenize::load_tokenizer_json(json, impl);
}

}  // namespace

Result<Tokenizer> Tokenizer::open(const std::string& path) {
  auto impl = std::make_shared<Impl>();
  if (auto loaded = load(path, impl.get()); !loaded.has_value()) {
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

Result<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids) const {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= impl_->bytes_by_id.size() || !impl_->bytes_by_id[ids[i]].has_value()) {
      return invalid_argument("decoding: id {} at place {}: no token has it (vocabulary of {})",
                              ids[i], i, vocabulary_size());
    }
    text += *impl_->bytes_by_id[ids[i]];
  }
  return text;
}

}  // namespace headrace
