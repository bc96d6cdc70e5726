// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/shard_set.h: manifest and verification as dicts.
#include <filesystem>

#include <nanobind/stl/filesystem.h>

#include "headrace/shard_set.h"

#include "bindings.h"

namespace headrace::python {
namespace {

nb::dict to_dict(const ShardEntry& shard) {
  nb::list files;
  for (const ShardEntry::File& file : shard.files) {
    nb::dict row;
    row["path"] = to_str(file.path);
    row["bytes"] = file.bytes;
    row["xxh3_128"] = to_str(file.xxh3_128);
    files.append(row);
  }
  nb::dict out;
  out["path"] = to_str(shard.path);
  out["samples"] = shard.samples;
  out["tokens"] = shard.tokens;
  out["files"] = files;
  return out;
}

nb::dict read_manifest_dict(const std::filesystem::path& path) {
  const Manifest manifest = unwrap(read_manifest(path.string()));
  nb::list domains;
  for (const DomainEntry& domain : manifest.domains) {
    nb::dict row;
    row["name"] = to_str(domain.name);
    row["documents"] = domain.documents;
    row["tokens"] = domain.tokens;
    domains.append(row);
  }
  nb::list shards;
  for (const ShardEntry& shard : manifest.shards) shards.append(to_dict(shard));
  nb::dict out;
  out["format"] = to_str(manifest.format);
  out["seed"] = manifest.seed;
  out["samples"] = manifest.samples;
  out["tokens"] = manifest.tokens;
  out["sequence_length"] = manifest.sequence_length;
  out["token_type"] = to_str(manifest.token_type);
  out["tokenizer_sha256"] = to_str(manifest.tokenizer_sha256);
  out["tokenizer_path"] = to_str(manifest.tokenizer_path);
  out["vocabulary_size"] = manifest.vocabulary_size;
  out["end_token"] = to_str(manifest.end_token);
  out["end_token_id"] = manifest.end_token_id ? nb::cast(*manifest.end_token_id) : nb::none();
  nb::list begin_token_ids;
  for (const std::uint32_t id : manifest.begin_token_ids) begin_token_ids.append(id);
  out["begin_token_ids"] = begin_token_ids;
  out["packing"] = to_str(manifest.packing);
  out["leftover_tokens"] = manifest.leftover_tokens;
  out["padding_tokens"] = manifest.padding_tokens;
  out["run_fingerprint"] = to_str(manifest.run_fingerprint);
  out["domains"] = domains;
  out["shards"] = shards;
  return out;
}

nb::dict verify_shards_dict(const std::filesystem::path& path, std::size_t threads) {
  const VerifyReport report = unwrap([&] {
    const nb::gil_scoped_release released;
    return verify_shards(path.string(), {.threads = threads});
  }());
  nb::list broken;
  for (const Damage& damage : report.broken) {
    nb::dict row;
    row["shard"] = to_str(damage.shard);
    row["sample"] = damage.sample < 0 ? nb::none() : nb::cast(damage.sample);
    row["what"] = to_str(damage.what);
    broken.append(row);
  }
  nb::dict out;
  out["ok"] = report.ok;
  out["shards"] = report.shards;
  out["samples"] = report.samples;
  out["bytes"] = report.bytes;
  out["broken"] = broken;
  return out;
}

}  // namespace

void bind_shard_set(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("read_manifest", &read_manifest_dict, "path"_a,
             "A manifest as a dict; path is a manifest.json or its folder.");
  module.def("verify_shards", &verify_shards_dict, "path"_a, nb::kw_only(), "threads"_a = 0,
             "Checks every checksum, count and order; damage is in the answer, not raised.");
}

}  // namespace headrace::python
