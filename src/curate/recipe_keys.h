// SPDX-License-Identifier: Apache-2.0
// Every key of a recipe, for the reference page and the schema.
#pragma once

#include <string>
#include <vector>

namespace headrace::curate {

// What a key takes, for programs; kOther where the keys below it tell.
enum class KeyType { kOther, kText, kBool, kNumber, kInteger, kSize, kWords, kChoice };

struct KeyInfo {
  std::string key;            // dotted path: "sources[].domain", "judge.rules.MEASURE.min"
  std::string kind;           // what it takes: "whole number from 1 to 4096"
  std::string default_value;  // as a recipe would write it; "" = none
  KeyType type = KeyType::kOther;
  double low = 0;  // of numbers
  double high = 0;
  std::vector<std::string> choices;  // of a choice, and of a text that must be one of some names
  // Single values besides: "auto"; "bool" for true and false; "words" for words in a list of maps.
  std::vector<std::string> also;
  std::vector<std::string> later_values;  // known, and not of this version
  bool later = false;                     // the key is known, and not of this version
  std::string summary;                    // one sentence; "" for a key of a later version
};

// The keys that the parser asks for, in its order, each once, with names in capitals where a recipe
// has names of its own: DOMAIN, MEASURE.
std::vector<KeyInfo> recipe_keys();

// The keys that parsing this text asks for, without summaries. What a section would ask for is only
// known when the section is there.
std::vector<KeyInfo> declared_keys(const std::string& yaml);

}  // namespace headrace::curate
