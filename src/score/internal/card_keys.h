// SPDX-License-Identifier: Apache-2.0
// The JSON of a model card, key by key: what is wrong is told by key and by what was found.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "headrace/score.h"

#include "base/error.h"
#include "base/quote.h"

namespace headrace::score::internal {

using Json = nlohmann::ordered_json;

// Errors say where the text is no JSON.
Result<Json> parse_card_json(std::string_view text);

// One object of the card. The first fault of all is kept, so that the functions below stay lists.
class Keys {
 public:
  Keys(const Json& object, std::string where, std::optional<Status>* fault)
      : object_(object), where_(std::move(where)), fault_(fault) {
    if (object.is_object() || *fault_) return;
    const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
    *fault_ = corrupt("{} is {}, expected an object of keys",
                      where_.empty() ? std::string("the card")
                                     : "key '" + where_.substr(0, where_.size() - 1) + "'",
                      excerpt(text, 40));
  }

  // Nothing where it is missing or null; where it is needed, that is a fault.
  const Json* find(const char* key, bool needed) {
    if (*fault_) return nullptr;
    const auto found = object_.find(key);
    const bool missing = found == object_.end();
    if (!missing && !found->is_null()) return &*found;
    if (needed) *fault_ = corrupt("key '{}{}' is {}", where_, key, missing ? "missing" : "null");
    return nullptr;
  }

  std::string text(const char* key, bool needed) {
    const Json* found = find(key, needed);
    if (found == nullptr) return "";
    if (!found->is_string()) return fail(key, *found, "a string"), "";
    return found->get<std::string>();
  }

  std::vector<std::string> texts(const char* key, bool needed) {
    std::vector<std::string> texts;
    const Json* found = find(key, needed);
    if (found == nullptr) return texts;
    if (!found->is_array()) return fail(key, *found, "an array of strings"), texts;
    for (const Json& text : *found) {
      if (!text.is_string()) return fail(key, text, "a string"), texts;
      texts.push_back(text.get<std::string>());
    }
    return texts;
  }

  std::uint64_t count(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    fail(key, found == nullptr ? Json() : *found, "a count");
    return 0;
  }

  double number(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_number() && std::isfinite(found->get<double>()))
      return found->get<double>();
    fail(key, found == nullptr ? Json() : *found, "a number");
    return 0;
  }

  bool flag(const char* key) {
    const Json* found = find(key, false);
    if (found == nullptr || found->is_boolean()) return found != nullptr && found->get<bool>();
    return fail(key, *found, "true or false"), false;
  }

  double share(const char* key) {
    const double value = number(key);
    if (value < 0 || value > 1) fail(key, Json(value), "0 to 1");
    return value;
  }

  ScoreInterval interval(const char* key) {
    const Json* found = find(key, true);
    if (found != nullptr && found->is_array() && found->size() == 2 && (*found)[0].is_number() &&
        (*found)[1].is_number()) {
      const ScoreInterval made{(*found)[0].get<double>(), (*found)[1].get<double>()};
      if (made.low <= made.high && std::isfinite(made.low) && std::isfinite(made.high)) return made;
    }
    fail(key, found == nullptr ? Json() : *found, "[low, high]");
    return {};
  }

  std::vector<std::uint64_t> counts(const char* key) {
    std::vector<std::uint64_t> counts;
    const Json* found = find(key, true);
    if (found == nullptr) return counts;
    if (!found->is_array()) return fail(key, *found, "an array of counts"), counts;
    for (const Json& count : *found) {
      if (!count.is_number_unsigned()) return fail(key, count, "a count"), counts;
      counts.push_back(count.get<std::uint64_t>());
    }
    return counts;
  }

  void require(bool good, const char* key, std::string_view what) {
    if (!good && !*fault_) *fault_ = corrupt("key '{}{}': {}", where_, key, what);
  }

  // read_one(keys of the object) where there is one.
  template <class ReadOne>
  void object(const char* key, bool needed, ReadOne read_one) {
    const Json* found = find(key, needed);
    if (found == nullptr) return;
    Keys keys(*found, where_ + key + ".", fault_);
    if (!*fault_) read_one(keys);
  }

  // For each object of an array.
  template <class ReadOne>
  void objects(const char* key, bool needed, ReadOne read_one) {
    const Json* found = find(key, needed);
    if (found == nullptr) return;
    if (!found->is_array()) return fail(key, *found, "an array");
    for (std::size_t i = 0; i < found->size() && !*fault_; ++i) {
      Keys keys((*found)[i], fmt::format("{}{}[{}].", where_, key, i), fault_);
      if (!*fault_) read_one(keys);
    }
  }

 private:
  void fail(const char* key, const Json& found, const char* expected) {
    if (*fault_) return;
    const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    *fault_ = corrupt("key '{}{}' is {}, expected {}", where_, key, excerpt(text, 40), expected);
  }

  const Json& object_;
  std::string where_;  // "" or "evaluation.best_f1."
  std::optional<Status>* fault_;
};

// The keys of `evaluation`. `kind`: of the card.
ScoreEvaluation read_evaluation(Keys& keys, std::string_view kind);
Json to_json(const ScoreEvaluation& evaluation);

}  // namespace headrace::score::internal
