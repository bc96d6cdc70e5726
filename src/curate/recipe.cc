// SPDX-License-Identifier: Apache-2.0
// recipe.yaml → Recipe::Data. Every key is declared exactly once here: known, or known and of a
// later version. All faults are collected before any is reported.
#include "curate/recipe.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.h"
#include "curate/bounded_file.h"
#include "curate/judge_columns.h"
#include "curate/recipe_judge.h"
#include "curate/yaml_check.h"
#include "io/file.h"
#include "io/uri.h"
#include "measure/measure.h"
#include "normalize/normalize.h"
#include "read/reader.h"
#include "shard/container.h"

namespace headrace {
namespace curate {
namespace {

constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();
// A million nodes, the most that are taken, are written in less.
constexpr std::uint64_t kLongestRecipeBytes = 64 << 20;
// Below this the buffers of a sort would be smaller than what a disk likes to read.
constexpr std::uint64_t kLeastMemory = 64ULL << 20;

void read_source(const YAML::Node& node, std::size_t index, Recipe::Data& recipe, Faults& faults) {
  Section section(node, fmt::format("sources[{}]", index), faults);
  SourceSpec source;
  const int line = section.line();
  source.place = fmt::format("recipe line {}", line);
  section.read("domain", &source.domain);
  if (source.domain.empty())
    faults.add(line, fmt::format("'{}' is needed", section.full("domain")));
  section.read_list("paths", &source.paths);
  if (source.paths.empty())
    faults.add(line, fmt::format("'{}' is needed: a list of globs", section.full("paths")));
  for (const std::string& path : source.paths) {
    if (!io::is_remote(path)) continue;
    if (const auto uri = io::parse_uri(path); !uri) {
      faults.add(line, uri.error().message());
    }
  }
  std::vector<std::string> formats = {"auto"};
  for (const auto& reader : read::registry().all()) formats.push_back(reader.name);
  section.read_choice("format", &source.format, formats, {"images"});
  section.read("text", &source.text);
  const YAML::Node keep = section.find("keep");
  if (keep.IsDefined() && !(keep.IsScalar() && keep.Scalar() == "all")) {
    source.keep_all = false;
    section.read_list("keep", &source.keep);
  }
  section.read_choice("documents", &source.documents, {"file", "paragraph", "line"});
  section.read("encoding", &source.encoding);
  if (source.encoding != "auto") {
    const YAML::Node encoding = section.find("encoding");
    if (const auto decoder = normalize::decoders().declared(source.encoding); !decoder) {
      section.fault(encoding,
                    fmt::format("'{}': {}", section.full("encoding"), decoder.error().message()));
    }
  }
  section.finish();
  recipe.sources.push_back(std::move(source));
}

bool takes_list(const std::string& step, const std::string& option) {
  const normalize::StepInfo* info = normalize::registry().find(step);
  return info != nullptr &&
         std::any_of(info->options.begin(), info->options.end(),
                     [&](const OptionInfo& known) { return known.name == option && known.list; });
}

// One value, or a list joined by commas. Returns false when it is neither.
bool read_step_option(const YAML::Node& node, bool list, std::string* value) {
  if (node.IsScalar()) {
    *value = node.Scalar();
    return true;
  }
  if (!list || !node.IsSequence()) return false;
  for (const auto& item : node) {
    if (!item.IsScalar()) return false;
    *value += (value->empty() ? "" : ",") + item.Scalar();
  }
  return true;
}

void read_step(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  StepSpec step;
  if (node.IsScalar()) {
    step.name = node.Scalar();
  } else if (node.IsMap() && node.size() == 1) {
    step.name = node.begin()->first.Scalar();
    const YAML::Node options = node.begin()->second;
    if (options.IsMap()) {
      for (const auto& option : options) {
        const std::string name = option.first.Scalar();
        if (!read_step_option(option.second, takes_list(step.name, name), &step.options[name])) {
          faults.add(line_of(option.first),
                     fmt::format("normalize: {}.{} must be one value{}", step.name, name,
                                 takes_list(step.name, name) ? " or a list" : ""));
          return;
        }
      }
    } else if (!options.IsNull()) {
      faults.add(line_of(options),
                 fmt::format("normalize: '{}' takes its options as {{name: value}}", step.name));
      return;
    }
  } else {
    faults.add(line_of(node),
               "normalize: each step is a name, or one name with options: {whitespace: {mode: "
               "single_line}}");
    return;
  }
  if (const auto made = normalize::make_step(step.name, step.options); !made) {
    faults.add(line_of(node), "normalize: " + made.error().message());
    return;
  }
  recipe.normalize.push_back(std::move(step));
}

void read_word_lists(Section& section, const char* key, measure::WordListKind kind,
                     Recipe::Data& recipe) {
  const YAML::Node node = section.find(key);
  if (!node.IsDefined()) return;
  Section languages(node, section.full(key), section.faults());
  if (!node.IsMap()) return;
  for (const auto& entry : node) {
    WordListSpec spec{kind, entry.first.Scalar(), ""};
    if (const auto known = check_language_code(spec.language); !known) {
      section.faults().add(line_of(entry.first),
                           fmt::format("'{}': {}", section.full(key), known.error().message()));
    }
    languages.read(spec.language, &spec.path);
    if (!spec.path.empty()) recipe.word_lists.push_back(std::move(spec));
  }
  languages.finish();
}

void read_measure(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "measure", faults);
  read_word_lists(section, "stop_words", measure::WordListKind::kStopWords, recipe);
  read_word_lists(section, "flagged_words", measure::WordListKind::kFlaggedWords, recipe);
  section.finish();
}

void read_mix(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "mix", faults);
  if (const YAML::Node weights = section.find("weights"); weights.IsDefined()) {
    Section weight_section(weights, "mix.weights", faults);
    const std::vector<std::string> domains = recipe.domains();
    for (const std::string& domain : domains) {
      double weight = -1;
      weight_section.read(domain, &weight, 1e-9, 1e9);
      if (weight > 0) {
        recipe.mix_weights[domain] = weight;
      } else if (!weight_section.find(domain).IsDefined()) {
        faults.add(weight_section.line(),
                   fmt::format("'mix.weights' has no weight for the domain '{}'", domain));
      }
    }
    weight_section.finish();
  }
  std::uint64_t repeats = 1;
  section.read("max_repeats", &repeats, 1, kAnyCount);
  if (repeats != 1)
    faults.add(section.line(), not_in_this_version(fmt::format("mix.max_repeats: {}", repeats)));
  std::uint64_t total = 0;
  section.read("total_tokens", &total, 1, kAnyCount);
  if (total > 0) recipe.mix_total_tokens = total;
  if (const YAML::Node validation = section.find("validation"); validation.IsDefined())
    recipe.validation = read_validation(validation, faults);
  section.finish();
}

void read_special_tokens(Section& tokenize, TokenizerOptions* options, Faults& faults) {
  const YAML::Node node = tokenize.find("special_tokens");
  if (!node.IsDefined()) return;
  Section section(node, "tokenize.special_tokens", faults);
  if (!node.IsMap()) return;
  for (const auto& entry : node) {
    const std::string text = entry.first.IsScalar() ? entry.first.Scalar() : "";
    std::uint64_t id = 0;
    section.read(text, &id, 0, (1U << 21) - 1);
    options->special_tokens.emplace_back(text, static_cast<std::uint32_t>(id));
  }
  section.finish();
}

void read_tokenize(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "tokenize", faults);
  TokenizeSpec spec;
  section.read("tokenizer", &spec.tokenizer);
  if (spec.tokenizer.empty())
    faults.add(section.line(), "'tokenize.tokenizer' is needed: the path of a tokenizer.json");
  section.read("pattern", &spec.options.pattern);
  read_special_tokens(section, &spec.options, faults);
  if (section.find("lowercase").IsDefined()) {
    bool lowercase = false;
    section.read("lowercase", &lowercase);
    spec.options.lowercase = lowercase;
  }
  section.read("begin", &spec.begin);
  section.read("end", &spec.end);
  if (spec.end.empty()) {
    faults.add(section.line(),
               "'tokenize.end' is needed: the token that closes each document, as the tokenizer "
               "file names it, or none");
  }
  section.finish();
  recipe.tokenize = std::move(spec);
}

void read_pack(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "pack", faults);
  std::string method = "concat";
  const auto& methods = pack::kMethodNames;
  section.read_choice("method", &method, {std::begin(methods), std::end(methods)});
  if (const auto* found = std::ranges::find(methods, method); found != std::end(methods)) {
    recipe.pack_method = static_cast<pack::Method>(found - std::begin(methods));
  }
  std::uint64_t length = recipe.pack_length;
  section.read("length", &length, 1, 1U << 24);
  recipe.pack_length =
      recipe.pack_method == pack::Method::kNone ? 0 : static_cast<std::uint32_t>(length);
  section.finish();
}

void read_shards(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "shards", faults);
  section.read_choice("format", &recipe.shard_format, shard::token_containers(),
                      {"webdataset", "mindrecord", "mds", "tfrecord", "parquet", "jsonl"});
  section.read_bytes("size", &recipe.shard_bytes);
  if (recipe.shard_bytes == 0) faults.add(section.line(), "'shards.size' must be more than 0");
  section.read("multiple_of", &recipe.shard_multiple_of, 1, 1U << 20);
  section.read("shuffle", &recipe.shard_shuffle);
  section.finish();
}

void read_limits(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "limits", faults);
  const YAML::Node threads = section.find("threads");
  if (threads.IsDefined() && !(threads.IsScalar() && threads.Scalar() == "auto")) {
    std::uint64_t count = 0;
    section.read("threads", &count, 1, 4096);
    recipe.threads = count;
  }
  section.read("confidence", &recipe.confidence, 0, 1);
  section.read_bytes("memory", &recipe.memory_bytes);
  if (recipe.memory_bytes < kLeastMemory)
    faults.add(section.line(),
               fmt::format("'limits.memory' must be at least {}", format_bytes(kLeastMemory)));
  section.finish();
}

void read_recipe(const YAML::Node& root, Recipe::Data& recipe, Faults& faults) {
  Section top(root, "", faults);
  std::uint64_t version = 1;
  top.read("version", &version, 1, kAnyCount);
  if (version != 1)
    faults.add(line_of(top.find("version")),
               fmt::format("recipe version {} is newer than this headrace reads (1)", version));
  top.read("name", &recipe.name);
  top.read("seed", &recipe.seed, 0, kAnyCount);
  const YAML::Node sources = top.find("sources");
  if (!sources.IsDefined() || !sources.IsSequence() || sources.size() == 0) {
    faults.add(line_of(sources), "'sources' is needed: a list of {domain, paths}");
  } else {
    for_each_item(sources, [&](const YAML::Node& source, std::size_t place) {
      read_source(source, place, recipe, faults);
    });
  }
  if (const YAML::Node steps = top.find("normalize"); steps.IsDefined()) {
    if (!steps.IsSequence()) top.fault(steps, "'normalize' must be a list of steps");
    for (const YAML::Node& step : steps.IsSequence() ? steps : YAML::Node(YAML::NodeType::Sequence))
      read_step(step, recipe, faults);
  } else {
    recipe.normalize = default_steps();
  }
  const auto section = [&](const char* key, auto reader) {
    if (const YAML::Node node = top.find(key); node.IsDefined()) reader(node, recipe, faults);
  };
  section("measure", read_measure);
  if (const YAML::Node node = top.find("score"); node.IsDefined())
    recipe.scores = read_score(node, measure::registry().names(), faults);
  if (const YAML::Node node = top.find("leak"); node.IsDefined()) {
    recipe.leak = read_leak(node, faults);
  }
  section("judge", read_judge);
  if (const YAML::Node node = top.find("dedup"); node.IsDefined())
    recipe.dedup = read_dedup(node, faults);
  section("mix", read_mix);
  section("tokenize", read_tokenize);
  section("pack", read_pack);
  section("shards", read_shards);
  section("limits", read_limits);
  top.read("output", &recipe.output);
  if (io::is_remote(recipe.output))
    faults.add(line_of(top.find("output")),
               not_in_this_version("output: " + io::public_name(recipe.output)));
  if (!recipe.tokenize) {
    for (const char* key : {"mix", "pack", "shards"}) {
      if (const YAML::Node node = top.find(key); node.IsDefined()) {
        top.fault(
            node,
            fmt::format("'{}' needs a 'tokenize' section: shares and lengths are counted in tokens",
                        key));
      }
    }
  }
  top.finish();
}

}  // namespace

std::vector<StepSpec> default_steps() {
  return {{"html_to_text", {}}, {"control_chars", {}}, {"whitespace", {}}};
}

std::vector<KeyInfo> declared_keys(const std::string& yaml) {
  Recipe::Data recipe;
  Faults faults;
  read_recipe(YAML::Load(yaml), recipe, faults);
  return faults.keys();
}

}  // namespace curate

std::vector<std::string> Recipe::Data::domains() const {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const curate::SourceSpec& source : sources) {
    if (seen.insert(source.domain).second) names.push_back(source.domain);
  }
  return names;
}

std::string Recipe::Data::base_place(const std::string& domain) const {
  const auto own = judge_domains.find(domain);
  const bool alone = own != judge_domains.end() && !own->second.preset.empty();
  return alone ? fmt::format("judge.domains.{}.rules", domain) : "judge.rules";
}

judge::RuleSet Recipe::Data::rules_of(const std::string& domain) const {
  const auto set_of_preset = [](const std::string& preset_name, const std::string& place) {
    const judge::Preset* preset =
        preset_name.empty() ? nullptr : judge::registry().find(preset_name);
    return preset ? judge::placed(*preset, place) : judge::RuleSet();
  };
  const auto own = judge_domains.find(domain);
  // A domain that names a preset starts from it alone; one that only has rules changes the common
  // ones.
  const judge::RuleSet of_scores{.rules = curate::late_rules(*this), .buckets = {}};
  if (own != judge_domains.end() && !own->second.preset.empty()) {
    return judge::override_rules(
        of_scores, judge::override_rules(set_of_preset(own->second.preset, base_place(domain)),
                                         own->second.set));
  }
  judge::RuleSet set =
      judge::override_rules(set_of_preset(judge.preset, base_place(domain)), judge.set);
  if (own != judge_domains.end()) set = judge::override_rules(std::move(set), own->second.set);
  return judge::override_rules(of_scores, set);
}

Result<Recipe> Recipe::load(const std::string& path) {
  const auto info = io::file_info(path);
  if (!info) return info.error().with_context("recipe");
  if (info->is_directory) return invalid_argument("{} is a folder, not a recipe", path);
  HEADRACE_ASSIGN_OR_RETURN(const std::string text,
                            curate::read_bounded(path, curate::kLongestRecipeBytes));
  return parse(text, path);
}

Result<Recipe> Recipe::parse(std::string_view yaml, const std::string& name) {
  HEADRACE_ASSIGN_OR_RETURN(const auto utf8, normalize::decoders().declared("utf-8"));
  if (const std::size_t bad = utf8->first_bad_byte(yaml); bad < yaml.size()) {
    const std::string_view good = yaml.substr(0, bad);
    return invalid_argument("{}:{}: byte {:#04x} is not UTF-8: save the recipe as UTF-8", name,
                            1 + std::count(good.begin(), good.end(), '\n'),
                            static_cast<unsigned char>(yaml[bad]));
  }
  auto data = std::make_shared<Data>();
  data->path = name;
  data->yaml = yaml;
  curate::Faults faults;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(yaml));
    if (documents.size() > 1) {
      return invalid_argument("{}:{}: a second YAML document ('---'): a recipe is one document",
                              name, curate::line_of(documents[1]));
    }
    const YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
    std::size_t nodes = 0;
    if (!curate::is_bounded(root, 0, &nodes)) {
      return invalid_argument(
          "{}: nested too deeply, or aliases ('*name') that hold themselves or repeat without end",
          name);
    }
    curate::find_repeated_keys(root, faults);
    curate::read_recipe(root, *data, faults);
  } catch (const YAML::Exception& error) {  // yaml-cpp throws; nothing of it leaves this function
    return invalid_argument("{}:{}: not valid YAML: {}", name, error.mark.line + 1, error.msg);
  }
  if (!faults.empty()) return Status(Code::kInvalidArgument, faults.text(name));
  return Recipe(std::move(data));
}

const std::string& Recipe::name() const { return data_->name; }
const std::string& Recipe::output() const { return data_->output; }

}  // namespace headrace
