// SPDX-License-Identifier: Apache-2.0
// The run that `dedup.against` names: its hashes and signatures, and which of its documents count.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "curate/context.h"
#include "dedup/near_index.h"

namespace headrace::curate {

// Documents that its verdicts kept count, whatever its mix chose of them. Texts are not read.
class EarlierRun {
 public:
  // Nothing where the recipe names none. An error when the run did not come to its verdicts, has
  // not what is to be compared, or was changed since.
  static Result<std::optional<EarlierRun>> open(const Context& context);

  std::size_t parts() const { return documents_.size(); }
  // Of all that is read of it.
  std::string fingerprint() const;
  Result<std::vector<std::uint64_t>> ids(std::size_t part) const;
  Result<std::vector<bool>> kept(std::size_t part) const;
  // Path of a part's file.
  std::string at(const char* folder, std::size_t part, const char* extension) const;

 private:
  std::shared_ptr<Context> run_;
  std::vector<Commit> documents_;
  std::vector<Commit> verdicts_;
};

}  // namespace headrace::curate
