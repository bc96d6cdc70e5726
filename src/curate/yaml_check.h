// SPDX-License-Identifier: Apache-2.0
// Reads a YAML tree against a list of known keys and collects every fault with its line, so that a
// person mends a recipe once and not fault by fault.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/quote.h"
#include "curate/recipe_keys.h"

namespace headrace::curate {

class Faults {
  static constexpr std::size_t kMostOfAFault = 1000;  // code points

 public:
  // What the message quotes of the recipe may be of any length.
  void add(int line, std::string_view message) {
    faults_.push_back({line, excerpt(message, kMostOfAFault)});
  }
  bool empty() const { return faults_.empty(); }
  // "path:12: ..." or, for several, one per line in line order.
  std::string text(std::string_view path) const;

  // The entry of a key, made at first sight: what the parser asks for is what there is to know.
  KeyInfo& key(std::string_view full_name);
  const std::vector<KeyInfo>& keys() const { return keys_; }

 private:
  struct Fault {
    int line;
    std::string message;
  };
  std::vector<Fault> faults_;
  std::vector<KeyInfo> keys_;  // in the order in which they were asked for
  std::unordered_map<std::string, std::size_t> place_of_key_;
};

// Line of a node, from 1; 0 where YAML knows none.
int line_of(const YAML::Node& node);

// Whether the tree is one that can be walked: YAML's aliases may hold themselves. `nodes` counts.
bool is_bounded(const YAML::Node& node, std::size_t depth, std::size_t* nodes);

// The fault for each key that stands twice in one map, at any depth: YAML would let the last win.
void find_repeated_keys(const YAML::Node& node, Faults& faults);

// Calls read(node, place) for each item of a list, from 0. yaml-cpp walks to the item of a number
// from the front each time, so lists are never read by number.
template <class Read>
void for_each_item(const YAML::Node& list, Read read) {
  std::size_t place = 0;
  for (const YAML::Node& item : list) read(item, place++);
}

// A map of the recipe. Ask for keys; what is left over at the end is a fault.
class Section {
 public:
  // `name` is the dotted path of this section ("judge.rules"), "" at the top. A node that is no map
  // is a fault.
  Section(const YAML::Node& node, std::string name, Faults& faults);

  // Declares `key` as known and returns its node; undefined when absent or null.
  YAML::Node find(std::string_view key);
  // Declares `key` as known but not of this version: a fault when it is there.
  void later(std::string_view key);
  // The fault for each key that was never declared. Call once, last.
  void finish();

  std::string full(std::string_view key) const;
  int line() const { return line_; }
  Faults& faults() { return faults_; }

  void read(std::string_view key, std::string* value);
  void read(std::string_view key, bool* value);
  void read(std::string_view key, double* value, double low, double high);
  void read(std::string_view key, std::uint64_t* value, std::uint64_t low, std::uint64_t high);
  void read_bytes(std::string_view key, std::uint64_t* bytes);           // 512MiB, 8GB, 1000
  void read_list(std::string_view key, std::vector<std::string>* list);  // a list, or one scalar
  // Names of one of `allowed`; others are faults with a suggestion, `later` ones by name.
  void read_choice(std::string_view key, std::string* value,
                   const std::vector<std::string>& allowed,
                   const std::vector<std::string>& later = {});
  // Notes the names that a text is checked against.
  void note_choices(std::string_view key, std::vector<std::string> choices);
  void fault(const YAML::Node& at, std::string message);

 private:
  // Notes what a key takes, and its value before it is read.
  KeyInfo& describe(std::string_view key, KeyType type, std::string kind,
                    std::string default_value);

  YAML::Node node_;
  std::map<std::string, YAML::Node, std::less<>>
      entries_;  // of a word that stands twice, the first
  std::string name_;
  Faults& faults_;
  int line_;
  std::vector<std::string> known_;
};

// "'x' is not in this version (0.1.0)".
std::string not_in_this_version(std::string_view what);

// Parses "512MiB", "8GB", "100". Returns false when it is no size.
bool parse_bytes(std::string_view text, std::uint64_t* bytes);
std::string format_bytes(std::uint64_t bytes);

}  // namespace headrace::curate
