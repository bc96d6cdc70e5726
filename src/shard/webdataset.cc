// SPDX-License-Identifier: Apache-2.0
// WebDataset: a tar archive whose members KEY.EXTENSION, one after the other, are the fields of a
// sample. Names and types: docs/formats/webdataset.md.
#include "shard/container.h"
#include "shard/webdataset_shard.h"

namespace headrace::shard {

void register_webdataset(Registry& registry) {
  registry.add({.name = "webdataset",
                .summary = "tar archives: the members of a sample share a name",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = &create_webdataset_writer,
                .open_fields = &open_webdataset_reader});
}

}  // namespace headrace::shard
