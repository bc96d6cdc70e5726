// SPDX-License-Identifier: Apache-2.0
#include "curate/yaml_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "headrace/version.h"

#include "base/suggest.h"

namespace headrace::curate {
namespace {

// No recipe comes near; aliases that hold themselves, or each other many times, pass them.
constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostNodes = 1'000'000;

// The word that a key is. YAML takes a bare `null` for the null value, as a key too.
std::optional<std::string> word_of(const YAML::Node& key) {
  if (key.IsNull()) return "null";
  return key.IsScalar() ? std::optional(key.Scalar()) : std::nullopt;
}

}  // namespace

std::string Faults::text(std::string_view path) const {
  std::vector<Fault> sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Fault& a, const Fault& b) { return a.line < b.line; });
  std::string text;
  for (const Fault& fault : sorted) {
    if (!text.empty()) text += '\n';
    text += fault.line > 0 ? fmt::format("{}:{}: {}", path, fault.line, fault.message)
                           : fmt::format("{}: {}", path, fault.message);
  }
  return text;
}

KeyInfo& Faults::key(std::string_view full_name) {
  const auto [found, added] = place_of_key_.emplace(full_name, keys_.size());
  return added ? keys_.emplace_back(KeyInfo{.key = std::string(full_name)}) : keys_[found->second];
}

int line_of(const YAML::Node& node) { return node.IsDefined() ? node.Mark().line + 1 : 0; }

std::string not_in_this_version(std::string_view what) {
  return fmt::format("'{}' is not in this version ({})", what, version());
}

bool parse_bytes(std::string_view text, std::uint64_t* bytes) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || !std::isfinite(number)) return false;
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},
                                                                   {"B", 1},
                                                                   {"KB", 1e3},
                                                                   {"MB", 1e6},
                                                                   {"GB", 1e9},
                                                                   {"TB", 1e12},
                                                                   {"KiB", 1024.0},
                                                                   {"MiB", 1048576.0},
                                                                   {"GiB", 1073741824.0},
                                                                   {"TiB", 1099511627776.0}};
  for (const auto& [name, factor] : kUnits) {
    if (unit != name) continue;
    const double value = number * factor;
    if (value >= 9e18) return false;
    *bytes = static_cast<std::uint64_t>(value);
    return true;
  }
  return false;
}

// "512MiB": as parse_bytes reads it.
std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::pair<std::string_view, int> kUnits[] = {
      {"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}};
  for (const auto& [unit, bits] : kUnits) {
    if (bytes > 0 && bytes % (std::uint64_t{1} << bits) == 0)
      return fmt::format("{}{}", bytes >> bits, unit);
  }
  return fmt::format("{}", bytes);
}

bool is_bounded(const YAML::Node& node, std::size_t depth, std::size_t* nodes) {
  if (depth > kDeepest || ++*nodes > kMostNodes) return false;
  for (const auto& entry : node) {
    if (!is_bounded(node.IsMap() ? entry.second : entry, depth + 1, nodes)) return false;
  }
  return true;
}

void find_repeated_keys(const YAML::Node& node, Faults& faults) {
  std::map<std::string, int> seen;
  for (const auto& entry : node) {
    if (!node.IsMap()) {
      find_repeated_keys(entry, faults);
      continue;
    }
    find_repeated_keys(entry.second, faults);
    if (!entry.first.IsScalar()) continue;
    const int line = line_of(entry.first);
    const auto [first, added] = seen.emplace(entry.first.Scalar(), line);
    if (added) continue;
    faults.add(line, fmt::format("key '{}' stands twice, lines {} and {}", first->first,
                                 first->second, line));
  }
}

Section::Section(const YAML::Node& node, std::string name, Faults& faults)
    : node_(node), name_(std::move(name)), faults_(faults), line_(line_of(node)) {
  if (node_.IsDefined() && !node_.IsNull() && !node_.IsMap()) {
    faults_.add(line_, fmt::format("{} must be a map of keys",
                                   name_.empty() ? "the recipe" : "'" + name_ + "'"));
    node_ = YAML::Node();
  }
  if (!node_.IsMap()) return;
  for (const auto& entry : node_) {
    if (const std::optional<std::string> word = word_of(entry.first))
      entries_.emplace(*word, entry.second);
  }
}

std::string Section::full(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

YAML::Node Section::find(std::string_view key) {
  known_.emplace_back(key);
  faults_.key(full(key));
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.IsNull())
    return YAML::Node(YAML::NodeType::Undefined);
  return found->second;
}

void Section::later(std::string_view key) {
  const YAML::Node node = find(key);
  faults_.key(full(key)).later = true;
  if (node.IsDefined()) fault(node, not_in_this_version(full(key)));
}

void Section::finish() {
  if (!node_.IsMap()) return;
  const std::set<std::string, std::less<>> known(known_.begin(), known_.end());
  for (const auto& entry : node_) {
    const int line = line_of(entry.first);
    const std::optional<std::string> key = word_of(entry.first);
    if (!key) {
      faults_.add(line, fmt::format("a key of '{}' is not a word", name_));
    } else if (!known.contains(*key)) {
      faults_.add(line, fmt::format("unknown key '{}'{}", full(*key), suggestion(*key, known_)));
    }
  }
}

KeyInfo& Section::describe(std::string_view key, KeyType type, std::string kind,
                           std::string default_value) {
  KeyInfo& info = faults_.key(full(key));
  info.type = type;
  info.kind = std::move(kind);
  info.default_value = std::move(default_value);
  return info;
}

void Section::note_choices(std::string_view key, std::vector<std::string> choices) {
  faults_.key(full(key)).choices = std::move(choices);
}

void Section::fault(const YAML::Node& at, std::string message) {
  faults_.add(line_of(at), std::move(message));
}

void Section::read(std::string_view key, std::string* value) {
  const YAML::Node node = find(key);
  describe(key, KeyType::kText, "text", *value);
  if (!node.IsDefined()) return;
  if (!node.IsScalar()) return fault(node, fmt::format("'{}' must be one value", full(key)));
  *value = node.Scalar();
}

void Section::read(std::string_view key, bool* value) {
  const YAML::Node node = find(key);
  describe(key, KeyType::kBool, "true or false", *value ? "true" : "false");
  if (!node.IsDefined()) return;
  if (!YAML::convert<bool>::decode(node, *value))
    fault(node, fmt::format("'{}' must be true or false", full(key)));
}

void Section::read(std::string_view key, double* value, double low, double high) {
  const YAML::Node node = find(key);
  KeyInfo& info =
      describe(key, KeyType::kNumber,
               std::isfinite(low) ? fmt::format("number from {} to {}", low, high) : "number",
               *value >= low && *value <= high ? fmt::format("{}", *value) : "");
  info.low = low;
  info.high = high;
  if (!node.IsDefined()) return;
  double number = 0;
  const std::string text = node.IsScalar() ? node.Scalar() : "...";
  if (!node.IsScalar() || !YAML::convert<double>::decode(node, number) ||
      !(number >= low && number <= high && std::isfinite(number))) {
    const bool infinite = std::isinf(number) && !std::isfinite(low);
    return fault(node,
                 fmt::format("'{}' must be {}, not '{}'{}", full(key),
                             std::isfinite(low) ? fmt::format("a number from {} to {}", low, high)
                                                : std::string("a number"),
                             text, infinite ? ": without a bound, leave the key out" : ""));
  }
  *value = number;
}

void Section::read(std::string_view key, std::uint64_t* value, std::uint64_t low,
                   std::uint64_t high) {
  const YAML::Node node = find(key);
  KeyInfo& info = describe(key, KeyType::kInteger,
                           high == std::numeric_limits<std::uint64_t>::max()
                               ? fmt::format("whole number, {} or more", low)
                               : fmt::format("whole number from {} to {}", low, high),
                           *value >= low && *value <= high ? fmt::format("{}", *value) : "");
  info.low = static_cast<double>(low);
  info.high = static_cast<double>(high);
  if (!node.IsDefined()) return;
  std::uint64_t number = 0;
  const std::string text = node.IsScalar() ? node.Scalar() : "...";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < low || number > high) {
    return fault(node, fmt::format("'{}' must be a whole number from {} to {}, not '{}'", full(key),
                                   low, high, text));
  }
  *value = number;
}

void Section::read_bytes(std::string_view key, std::uint64_t* bytes) {
  const YAML::Node node = find(key);
  describe(key, KeyType::kSize, "size such as 512MiB", format_bytes(*bytes));
  if (!node.IsDefined()) return;
  if (!node.IsScalar() || !parse_bytes(node.Scalar(), bytes)) {
    fault(node, fmt::format("'{}' must be a size such as 512MiB, not '{}'", full(key),
                            node.IsScalar() ? node.Scalar() : "..."));
  }
}

void Section::read_list(std::string_view key, std::vector<std::string>* list) {
  const YAML::Node node = find(key);
  describe(key, KeyType::kWords, "list of words, or one word",
           fmt::format("{}", fmt::join(*list, ", ")));
  if (!node.IsDefined()) return;
  list->clear();
  if (node.IsScalar()) {
    list->push_back(node.Scalar());
    return;
  }
  if (!node.IsSequence()) return fault(node, fmt::format("'{}' must be a list", full(key)));
  for (const YAML::Node& item : node) {
    if (!item.IsScalar())
      return fault(item, fmt::format("'{}' must be a list of words", full(key)));
    list->push_back(item.Scalar());
  }
}

void Section::read_choice(std::string_view key, std::string* value,
                          const std::vector<std::string>& allowed,
                          const std::vector<std::string>& later) {
  const YAML::Node node = find(key);
  describe(key, KeyType::kChoice, fmt::format("one of {}", fmt::join(allowed, ", ")), *value)
      .choices = allowed;
  faults_.key(full(key)).later_values = later;
  if (!node.IsDefined()) return;
  if (!node.IsScalar()) return fault(node, fmt::format("'{}' must be one value", full(key)));
  const std::string& given = node.Scalar();
  if (std::find(later.begin(), later.end(), given) != later.end()) {
    return fault(node, not_in_this_version(fmt::format("{}: {}", full(key), given)));
  }
  if (std::find(allowed.begin(), allowed.end(), given) == allowed.end()) {
    return fault(
        node, fmt::format("'{}' cannot be '{}'{}", full(key), given, suggestion(given, allowed)));
  }
  *value = given;
}

}  // namespace headrace::curate
