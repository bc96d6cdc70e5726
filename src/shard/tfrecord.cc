// SPDX-License-Identifier: Apache-2.0
// TFRecord with tf.train.Example: framed records, each checked by masked CRC32Cs of its own. Byte
// layout: docs/formats/tfrecord.md.
#include "shard/container.h"
#include "shard/tfrecord_shard.h"

namespace headrace::shard {

void register_tfrecord(Registry& registry) {
  registry.add({.name = "tfrecord",
                .summary = "TensorFlow's records of tf.train.Example",
                .create = nullptr,
                .open = nullptr,
                .verify = nullptr,
                .create_fields = &create_tfrecord_writer,
                .open_fields = &open_tfrecord_reader});
}

}  // namespace headrace::shard
