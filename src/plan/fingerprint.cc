// SPDX-License-Identifier: Apache-2.0
#include "plan/fingerprint.h"

#include <map>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::plan {
namespace {

constexpr int kOrderVersion = 1;  // of the function in shuffle/order.h

// "a=1;b=2" as a map; what has no '=' becomes a key without value.
std::map<std::string, std::string> parts_of(std::string_view text) {
  std::map<std::string, std::string> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t equals = part.find('=');
    parts[std::string(part.substr(0, equals))] =
        equals == std::string_view::npos ? "" : part.substr(equals + 1);
  }
  return parts;
}

std::string value_of(const std::map<std::string, std::string>& parts, const std::string& key) {
  const auto found = parts.find(key);
  return found == parts.end() ? "(not given)" : found->second;
}

}  // namespace

std::string fingerprint(const Manifest& manifest, const shuffle::OrderOptions& options) {
  std::string contents =
      fmt::format("{} {} {}\n", manifest.format, manifest.token_type, manifest.sequence_length);
  for (const ShardEntry& shard : manifest.shards) {
    contents += fmt::format("{} {}", shard.samples, shard.tokens);
    for (const ShardEntry::File& file : shard.files) contents += " " + file.xxh3_128;
    contents += '\n';
  }
  std::string text = fmt::format("order={};set={};shuffle={}", kOrderVersion,
                                 to_hex(hash128(contents)), options.shuffle);
  if (options.shuffle) {
    text += fmt::format(";seed={};lanes={};window={}", options.seed, options.lanes, options.window);
  }
  return text;
}

Result<void> check_fingerprint(std::string_view expected, std::string_view found) {
  if (expected == found) return {};
  const auto here = parts_of(expected);
  const auto there = parts_of(found);
  std::map<std::string, std::string> keys = here;
  keys.insert(there.begin(), there.end());
  std::vector<std::string> differences;
  for (const auto& [key, value] : keys) {
    const std::string ours = value_of(here, key);
    const std::string theirs = value_of(there, key);
    if (ours == theirs) continue;
    const std::string name = key == "set" ? "set (checksums of its shards)" : key;
    differences.push_back(fmt::format("{} is {}, the state was made with {}", name, ours, theirs));
  }
  return invalid_argument(
      "the state belongs to another sequence of samples: {}; open the feed as it was, or start at "
      "0",
      fmt::join(differences, "; "));
}

}  // namespace headrace::plan
