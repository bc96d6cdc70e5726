// SPDX-License-Identifier: Apache-2.0
// MindRecord, the container of MindSpore: NAME.mindrecord with header and pages, NAME.mindrecord.db
// with the places of the rows, and the sidecar. Byte layout: docs/formats/mindrecord.md.
//
// A row is two records in two kinds of pages, so the sidecar has two entries a row, in the order of
// the file; the reader finds them by their offsets.
#include "shard/container.h"
#include "shard/mindrecord_shard.h"

namespace headrace::shard {

void register_mindrecord(Registry& registry) {
  registry.add({.name = "mindrecord",
                .summary = "MindSpore's records: pages with an index database beside them",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = &create_mindrecord_writer,
                .open_fields = &open_mindrecord_reader});
}

}  // namespace headrace::shard
