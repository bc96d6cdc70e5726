// SPDX-License-Identifier: Apache-2.0
// What is in shards of tokens: counts, ids, texts.
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tokenizer_options.h"

namespace headrace::app {
namespace {

struct Arguments {
  std::vector<std::string> paths;
  TokenizerArguments tokenizer;
  std::uint64_t first = 0;
  std::uint64_t limit = 1;
  std::string text;
  std::string ids;
};

Json domains_json(const Manifest& manifest) {
  Json domains = Json::array();
  for (const DomainEntry& domain : manifest.domains) {
    domains.push_back(
        {{"name", domain.name}, {"documents", domain.documents}, {"tokens", domain.tokens}});
  }
  return domains;
}

// Of texts that are tokenized for it: files whole.
int count_texts(const Arguments& arguments, const Common& common) {
  const auto tokenizer = open_tokenizer(arguments.tokenizer);
  if (!tokenizer) return fail(tokenizer.error());
  Encoder encoder(*tokenizer);
  Json files = Json::array();
  std::uint64_t bytes = 0;
  std::uint64_t tokens = 0;
  std::vector<std::uint32_t> ids;
  for (const std::string& path : arguments.paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() && !file.eof()) {
      return fail(Status(Code::kNotFound, fmt::format("{}: cannot be read", path)));
    }
    ids.clear();
    if (const auto encoded = encoder.encode(text, &ids); !encoded) {
      return fail(encoded.error().with_context(path));
    }
    files.push_back({{"path", path}, {"bytes", text.size()}, {"tokens", ids.size()}});
    bytes += text.size();
    tokens += ids.size();
    if (!common.json) {
      print_text(fmt::format("{:>15} tokens {:>15} bytes  {}\n", with_commas(ids.size()),
                             with_commas(text.size()), path));
    }
  }
  if (common.json) print_json({{"files", files}, {"bytes", bytes}, {"tokens", tokens}});
  return kDone;
}

int count(const Arguments& arguments, const Common& common) {
  if (!arguments.tokenizer.path.empty()) return count_texts(arguments, common);
  Json sets = Json::array();
  std::uint64_t tokens = 0;
  std::uint64_t samples = 0;
  for (const std::string& path : arguments.paths) {
    const auto manifest = read_manifest(path);
    if (!manifest) return fail(manifest.error());
    tokens += manifest->tokens;
    samples += manifest->samples;
    sets.push_back({{"path", path},
                    {"shards", manifest->shards.size()},
                    {"samples", manifest->samples},
                    {"tokens", manifest->tokens},
                    {"leftover_tokens", manifest->leftover_tokens},
                    {"padding_tokens", manifest->padding_tokens},
                    {"sequence_length", manifest->sequence_length},
                    {"token_type", manifest->token_type},
                    {"tokenizer_sha256", manifest->tokenizer_sha256},
                    {"domains", domains_json(*manifest)}});
    if (common.json) continue;
    print_text(fmt::format("{:>15} tokens {:>12} samples  {}\n", with_commas(manifest->tokens),
                           with_commas(manifest->samples), path));
    for (const DomainEntry& domain : manifest->domains) {
      print_text(fmt::format("{:>15} tokens {:>12} documents went in  {}\n",
                             with_commas(domain.tokens), with_commas(domain.documents),
                             domain.name));
    }
  }
  if (common.json) print_json({{"sets", sets}, {"samples", samples}, {"tokens", tokens}});
  return kDone;
}

// That of the command line, or the one that the set names, which must be the one it was made by.
Result<Tokenizer> tokenizer_of(const Arguments& arguments, const Manifest& manifest) {
  TokenizerArguments chosen = arguments.tokenizer;
  if (chosen.path.empty()) chosen.path = manifest.tokenizer_path;
  auto tokenizer = open_tokenizer(chosen);
  if (!tokenizer) return tokenizer;
  if (tokenizer->sha256() == manifest.tokenizer_sha256) return tokenizer;
  return Status(Code::kInvalidArgument,
                fmt::format("{} is not the tokenizer of this set: its sha256 is {}, the set was "
                            "made by {}",
                            chosen.path, tokenizer->sha256(), manifest.tokenizer_sha256));
}

std::string piece_text(const Tokenizer& tokenizer, std::uint32_t id) {
  return std::string(tokenizer.token_bytes(id).value_or(""));
}

Json pieces_json(const Tokenizer& tokenizer, std::span<const std::uint32_t> ids) {
  Json pieces = Json::array();
  for (const std::uint32_t id : ids) {
    pieces.push_back({{"id", id}, {"text", piece_text(tokenizer, id)}});
  }
  return pieces;
}

void print_pieces(const Tokenizer& tokenizer, std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) {
    const Json text = piece_text(tokenizer, id);
    print_text(
        fmt::format("{:>8}  {}\n", id, text.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
}

int show_text(const Arguments& arguments, const Common& common) {
  const auto tokenizer = open_tokenizer(arguments.tokenizer);
  if (!tokenizer) return fail(tokenizer.error());
  std::vector<std::uint32_t> ids;
  Encoder encoder(*tokenizer);
  if (const auto encoded = encoder.encode(arguments.text, &ids); !encoded) {
    return fail(encoded.error());
  }
  if (common.json) {
    print_json({{"tokens", ids.size()}, {"pieces", pieces_json(*tokenizer, ids)}});
  } else {
    print_pieces(*tokenizer, ids);
  }
  return kDone;
}

// Calls see(tokenizer, sample, ids) for the samples that were asked for.
template <class See>
int for_samples(const Arguments& arguments, const See& see) {
  if (arguments.paths.size() != 1) {
    return fail(Status(Code::kInvalidArgument, "give one shard set"));
  }
  const auto manifest = read_manifest(arguments.paths[0]);
  if (!manifest) return fail(manifest.error());
  if (arguments.first >= manifest->samples) {
    return fail(Status(Code::kInvalidArgument, fmt::format("--sample {}: the set has {}",
                                                           arguments.first, manifest->samples)));
  }
  const auto tokenizer = tokenizer_of(arguments, *manifest);
  if (!tokenizer) return fail(tokenizer.error());
  const auto read = read_samples(
      arguments.paths[0], arguments.first, arguments.limit, [&](const SampleView& sample) {
        const std::vector<std::uint32_t> ids(sample.tokens.begin(), sample.tokens.end());
        see(*tokenizer, sample, ids);
        return true;
      });
  return read ? kDone : fail(read.error());
}

int show(const Arguments& arguments, const Common& common) {
  if (!arguments.text.empty()) return show_text(arguments, common);
  Json samples = Json::array();
  const int code = for_samples(
      arguments, [&](const Tokenizer& tokenizer, const SampleView& sample, const auto& ids) {
        if (common.json) {
          samples.push_back({{"sample", sample.number},
                             {"document_starts", std::vector(sample.document_starts.begin(),
                                                             sample.document_starts.end())},
                             {"pieces", pieces_json(tokenizer, ids)}});
        } else {
          print_text(fmt::format("sample {}, {} tokens\n", sample.number, ids.size()));
          print_pieces(tokenizer, ids);
        }
      });
  if (code == kDone && common.json) print_json({{"samples", samples}});
  return code;
}

int decode_ids(const Arguments& arguments, const Common& common) {
  const auto tokenizer = open_tokenizer(arguments.tokenizer);
  if (!tokenizer) return fail(tokenizer.error());
  std::vector<std::uint32_t> ids;
  const std::string& text = arguments.ids;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::uint32_t id = 0;
    const auto [behind, error] = std::from_chars(at, text.data() + text.size(), id);
    if (error != std::errc() || (behind < text.data() + text.size() && *behind != ',')) {
      return fail(Status(Code::kInvalidArgument,
                         fmt::format("--ids takes numbers with commas between, not '{}'", text)));
    }
    ids.push_back(id);
    at = behind + 1;
  }
  const auto decoded = tokenizer->decode(ids);
  if (!decoded) return fail(decoded.error());
  if (common.json) {
    print_json({{"tokens", ids.size()}, {"text", *decoded}});
  } else {
    print_text(*decoded + "\n");
  }
  return kDone;
}

int decode(const Arguments& arguments, const Common& common) {
  if (!arguments.ids.empty()) return decode_ids(arguments, common);
  Json samples = Json::array();
  Status fault(Code::kInternal, "");
  bool is_good = true;
  const int code = for_samples(
      arguments, [&](const Tokenizer& tokenizer, const SampleView& sample, const auto& ids) {
        Json documents = Json::array();
        for (std::size_t i = 0; i < sample.document_starts.size(); ++i) {
          const std::size_t begin = sample.document_starts[i];
          const std::size_t end =
              i + 1 < sample.document_starts.size() ? sample.document_starts[i + 1] : ids.size();
          const auto text = tokenizer.decode(std::span(ids).subspan(begin, end - begin));
          if (!text) {
            fault = text.error().with_context(fmt::format("sample {}", sample.number));
            is_good = false;
            return;
          }
          documents.push_back(*text);
          if (!common.json) print_text(*text + "\n");
        }
        samples.push_back({{"sample", sample.number}, {"documents", std::move(documents)}});
      });
  if (!is_good) return fail(fault);
  if (code == kDone && common.json) print_json({{"samples", samples}});
  return code;
}

void add_sample_options(CLI::App* command, Arguments* arguments) {
  command->add_option("--sample", arguments->first, "the first sample, from 0; default: 0")
      ->type_name("N");
  command->add_option("--limit", arguments->limit, "how many; default: 1")->type_name("N");
}

}  // namespace

void add_tokens(CLI::App& app, Common* common, Action* action) {
  CLI::App* tokens = app.add_subcommand("tokens", "what is in shards of tokens");
  tokens->require_subcommand(1);
  tokens->footer(
      "  headrace tokens count tokens/shards                  tokens, samples, domains of a set\n"
      "  headrace tokens count --tokenizer T book.txt         tokens of a text\n"
      "  headrace tokens show --tokenizer T --text 'a word'   ids and what they stand for\n"
      "  headrace tokens decode tokens/shards --sample 7      the texts of a sample");
  const auto add = [&](const char* name, const char* summary, const char* what, auto work) {
    CLI::App* command = tokens->add_subcommand(name, summary);
    auto arguments = std::make_shared<Arguments>();
    CLI::Option* paths = command->add_option("SET", arguments->paths, what)->type_name("");
    add_tokenizer(command, &arguments->tokenizer,
                  "the tokenizer; default: the one that the set was made by");
    add_common(command, common);
    command->callback([=] { *action = [=] { return work(*arguments, *common); }; });
    return std::tuple(command, arguments, paths);
  };
  {
    const auto [command, arguments, paths] =
        add("count", "how many tokens", "shard sets; with --tokenizer text files", count);
    paths->required();
  }
  {
    const auto [command, arguments, paths] =
        add("show", "ids and what each stands for", "a shard set", show);
    add_sample_options(command, arguments.get());
    command->add_option("--text", arguments->text, "a text to tokenize, in place of a set")
        ->needs("--tokenizer")
        ->type_name("TEXT");
  }
  {
    const auto [command, arguments, paths] =
        add("decode", "the texts of samples, or of ids", "a shard set", decode);
    add_sample_options(command, arguments.get());
    command->add_option("--ids", arguments->ids, "ids, in place of a set")
        ->needs("--tokenizer")
        ->type_name("ID,ID...");
  }
}

}  // namespace headrace::app
