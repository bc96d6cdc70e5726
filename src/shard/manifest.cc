// SPDX-License-Identifier: Apache-2.0
// manifest.json: what a shard set consists of. JSON, because people and other programs read it; one
// canonical form (keys in the order below, two blanks, a newline at the end), because the same run
// must give the same bytes.
//
// Its last key is a checksum of the text before it, so that a flipped digit in a count is found
// like a flipped bit in a shard; behind it stands the end and nothing else. It is checked before
// the version: it stands there in all versions. Unknown keys are ignored, so that a later release
// can add some; a change of meaning raises the version, and a newer version is refused.
#include "shard/manifest.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "base/json_fault.h"
#include "io/file.h"
#include "io/uri.h"

namespace headrace::shard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kChecksumKey = "\"checksum\"";

// Reads keys of one object and remembers the first fault, so that the lists below stay lists.
class Keys {
 public:
  Keys(const Json& object, std::string where, std::optional<Status>* fault)
      : object_(object), where_(std::move(where)), fault_(fault) {
    if (!object.is_object()) fail("", object, "an object");
  }

  void read(const char* key, std::string* value) {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_string()) return fail(key, *found, "a string");
    *value = found->get<std::string>();
  }

  template <class Integer>
  void read(const char* key, Integer* value) {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_number_unsigned() ||
        found->get<std::uint64_t>() > std::numeric_limits<Integer>::max()) {
      return fail(key, *found,
                  fmt::format("a whole number from 0 to {}", std::numeric_limits<Integer>::max()));
    }
    *value = found->get<Integer>();
  }

  // As read(), for a key that may be absent.
  template <class T>
  void read_if_there(const char* key, T* value) {
    if (object_.is_object() && object_.contains(key)) read(key, value);
  }

  void read(const char* key, std::optional<std::uint32_t>* value) { read(key, &value->emplace()); }

  void read(const char* key, std::vector<std::uint32_t>* values) {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return fail(key, *found, "an array");
    for (const Json& value : *found) {
      if (!value.is_number_unsigned() ||
          value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
        return fail(key, value, "an array of token ids");
      }
      values->push_back(value.get<std::uint32_t>());
    }
  }

  // read_one(keys of the element, element to fill) for each element of an array of objects.
  template <class T, class ReadOne>
  void read_all(const char* key, std::vector<T>* values, ReadOne read_one) {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return fail(key, *found, "an array");
    for (std::size_t i = 0; i < found->size() && !*fault_; ++i) {
      Keys keys((*found)[i], fmt::format("{}{}[{}]", where_, key, i), fault_);
      keys.where_ += '.';
      read_one(keys, &values->emplace_back());
    }
  }

  void require(bool good, const char* key, const std::string& what) {
    if (!good && !*fault_) *fault_ = corrupt("key '{}{}': {}", where_, key, what);
  }

 private:
  const Json* find(const char* key) {
    if (*fault_) return nullptr;
    const auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    *fault_ = corrupt("key '{}{}' is missing", where_, key);
    return nullptr;
  }

  void fail(const char* key, const Json& found, const std::string& expected) {
    std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    if (!*fault_) {
      *fault_ = corrupt("key '{}{}' is {} ({}), expected {}", where_, key, found.type_name(), text,
                        expected);
    }
  }

  const Json& object_;
  std::string where_;  // "" or "shards[3]."
  std::optional<Status>* fault_;
};

bool is_hash(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Below the manifest: nobody's manifest may name /etc or ../other.
bool is_inside(const std::string& path) {
  const std::filesystem::path parsed(path);
  return !path.empty() && parsed.is_relative() &&
         std::none_of(parsed.begin(), parsed.end(), [](const auto& part) { return part == ".."; });
}

void read_file_entry(Keys& keys, ShardEntry::File* file) {
  keys.read("path", &file->path);
  keys.read("bytes", &file->bytes);
  keys.read("xxh3_128", &file->xxh3_128);
  keys.require(is_inside(file->path), "path",
               fmt::format("'{}' does not lie below the manifest", file->path));
  keys.require(is_hash(file->xxh3_128), "xxh3_128",
               fmt::format("'{}' is not 32 lower-case hex digits", file->xxh3_128));
}

void read_shard(Keys& keys, ShardEntry* shard) {
  keys.read("path", &shard->path);
  keys.read("samples", &shard->samples);
  keys.read("tokens", &shard->tokens);
  keys.read_all("files", &shard->files, read_file_entry);
  keys.require(!shard->files.empty() && shard->files.front().path == shard->path, "files",
               fmt::format("the first file is not the main file '{}'", shard->path));
}

void read_domain(Keys& keys, DomainEntry* domain) {
  keys.read("name", &domain->name);
  keys.read("documents", &domain->documents);
  keys.read("tokens", &domain->tokens);
}

void read_keys(Keys& keys, Manifest* manifest) {
  keys.read("format", &manifest->format);
  keys.read("seed", &manifest->seed);
  keys.read("samples", &manifest->samples);
  keys.read("tokens", &manifest->tokens);
  keys.read("sequence_length", &manifest->sequence_length);
  keys.read_if_there("packing", &manifest->packing);
  keys.read("token_type", &manifest->token_type);
  keys.read("tokenizer_sha256", &manifest->tokenizer_sha256);
  keys.read("tokenizer_path", &manifest->tokenizer_path);
  keys.read("vocabulary_size", &manifest->vocabulary_size);
  keys.read("end_token", &manifest->end_token);
  keys.read_if_there("end_token_id", &manifest->end_token_id);
  keys.read_if_there("begin_token_ids", &manifest->begin_token_ids);
  keys.read("leftover_tokens", &manifest->leftover_tokens);
  keys.read_if_there("padding_tokens", &manifest->padding_tokens);
  keys.read("run_fingerprint", &manifest->run_fingerprint);
  keys.read_all("domains", &manifest->domains, read_domain);
  keys.read_all("shards", &manifest->shards, read_shard);

  std::uint64_t samples = 0;
  std::uint64_t tokens = 0;
  for (const ShardEntry& shard : manifest->shards) {
    samples += shard.samples;
    tokens += shard.tokens;
  }
  keys.require(samples == manifest->samples, "samples",
               fmt::format("{}, but the shards have {}", manifest->samples, samples));
  keys.require(tokens == manifest->tokens, "tokens",
               fmt::format("{}, but the shards have {}", manifest->tokens, tokens));
}

// The library copies and prints values by recursion, so a text of nothing but brackets would end
// the stack. What lies deeper than a manifest ever is (shards, shard, files, file: 4) is thrown
// away while it is parsed, and the text is refused.
constexpr int kMostLevels = 16;

Result<Json> parse_json(std::string_view text, const std::string& path) {
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMostLevels;
    return depth <= kMostLevels;
  };
  try {
    Json json = Json::parse(text, keep);
    if (!too_deep) return json;
    return corrupt("{}: brackets inside each other, more than {} deep", path, kMostLevels);
  } catch (const Json::exception& error) {
    return corrupt("{}: not JSON: {}", path, json_fault(error, text));
  }
}

// The checksum of a manifest's text: of everything before its last "checksum".
std::string checksum_of(std::string_view text) {
  return to_hex(hash128(text.substr(0, text.rfind(kChecksumKey))));
}

// What a manifest ends in, from its last "checksum" on.
std::string end_with(std::string_view checksum) {
  return fmt::format("{}: \"{}\"\n}}\n", kChecksumKey, checksum);
}

Json file_json(const ShardEntry::File& file) {
  return {{"path", file.path}, {"bytes", file.bytes}, {"xxh3_128", file.xxh3_128}};
}

Json shard_json(const ShardEntry& shard) {
  Json files = Json::array();
  for (const ShardEntry::File& file : shard.files) files.push_back(file_json(file));
  return {{"path", shard.path},
          {"samples", shard.samples},
          {"tokens", shard.tokens},
          {"files", std::move(files)}};
}

}  // namespace

std::string manifest_path(const std::string& path) {
  std::error_code ignored;
  const std::string place = io::local_path(path);
  return std::filesystem::is_directory(place, ignored) ? io::join(place, kManifestName) : place;
}

std::string manifest_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(manifest_path(path)).parent_path().string();
  return folder.empty() ? "." : folder;
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const Json json, parse_json(text, path));
  std::optional<Status> fault;
  Keys keys(json, "", &fault);
  std::uint32_t version = 0;
  std::string checksum;
  keys.read("version", &version);
  keys.read("checksum", &checksum);
  if (fault) return fault->with_context(path);
  if (const std::string found = checksum_of(text); found != checksum) {
    return corrupt(
        "{}: key 'checksum' is {}, the text before it has {}: it was changed after it "
        "was written",
        path, checksum, found);
  }
  if (!text.ends_with(end_with(checksum))) {
    return corrupt(
        "{}: key 'checksum': behind it stands more or less than the end of a manifest: it was "
        "changed "
        "after it was written",
        path);
  }
  if (version > Manifest::kVersion) {
    return unsupported(
        "{}: version {} is newer than {}, the newest this program reads; upgrade "
        "headrace",
        path, version, Manifest::kVersion);
  }
  keys.require(version >= 1, "version", "must be at least 1");
  Manifest manifest;
  read_keys(keys, &manifest);
  if (fault) return fault->with_context(path);
  return manifest;
}

}  // namespace headrace::shard

namespace headrace {

Result<Manifest> read_manifest(const std::string& path) {
  const std::string file = shard::manifest_path(path);
  HEADRACE_ASSIGN_OR_RETURN(const std::string text, io::read_file(file));
  return shard::parse_manifest(text, file);
}

std::string format_manifest(const Manifest& manifest) {
  using shard::Json;
  Json domains = Json::array();
  for (const DomainEntry& domain : manifest.domains) {
    domains.push_back(
        Json{{"name", domain.name}, {"documents", domain.documents}, {"tokens", domain.tokens}});
  }
  Json shards = Json::array();
  for (const ShardEntry& entry : manifest.shards) shards.push_back(shard::shard_json(entry));
  Json json = {{"version", manifest.may_be_shorter() ? Manifest::kVersion : 1},
               {"format", manifest.format},
               {"seed", manifest.seed},
               {"samples", manifest.samples},
               {"tokens", manifest.tokens},
               {"sequence_length", manifest.sequence_length},
               {"token_type", manifest.token_type},
               {"tokenizer_sha256", manifest.tokenizer_sha256},
               {"tokenizer_path", manifest.tokenizer_path},
               {"vocabulary_size", manifest.vocabulary_size},
               {"end_token", manifest.end_token},
               {"leftover_tokens", manifest.leftover_tokens}};
  // Not in sets of before they were said.
  if (!manifest.packing.empty()) json["packing"] = manifest.packing;
  if (manifest.end_token_id) json["end_token_id"] = *manifest.end_token_id;
  if (!manifest.begin_token_ids.empty()) json["begin_token_ids"] = manifest.begin_token_ids;
  if (manifest.may_be_shorter()) json["padding_tokens"] = manifest.padding_tokens;
  json["run_fingerprint"] = manifest.run_fingerprint;
  json["domains"] = std::move(domains);
  json["shards"] = std::move(shards);
  // Strings that are not UTF-8 (a file name) are written with U+FFFD rather than thrown about.
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // "\n}"
  text += ",\n  ";
  const std::string checksum = to_hex(hash128(text));
  return text + shard::end_with(checksum);
}

}  // namespace headrace
