// SPDX-License-Identifier: Apache-2.0
// JSON Lines: an object a line. Numbers and strings as JSON has them, arrays as lists of numbers,
// bytes as base64. Form: docs/formats/jsonl_shard.md.
#include "shard/container.h"
#include "shard/jsonl_shard.h"

namespace headrace::shard {

void register_jsonl(Registry& registry) {
  registry.add({.name = "jsonl",
                .summary = "JSON Lines: an object a line, with a sidecar for random access",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = &create_jsonl_writer,
                .open_fields = &open_jsonl_reader});
}

}  // namespace headrace::shard
