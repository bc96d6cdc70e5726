// SPDX-License-Identifier: Apache-2.0
// vocab.txt: the tokenizer that BERT came with, whose settings stand in no file.
#include <algorithm>

#include "base/error.h"
#include "tokenize/wordpiece_file.h"

namespace headrace::tokenize {

Result<WordPieceFile> parse_vocabulary(std::string_view lines, bool lowercase) {
  WordPiece::Ids ids;
  std::uint32_t next = 0;
  for (; !lines.empty(); ++next) {
    if (next == kMostWordPieces) return unsupported("more than {} lines", kMostWordPieces);
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view token = lines.substr(0, end);
    if (token.ends_with('\r')) token.remove_suffix(1);
    ids.insert_or_assign(std::string(token), next);  // of a token that stands twice, the last
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  WordPieceFile file;
  file.vocabulary_size = next;
  std::vector<AddedToken> special;
  for (const std::string_view name : {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"}) {
    const auto found = ids.find(name);
    if (found != ids.end()) {
      special.push_back({.content = std::string(name), .id = found->second, .special = true});
    } else if (special.size() < 3) {
      return unsupported("no line {} among {}: not the vocabulary of a BERT", name, next);
    }
    if (name == "[PAD]" && found != ids.end()) file.padding_id = found->second;
  }
  constexpr std::size_t kLongestWord = 100;
  const std::uint32_t unknown = special[0].id;
  file.before = {special[1].id};
  file.behind = {special[2].id};
  file.raw_added = AddedTokenMatcher(std::move(special));
  file.model = WordPiece(std::move(ids), unknown, "##", kLongestWord);
  file.normalizer = BertNormalizerOptions{.strip_accents = lowercase, .lowercase = lowercase};
  return file;
}

}  // namespace headrace::tokenize
