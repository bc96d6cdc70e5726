// SPDX-License-Identifier: Apache-2.0
// Chosen documents → shuffled shards and their manifest.
//
// A global shuffle in two seeded stages, both pure functions: the documents are permuted before
// they are laid end to end and cut into sequences, and the sequences are permuted over all places
// of all shards. So any shard can be written alone, by any task: it computes which sequences it
// holds and gathers their tokens from the memory-mapped token files. Memory: 24 bytes per document
// for the index; the tokens themselves are the page cache's matter.
#include <algorithm>
#include <cstring>
#include <set>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "curate/passes.h"
#include "io/file.h"
#include "pack/packing.h"
#include "record/parquet_table.h"
#include "shard/container.h"
#include "shuffle/permutation.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kShardPassVersion = 1;

// One of the sets that a run makes.
struct ShardSet {
  const char* stage;
  std::string folder;    // relative to the run directory
  std::uint32_t chosen;  // which rows of the mix
  std::string numbers;   // prefix of its numbers in the commit of the mix
};

const ShardSet& training_set() {
  static const ShardSet set = {kShards, "shards", kChosen, ""};
  return set;
}

const ShardSet& validation_set() {
  static const ShardSet set = {kValidation, "shards/validation", kChosenForValidation,
                               "validation."};
  return set;
}

// Megatron's own rule: 16 bits for vocabularies below this, not below 65,536.
constexpr std::size_t kUint16Vocabulary = 65500;

// Where the tokens of every chosen document lie.
struct TokenIndex {
  struct Document {
    std::uint32_t part;
    std::uint64_t begin;  // first token in the part's file
  };
  std::vector<Document> documents;
  std::vector<std::uint64_t> tokens;  // by document
  std::vector<io::MappedFile> files;  // by part

  std::uint32_t token(std::size_t document, std::uint64_t i) const {
    std::uint32_t id;
    std::memcpy(&id,
                files[documents[document].part].bytes().data() +
                    (documents[document].begin + i) * sizeof(id),
                sizeof(id));
    return id;
  }
};

Result<TokenIndex> load_index(const Context& context, const ShardSet& set, std::size_t parts) {
  TokenIndex index;
  for (std::size_t part = 0; part < parts; ++part) {
    HEADRACE_ASSIGN_OR_RETURN(
        auto file,
        io::MappedFile::open(context.directory.at(RunDirectory::part(kTokensFolder, part, "bin"))));
    HEADRACE_ASSIGN_OR_RETURN(
        auto counts, ParquetReader::open(
                         context.directory.at(RunDirectory::part(kTokensFolder, part, "parquet"))));
    HEADRACE_ASSIGN_OR_RETURN(
        auto mixed,
        ParquetReader::open(context.directory.at(RunDirectory::part(kMixFolder, part, "parquet"))));
    std::vector<std::uint64_t> tokens;
    std::vector<std::uint32_t> chosen;
    HEADRACE_RETURN_IF_ERROR(counts->read_uint64("tokens", &tokens));
    HEADRACE_RETURN_IF_ERROR(mixed->read_uint32("chosen", &chosen));
    if (tokens.size() != chosen.size())
      return corrupt("part {}: {} token counts but {} mix rows: run the recipe again", part,
                     tokens.size(), chosen.size());
    std::uint64_t begin = 0;
    for (std::size_t row = 0; row < tokens.size(); ++row) {
      if (chosen[row] == set.chosen) {
        index.documents.push_back({static_cast<std::uint32_t>(part), begin});
        index.tokens.push_back(tokens[row]);
      }
      begin += tokens[row];
    }
    if (begin * sizeof(std::uint32_t) != file.bytes().size()) {
      return corrupt("{} holds {} bytes, its documents {} tokens: run the recipe again",
                     RunDirectory::part(kTokensFolder, part, "bin"), file.bytes().size(), begin);
    }
    index.files.push_back(std::move(file));
  }
  return index;
}

// How samples fall on shards: sizes equal to within one.
struct ShardLayout {
  std::uint64_t samples = 0;
  std::uint64_t shards = 0;
  std::uint64_t first(std::uint64_t shard) const {
    return static_cast<std::uint64_t>(static_cast<Uint128>(shard) * samples / shards);
  }
};

ShardLayout lay_out(const Recipe::Data& recipe, std::uint64_t samples, std::uint64_t total_bytes) {
  std::uint64_t shards =
      std::max<std::uint64_t>(1, (total_bytes + recipe.shard_bytes - 1) / recipe.shard_bytes);
  shards =
      (shards + recipe.shard_multiple_of - 1) / recipe.shard_multiple_of * recipe.shard_multiple_of;
  if (shards > samples) {
    if (samples > 0)
      log_warning("{} samples do not fill {} shards: the set gets {}", samples, shards, samples);
    shards = samples;
  }
  return {samples, shards};
}

// Everything the shard tasks share. Immutable.
struct Gatherer {
  const Context& context;
  const ShardSet& set;
  TokenIndex index;
  shuffle::Permutation document_order;
  std::unique_ptr<const pack::Packing> packing;
  shuffle::Permutation sample_order;
  ShardLayout layout;
  shard::ShardOptions options;

  std::size_t document(std::uint64_t place) const {
    return context.recipe.shard_shuffle ? document_order.at(place) : place;
  }

  void gather(std::uint64_t place, std::vector<pack::Piece>* pieces,
              std::vector<std::uint32_t>* tokens, std::vector<std::uint32_t>* starts) const {
    const std::uint64_t sample = context.recipe.shard_shuffle ? sample_order.at(place) : place;
    tokens->clear();
    starts->clear();
    packing->pieces(sample, pieces);
    for (const pack::Piece& piece : *pieces) {
      starts->push_back(static_cast<std::uint32_t>(tokens->size()));
      const std::size_t source = document(piece.document);
      for (std::uint32_t i = 0; i < piece.length; ++i)
        tokens->push_back(index.token(source, piece.begin + i));
    }
  }

  Result<Commit> write_shard(std::uint64_t number) const {
    const std::string name = fmt::format("shard-{:05}", number);
    HEADRACE_ASSIGN_OR_RETURN(
        auto writer, shard::registry()
                         .find(context.recipe.shard_format)
                         ->create(io::join(context.directory.at(set.folder), name), options));
    std::vector<pack::Piece> pieces;
    std::vector<std::uint32_t> tokens;
    std::vector<std::uint32_t> starts;
    for (std::uint64_t place = layout.first(number); place < layout.first(number + 1); ++place) {
      if (context.stop.stop_requested()) return cancelled("stopped while writing {}", name);
      gather(place, &pieces, &tokens, &starts);
      HEADRACE_RETURN_IF_ERROR(writer->add({.tokens = tokens, .document_starts = starts}));
    }
    HEADRACE_ASSIGN_OR_RETURN(const ShardEntry entry, writer->finish());
    Commit commit;
    for (const ShardEntry::File& file : entry.files)
      commit.outputs.push_back({io::join(set.folder, file.path), 0, ""});
    commit.numbers["samples"] = entry.samples;
    commit.numbers["tokens"] = entry.tokens;
    return commit;
  }
};

Result<Gatherer> make_gatherer(const Context& context, const ShardSet& set, std::size_t parts) {
  HEADRACE_ASSIGN_OR_RETURN(TokenIndex index, load_index(context, set, parts));
  const std::size_t documents = index.documents.size();
  const shuffle::Permutation document_order(
      documents, CounterRng(context.recipe.seed, purpose("documents")).key());
  std::vector<std::uint64_t> in_order(documents);
  for (std::size_t place = 0; place < documents; ++place) {
    in_order[place] = index.tokens[context.recipe.shard_shuffle ? document_order.at(place) : place];
  }
  auto packing =
      pack::make_packing(context.recipe.pack_method, in_order, context.recipe.pack_length);
  const std::string token_type =
      context.tokenizer->vocabulary_size() < kUint16Vocabulary ? "uint16" : "int32";
  const std::uint64_t samples = packing->sequences();
  std::uint64_t tokens = 0;
  for (const std::uint64_t count : index.tokens) tokens += count;
  const ShardLayout layout =
      lay_out(context.recipe, samples, tokens * (token_type == "uint16" ? 2 : 4));
  return Gatherer{
      context,
      set,
      std::move(index),
      document_order,
      std::move(packing),
      shuffle::Permutation(samples, CounterRng(context.recipe.seed, purpose("samples")).key()),
      layout,
      {.token_type = token_type}};
}

// What the set was made of, by content. The fingerprints of the stages hold when input files were
// changed, and a corpus that is copied must give the same manifest.
std::string content_fingerprint(const Commit& mix, const std::vector<Commit>& tokens) {
  Fingerprint print;
  print.add(kShardPassVersion);
  for (const OutputFile& output : mix.outputs) print.add(output.path).add(output.xxh3_128);
  for (const Commit& commit : tokens) {
    for (const OutputFile& output : commit.outputs) print.add(output.path).add(output.xxh3_128);
  }
  return print.hex();
}

Manifest make_manifest(const Context& context, const Gatherer& gatherer, const Commit& mix,
                       const std::vector<Commit>& tokens, const std::vector<Commit>& shards) {
  Manifest manifest;
  manifest.format = context.recipe.shard_format;
  manifest.seed = context.recipe.seed;
  manifest.sequence_length = context.recipe.pack_length;
  manifest.token_type = gatherer.options.token_type;
  manifest.tokenizer_sha256 = context.tokenizer->sha256();
  manifest.tokenizer_path = context.recipe.tokenize->tokenizer;
  manifest.vocabulary_size = context.tokenizer->vocabulary_size();
  if (context.end_token) manifest.end_token = context.recipe.tokenize->end;
  manifest.end_token_id = context.end_token;
  manifest.begin_token_ids = context.begin_tokens;
  manifest.packing = pack::kMethodNames[static_cast<std::size_t>(context.recipe.pack_method)];
  manifest.leftover_tokens = gatherer.packing->leftover_tokens();
  manifest.padding_tokens = gatherer.packing->padding_tokens();
  manifest.run_fingerprint = content_fingerprint(mix, tokens);
  for (const std::string& domain : context.domains) {
    const auto number = [&](const std::string& name) {
      const auto found = mix.numbers.find(gatherer.set.numbers + name + domain);
      return found == mix.numbers.end() ? 0 : found->second;
    };
    manifest.domains.push_back({domain, number("documents:"), number("tokens:")});
  }
  for (const Commit& commit : shards) {
    ShardEntry entry;
    entry.samples = commit.numbers.at("samples");
    entry.tokens = commit.numbers.at("tokens");
    for (const OutputFile& output : commit.outputs) {
      entry.files.push_back(
          {output.path.substr(gatherer.set.folder.size() + 1), output.bytes, output.xxh3_128});
    }
    entry.path = entry.files.front().path;
    manifest.samples += entry.samples;
    manifest.tokens += entry.tokens;
    manifest.shards.push_back(std::move(entry));
  }
  return manifest;
}

// A set of another recipe leaves no shard behind that the manifest does not name.
Result<void> remove_other_shards(const std::string& folder, const Manifest& manifest) {
  std::set<std::string> wanted;
  for (const ShardEntry& entry : manifest.shards) {
    for (const ShardEntry::File& file : entry.files) wanted.insert(io::join(folder, file.path));
  }
  // The folder itself, not a pattern below it: that would read "runs/[x]" as runs/x, and give back
  // the files of "runs//x" under another spelling than `wanted`.
  HEADRACE_ASSIGN_OR_RETURN(const auto present, io::glob(folder));
  const std::string prefix = io::join(folder, "shard-");
  for (const std::string& path : present) {
    const bool is_ours =
        path.starts_with(prefix) && path.find('/', prefix.size()) == std::string::npos;
    if (is_ours && !wanted.contains(path)) HEADRACE_RETURN_IF_ERROR(io::remove_all(path));
  }
  return {};
}

// Token files are mapped, not parsed: nothing else would see a flipped bit in them.
Result<void> check_tokens(const Context& context, const std::vector<Commit>& tokens) {
  return parallel_for(
      tokens.size(), context.threads, context.stop, [&](std::size_t part) -> Result<void> {
        for (const OutputFile& output : tokens[part].outputs) {
          HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash,
                                    io::hash_file(context.directory.at(output.path)));
          if (to_hex(hash) == output.xxh3_128) continue;
          return corrupt(
              "{} is not what was written (its checksum differs): remove it and run again",
              context.directory.at(output.path));
        }
        return {};
      });
}

Result<void> write_set(Context& context, const ShardSet& set, const std::vector<Commit>& tokens,
                       const Commit& mix) {
  const std::string folder = context.directory.at(set.folder);
  HEADRACE_RETURN_IF_ERROR(io::make_directories(folder));
  HEADRACE_ASSIGN_OR_RETURN(const Gatherer gatherer, make_gatherer(context, set, tokens.size()));
  Fingerprint print;
  print.add(kShardPassVersion)
      .add(mix.digest())
      .add(context.recipe.seed)
      .add(std::uint64_t{context.recipe.pack_length});
  print.add(static_cast<std::uint64_t>(context.recipe.pack_method));
  print.add(context.recipe.shard_format).add(context.recipe.shard_shuffle ? 1 : std::uint64_t{0});
  print.add(gatherer.options.token_type).add(gatherer.layout.samples).add(gatherer.layout.shards);
  for (const Commit& commit : tokens) print.add(commit.digest());
  const std::string fingerprint = print.hex();

  std::vector<StageTask> tasks;
  bool all_done = true;
  for (std::uint64_t shard = 0; shard < gatherer.layout.shards; ++shard) {
    all_done = all_done && context.ledger.find(set.stage, shard, fingerprint).has_value();
    tasks.push_back({.fingerprint = fingerprint,
                     .weight = gatherer.layout.first(shard + 1) - gatherer.layout.first(shard),
                     .work = [&gatherer, shard] { return gatherer.write_shard(shard); }});
  }
  const std::string manifest_path = io::join(folder, "manifest.json");
  // An old manifest must never stand over new shards.
  if (!all_done) {
    HEADRACE_RETURN_IF_ERROR(check_tokens(context, tokens));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(manifest_path));
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> commits,
                            run_stage(context, set.stage, tasks));
  const Manifest manifest = make_manifest(context, gatherer, mix, tokens, commits);
  const std::uint64_t chosen = mix.numbers.at(set.numbers + "tokens");
  if (manifest.tokens + manifest.leftover_tokens != chosen) {
    return internal_error(
        "the shards in {} hold {} tokens and {} are left over, but {} were chosen", folder,
        manifest.tokens, manifest.leftover_tokens, chosen);
  }
  HEADRACE_RETURN_IF_ERROR(remove_other_shards(folder, manifest));
  return io::write_file_atomic(manifest_path, format_manifest(manifest));
}

}  // namespace

Result<void> shard_pass(Context& context, const std::vector<Commit>& tokens, const Commit& mix) {
  HEADRACE_RETURN_IF_ERROR(write_set(context, training_set(), tokens, mix));
  if (!context.recipe.validation) return {};
  return write_set(context, validation_set(), tokens, mix);
}

}  // namespace headrace::curate
