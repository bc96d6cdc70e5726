// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "shard/container.h"
#include "shard/manifest.h"

namespace headrace {

Result<void> read_samples(const std::string& path, std::uint64_t first, std::uint64_t count,
                          const std::function<bool(const SampleView&)>& see) {
  HEADRACE_ASSIGN_OR_RETURN(const Manifest manifest, read_manifest(path));
  const shard::ContainerInfo* container = shard::registry().find(manifest.format);
  if (container == nullptr) {
    return unsupported("{}: container format '{}' is not one this program reads",
                       shard::manifest_path(path), manifest.format);
  }
  std::uint64_t number = 0;  // of the first sample of the shard
  shard::SampleBuffer buffer;
  for (const ShardEntry& entry : manifest.shards) {
    const std::uint64_t end = number + entry.samples;
    if (first < end && count > 0) {
      HEADRACE_ASSIGN_OR_RETURN(const auto reader,
                                container->open(shard::manifest_folder(path), entry));
      for (; first < end && count > 0; ++first, --count) {
        HEADRACE_RETURN_IF_ERROR(reader->read(first - number, &buffer));
        if (!see({first, buffer.tokens, buffer.document_starts})) return {};
      }
    }
    number = end;
  }
  return {};
}

}  // namespace headrace
