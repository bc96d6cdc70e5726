// SPDX-License-Identifier: Apache-2.0
// MDS, the container of MosaicML Streaming: one file a shard, with the offsets of its samples in
// front and its columns as JSON behind them. index.json, which StreamingDataset reads, names all
// shards of a set (mds_index.h). Byte layout: docs/formats/mds.md.
#include "shard/container.h"
#include "shard/mds_shard.h"

namespace headrace::shard {

void register_mds(Registry& registry) {
  registry.add({.name = "mds",
                .summary = "MosaicML Streaming: samples of columns, offsets in front",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = &create_mds_writer,
                .open_fields = &open_mds_reader});
}

}  // namespace headrace::shard
