// SPDX-License-Identifier: Apache-2.0
// Texts → shards of tokens: a run without rules. What is kept of another run goes through files of
// its own, one a domain, so that domains, books and resuming are those of any run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "tokenizer_options.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::vector<std::string> files;
  TokenizerArguments tokenizer;
  std::string output;
  std::string text = "text";
  std::string begin;
  std::string end;
  std::string method = "concat";
  std::uint64_t length = 4096;
  std::string format = "megatron";
  std::uint64_t seed = 0;
  bool shuffle = false;
};

struct Source {
  std::string domain;
  std::vector<std::string> paths;
};

bool same_bytes(const std::string& left, const std::string& right) {
  std::ifstream a(left, std::ios::binary);
  std::ifstream b(right, std::ios::binary);
  if (!a || !b) return false;
  using Iterator = std::istreambuf_iterator<char>;
  return std::equal(Iterator(a), Iterator(), Iterator(b), Iterator());
}

// The documents that a run keeps, as JSON lines, a file a domain. A file gets its name when it is
// whole, and one that is there with the same bytes stays: a run over it goes on where it stood.
class KeptFiles {
 public:
  explicit KeptFiles(std::string folder) : folder_(std::move(folder)) {}

  Result<std::vector<Source>> write(const std::string& run) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return failed(error.message());
    bool good = true;
    const auto written = cat(run, {}, [&](const RecordView& record) {
      std::ofstream& file = file_of(std::string(record.domain));
      const Json json = {{"text", record.text}};
      file << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
      good = file.good();
      return good;
    });
    if (!written) return written.error();
    for (std::ofstream& file : files_) {
      file.close();
      good = good && file.good();
    }
    if (!good) return failed("writing failed");
    for (const Source& source : sources_) {
      const std::string& path = source.paths[0];
      if (same_bytes(path + kPart, path)) {
        std::filesystem::remove(path + kPart, error);
      } else {
        std::filesystem::rename(path + kPart, path, error);
      }
      if (error) return failed(error.message());
    }
    return sources_;
  }

 private:
  static constexpr const char* kPart = ".part";

  Status failed(std::string_view why) const {
    return Status(Code::kResourceExhausted,
                  fmt::format("{}: the kept documents can not be written there: {}", folder_, why));
  }

  std::ofstream& file_of(const std::string& domain) {
    const auto [number, is_new] = numbers_.try_emplace(domain, files_.size());
    if (is_new) {
      const std::string path = fmt::format("{}/{:03}.jsonl", folder_, files_.size());
      files_.emplace_back(path + kPart, std::ios::binary | std::ios::trunc);
      sources_.push_back({domain, {path}});
    }
    return files_[number->second];
  }

  std::string folder_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Source> sources_;
  std::vector<std::ofstream> files_;
};

Json recipe_of(const Arguments& arguments, const TokenizerOptions& options,
               const std::vector<Source>& sources) {
  Json json = {{"version", 1}, {"name", "tokenize"}, {"seed", arguments.seed}};
  for (const Source& source : sources) {
    json["sources"].push_back({{"domain", source.domain}, {"paths", source.paths}});
    if (arguments.text != "text") json["sources"].back()["text"] = arguments.text;
  }
  json["normalize"] = Json::array();
  json["judge"] = {{"preset", "none"}};
  json["dedup"] = {{"exact", false}};
  Json tokenize = {{"tokenizer", arguments.tokenizer.path}, {"end", arguments.end}};
  if (!arguments.begin.empty()) tokenize["begin"] = arguments.begin;
  if (!options.pattern.empty()) tokenize["pattern"] = options.pattern;
  for (const auto& [text, id] : options.special_tokens) tokenize["special_tokens"][text] = id;
  if (options.lowercase) tokenize["lowercase"] = *options.lowercase;
  json["tokenize"] = std::move(tokenize);
  json["pack"] = {{"method", arguments.method}, {"length", arguments.length}};
  json["shards"] = {{"format", arguments.format}, {"shuffle", arguments.shuffle}};
  return json;
}

void print_result(const RunResult& result, const Manifest& manifest) {
  print_text(fmt::format("{} documents, {} tokens in {} samples: {}\n",
                         with_commas(result.books.kept), with_commas(manifest.tokens),
                         with_commas(manifest.samples), result.shards));
  if (manifest.leftover_tokens > 0) {
    print_text(fmt::format("  {} tokens fill no sequence and are left over\n",
                           with_commas(manifest.leftover_tokens)));
  }
  if (manifest.padding_tokens > 0) {
    print_text(fmt::format("  {} tokens of padding, which are not stored\n",
                           with_commas(manifest.padding_tokens)));
  }
  if (result.books.quarantined > 0) {
    print_text(fmt::format("  {} records are no documents: headrace cat {} --quarantined\n",
                           with_commas(result.books.quarantined), result.run));
  }
}

Result<std::vector<Source>> sources_of(const Arguments& arguments) {
  const bool is_run = arguments.files.size() == 1 && Run::open(arguments.files[0]).has_value();
  if (!is_run) return std::vector<Source>{{"text", arguments.files}};
  std::error_code error;
  if (std::filesystem::equivalent(arguments.files[0], arguments.output, error)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--output {}: this is the run itself", arguments.output));
  }
  // Beside the output: a run reads nothing that lies in it.
  std::string output = arguments.output;
  while (output.size() > 1 && output.ends_with('/')) output.pop_back();
  return KeptFiles(output + ".kept").write(arguments.files[0]);
}

int execute(const Arguments& arguments, const Common& common) {
  // Before anything is written.
  const auto options = parse_tokenizer_options(arguments.tokenizer);
  if (!options) return fail(options.error());
  const auto tokenizer = Tokenizer::open(arguments.tokenizer.path, *options);
  if (!tokenizer) return fail(tokenizer.error());
  for (const auto& [name, option] :
       {std::pair(arguments.end, "--end"), {arguments.begin, "--begin"}}) {
    if (name.empty() || name == "none" || tokenizer->token_id(name)) continue;
    return fail(Status(Code::kInvalidArgument, fmt::format("{}: {} has no token '{}'", option,
                                                           arguments.tokenizer.path, name)));
  }
  const auto sources = sources_of(arguments);
  if (!sources) return fail(sources.error());
  // JSON is YAML.
  const auto recipe = Recipe::parse(recipe_of(arguments, *options, *sources).dump(), "tokenize");
  if (!recipe) return fail(recipe.error());
  RunOptions run_options;
  run_options.output = arguments.output;
  run_options.threads = common.threads;
  run_options.show_progress = !common.quiet;
  run_options.stop = common.stop;
  const auto result = run(*recipe, run_options);
  if (!result) return fail(result.error());
  const auto manifest = read_manifest(result->shards);
  if (!manifest) return fail(manifest.error());
  if (common.json) {
    print_json({{"run", result->run},
                {"shards", result->shards},
                {"documents", result->books.kept},
                {"quarantined", result->books.quarantined},
                {"tokens", manifest->tokens},
                {"samples", manifest->samples},
                {"leftover_tokens", manifest->leftover_tokens},
                {"padding_tokens", manifest->padding_tokens},
                {"token_type", manifest->token_type},
                {"tokenizer_sha256", manifest->tokenizer_sha256},
                {"seconds", result->seconds},
                {"books", headrace::app::to_json(result->books)}});
  } else {
    print_result(*result, *manifest);
  }
  return result->books.balanced ? kDone : kBadAnswer;
}

}  // namespace

void add_tokenize(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand("tokenize", "texts to shards of tokens, without a recipe");
  auto arguments = std::make_shared<Arguments>();
  command->footer(
      "Every document is taken as it stands; of a run directory those that it keeps\n(written to "
      "DIR.kept first). DIR becomes "
      "a\n"
      "run directory: run the same again to resume, 'headrace books DIR' says where records "
      "went.\n\n"
      "  headrace tokenize 'raw/*.jsonl.gz' --tokenizer qwen3/tokenizer.json \\\n"
      "      --end '<|endoftext|>' --output tokens\n"
      "  headrace tokenize RUN --tokenizer cl100k_base.tiktoken --end '<|endoftext|>' \\\n"
      "      --method best_fit --output tokens");
  command->add_option("INPUT", arguments->files, "files, globs and URIs of any format; or a run")
      ->required()
      ->type_name("");
  add_tokenizer(command, &arguments->tokenizer,
                "a tokenizer.json, .tiktoken rank file, SentencePiece .model or vocab.txt");
  command->get_option("--tokenizer")->required();
  command->add_option("--output", arguments->output, "where the run and its shards go")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--end", arguments->end,
                   "the token that closes each document, as the tokenizer names it, or none")
      ->required()
      ->type_name("TOKEN");
  command
      ->add_option("--begin", arguments->begin,
                   "the token that opens each document, or none; default: what the tokenizer file "
                   "puts there")
      ->type_name("TOKEN");
  command
      ->add_option("--text", arguments->text,
                   "where the text stands in a record, a dotted path; default: text")
      ->type_name("FIELD");
  command
      ->add_option("--method", arguments->method,
                   "how documents become sequences: concat (default), best_fit, padded or none")
      ->type_name("METHOD");
  command->add_option("--length", arguments->length, "tokens of a sequence; default: 4096")
      ->type_name("N");
  command->add_option("--format", arguments->format, "container; default: megatron")
      ->type_name("FORMAT");
  command->add_flag("--shuffle", arguments->shuffle,
                    "documents and sequences in an order keyed by the seed; else as they come");
  command->add_option("--seed", arguments->seed, "of the shuffle; default: 0")->type_name("N");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*arguments, *common); }; });
}

}  // namespace headrace::app
