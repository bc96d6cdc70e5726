// SPDX-License-Identifier: Apache-2.0
#include "score/transformer_settings.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/log.h"
#include "io/file.h"

namespace headrace::score {
namespace {

constexpr std::size_t kMostTokens = 1 << 16;
constexpr std::size_t kMostBatchTokens = 1 << 24;
constexpr std::size_t kDefaultLength = 512;
constexpr std::int64_t kPaddedVocabulary = 256;  // tables are often rounded up, by less than this

Result<std::size_t> number_of(const OptionValues& options, const std::string& name,
                              std::size_t least, std::size_t most) {
  const std::string& text = options.at(name);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return invalid_argument("score transformer: {} is '{}', it must be {} to {}", name, text, least,
                            most);
  }
  return number;
}

Result<std::size_t> positive_class(const OptionValues& options, std::size_t classes) {
  std::vector<std::string> labels;
  if (const auto given = options.find("labels"); given != options.end()) {
    labels = split_list(given->second);
    if (labels.size() != classes) {
      return invalid_argument("score transformer: {} labels ({}), but the model has {} classes",
                              labels.size(), given->second, classes);
    }
    for (std::size_t i = 0; i < classes; ++i) {
      if (std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), labels[i]) ==
          labels.begin() + static_cast<std::ptrdiff_t>(i)) {
        continue;
      }
      return invalid_argument("score transformer: the label '{}' stands twice in labels ({})",
                              labels[i], given->second);
    }
  }
  const auto positive = options.find("positive");
  if (positive == options.end()) return classes - 1;
  const std::string& name = positive->second;
  const auto found = std::ranges::find(labels, name);
  if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error == std::errc() && end == name.data() + name.size() && index < classes) return index;
  return invalid_argument(
      "score transformer: positive is '{}': it must be one of the labels ({}) or a class, 0 to {}",
      name, labels.empty() ? "none are given: say 'labels'" : options.at("labels"), classes - 1);
}

// Explicit, or what the tokenizer's file says, or 512; never more than the model has places for.
Result<std::size_t> sequence_length(const OptionValues& options, const ModelFacts& facts,
                                    const SequenceTokenizer& tokenizer) {
  const auto places = static_cast<std::size_t>(facts.positions.value_or(kMostTokens));
  std::size_t length = std::min(tokenizer.max_length().value_or(kDefaultLength), places);
  if (options.contains("max_length")) {
    HEADRACE_ASSIGN_OR_RETURN(length, number_of(options, "max_length", 1, kMostTokens));
    if (length > places) {
      return invalid_argument("score transformer: max_length is {}, the model has places for {}",
                              length, places);
    }
  }
  if (length <= tokenizer.added()) {
    return invalid_argument(
        "score transformer: a length of {} leaves no room for a text: the tokenizer adds {} tokens",
        length, tokenizer.added());
  }
  return length;
}

}  // namespace

Result<std::string> tokenizer_path(const OptionValues& options, const std::string& model) {
  if (const auto given = options.find("tokenizer"); given != options.end()) return given->second;
  const std::size_t slash = model.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : model.substr(0, slash + 1);
  for (const char* const name : {"tokenizer.json", "vocab.txt"}) {
    if (io::exists(folder + name)) return folder + name;
  }
  return not_found(
      "score transformer: neither tokenizer.json nor vocab.txt is beside the model {}; name the "
      "file with 'tokenizer'",
      model);
}

Result<void> check_vocabulary(const ModelFacts& facts, const SequenceTokenizer& tokenizer,
                              const std::string& path) {
  const auto tokens = static_cast<std::int64_t>(tokenizer.vocabulary_size());
  if (tokens == facts.tokens) return {};
  if (tokens < facts.tokens && facts.tokens - tokens < kPaddedVocabulary) {
    log_warning(
        "the tokenizer {} has {} tokens, the model's table {} rows: the last {} are taken for "
        "padding; if the file was cut, its last words are not known",
        path, tokens, facts.tokens, facts.tokens - tokens);
    return {};
  }
  return invalid_argument(
      "score transformer: the tokenizer {} has {} tokens, the model's table {} rows: they do not "
      "belong together",
      path, tokens, facts.tokens);
}

Result<TransformerSettings> transformer_settings(const OptionValues& options,
                                                 const ModelFacts& facts,
                                                 const SequenceTokenizer& tokenizer) {
  TransformerSettings settings;
  settings.classes = facts.classes;
  settings.padding_id = tokenizer.padding_id();
  HEADRACE_ASSIGN_OR_RETURN(settings.max_length, sequence_length(options, facts, tokenizer));
  HEADRACE_ASSIGN_OR_RETURN(settings.positive,
                            positive_class(options, std::max<std::size_t>(facts.classes, 2)));
  HEADRACE_ASSIGN_OR_RETURN(settings.batch_tokens,
                            number_of(options, "batch_tokens", 1, kMostBatchTokens));
  return settings;
}

}  // namespace headrace::score
