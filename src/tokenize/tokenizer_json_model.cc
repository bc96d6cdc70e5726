// SPDX-License-Identifier: Apache-2.0
// The model of a byte-level BPE file.
//
// The vocabulary must have a token for each byte that valid UTF-8 can hold (real files lack some
// of C0, C1, F5-FF). Then no symbol is ever unknown, and unk_token, fuse_unk and byte_fallback
// have nothing to act on: any value of theirs gives the same ids.
#include "tokenize/tokenizer_json_model.h"

#include <array>

#include "base/error.h"
#include "tokenize/byte_chars.h"

namespace headrace::tokenize {
namespace {

constexpr std::string_view kWhere = "model";

Result<void> check_model(const JsonObject& model) {
  if (!is_null_or_absent(model, "type")) {
    HEADRACE_ASSIGN_OR_RETURN(const std::string type, string_field(model, kWhere, "type"));
    if (type != "BPE") return unsupported("model \"{}\": only byte-level BPE is supported", type);
  }
  HEADRACE_RETURN_IF_ERROR(check_fields(
      model, kWhere,
      {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
       "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"}));
  HEADRACE_RETURN_IF_ERROR(check_only(model, kWhere, "dropout", {"0.0", "0"}));
  HEADRACE_RETURN_IF_ERROR(check_only(model, kWhere, "continuing_subword_prefix", {"\"\""}));
  return check_only(model, kWhere, "end_of_word_suffix", {"\"\""});
}

Result<void> load_vocabulary(const JsonObject& model, Tokenizer::Impl* impl) {
  JsonObject vocabulary;
  if (model.at_key("vocab").get(vocabulary) != simdjson::SUCCESS) {
    return corrupt("model: no object \"vocab\"");
  }
  impl->ids_by_text.reserve(vocabulary.size());
  for (const auto& [text, value] : vocabulary) {
    std::uint64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS) {
      return corrupt("model: id of \"{}\" is {}", text, shown(value));
    }
    if (id >= kMostIds) {
      return unsupported("model: id {} of \"{}\": the limit is {}", id, text, kMostIds - 1);
    }
    if (impl->bytes_by_id.size() <= id) impl->bytes_by_id.resize(id + 1);
    const bool is_new = impl->ids_by_text.emplace(text, static_cast<std::uint32_t>(id)).second;
    if (!is_new || impl->bytes_by_id[id].has_value()) {
      return corrupt("model: \"{}\" with id {}: token or id stands in the vocabulary twice", text,
                     id);
    }
    // Entries with other characters stand for nothing in a text; decoded, they are themselves.
    const auto bytes = bytes_of_chars(text);
    if (bytes.has_value()) impl->junctions.add(*bytes);
    impl->bytes_by_id[id] = bytes.value_or(std::string(text));
  }
  return {};
}

Result<std::array<std::uint32_t, 256>> find_byte_ids(const Tokenizer::Impl::Ids& ids_by_text) {
  std::array<std::uint32_t, 256> ids{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto found = ids_by_text.find(byte_char(static_cast<unsigned char>(byte)));
    const bool in_utf8 = byte != 0xC0 && byte != 0xC1 && byte < 0xF5;
    if (found == ids_by_text.end() && in_utf8) {
      return unsupported("model: no token for byte {:#04x} (\"{}\"): not a byte-level vocabulary",
                         byte, byte_char(static_cast<unsigned char>(byte)));
    }
    ids[byte] = found == ids_by_text.end() ? kNone : found->second;
  }
  return ids;
}

// ["a", "b"] or "a b".
Result<std::pair<std::string_view, std::string_view>> merge_parts(const JsonElement& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    const std::size_t blank = text.find(' ');
    if (blank != std::string_view::npos && text.find(' ', blank + 1) == std::string_view::npos) {
      return std::pair(text.substr(0, blank), text.substr(blank + 1));
    }
  }
  simdjson::dom::array pair;
  std::string_view left;
  std::string_view right;
  if (value.get(pair) == simdjson::SUCCESS && pair.size() == 2 &&
      pair.at(0).get(left) == simdjson::SUCCESS && pair.at(1).get(right) == simdjson::SUCCESS) {
    return std::pair(left, right);
  }
  return corrupt("{} is not a pair of tokens", shown(value));
}

Result<Merge> read_merge(const JsonElement& value, const Tokenizer::Impl::Ids& ids_by_text) {
  HEADRACE_ASSIGN_OR_RETURN(const auto parts, merge_parts(value));
  const std::string left(parts.first);
  const std::string right(parts.second);
  Merge merge;
  for (const auto& [text, id] : {std::pair(left, &merge.left), std::pair(right, &merge.right),
                                 std::pair(left + right, &merge.merged)}) {
    const auto found = ids_by_text.find(text);
    if (found == ids_by_text.end()) {
      return corrupt("\"{}\" + \"{}\": \"{}\" is not in the vocabulary", left, right, text);
    }
    *id = found->second;
  }
  return merge;
}

void find_unreachable(Tokenizer::Impl* impl) {
  MergeScratch scratch;
  std::vector<std::uint32_t> ids;
  for (const auto& [text, id] : impl->ids_by_text) {
    const auto bytes = bytes_of_chars(text);
    if (!bytes.has_value() || bytes->empty()) continue;
    ids.resize(bytes->size());
    const std::size_t count = impl->bpe->merge(*bytes, &scratch, ids.data());
    if (count != 1 || ids[0] != id) impl->unreachable.emplace(*bytes, id);
  }
}

}  // namespace

Result<std::vector<Merge>> read_merges(const JsonObject& model,
                                       const Tokenizer::Impl::Ids& ids_by_text) {
  simdjson::dom::array list;
  if (model.at_key("merges").get(list) != simdjson::SUCCESS) {
    return corrupt("model: no array \"merges\"");
  }
  std::vector<Merge> merges;
  std::size_t number = 0;
  for (const JsonElement value : list) {
    ++number;
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS && text.starts_with("#version")) continue;
    auto merge = read_merge(value, ids_by_text);
    if (!merge.has_value()) return merge.error().with_context(fmt::format("merge {}", number));
    merges.push_back(*merge);
  }
  if (merges.size() > kMostMerges) {
    return unsupported("model: {} merges: the limit is {}", merges.size(), kMostMerges);
  }
  return merges;
}

Result<void> load_model(const JsonElement& value, Tokenizer::Impl* impl) {
  HEADRACE_ASSIGN_OR_RETURN(const JsonObject model, object_of(value, kWhere));
  HEADRACE_RETURN_IF_ERROR(check_model(model));
  HEADRACE_RETURN_IF_ERROR(load_vocabulary(model, impl));
  HEADRACE_ASSIGN_OR_RETURN(const auto byte_ids, find_byte_ids(impl->ids_by_text));
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Merge> merges, read_merges(model, impl->ids_by_text));
  impl->bpe = std::make_unique<ByteBpe>(byte_ids, merges);
  HEADRACE_ASSIGN_OR_RETURN(const bool ignore_merges,
                            bool_field(model, kWhere, "ignore_merges", false));
  if (ignore_merges) find_unreachable(impl);
  return {};
}

}  // namespace headrace::tokenize
