// SPDX-License-Identifier: Apache-2.0
// The verdicts that stood before a judging, kept until it has whole ones of its own.
#pragma once

#include <optional>

#include "headrace/result.h"

#include "curate/context.h"

namespace headrace::curate {

// The verdicts of a run lie aside as long as this lives; unless a judging replaces them they come
// back. What a killed process left aside comes back by restore(). Needs the run's lock.
class VerdictBackup {
 public:
  // Moves verdicts, their commits and a copy of run.json aside.
  static Result<VerdictBackup> make(const Context& context);
  VerdictBackup(VerdictBackup&& other) noexcept : directory_(std::move(other.directory_)) {
    other.directory_.reset();
  }
  VerdictBackup& operator=(VerdictBackup&&) = delete;
  ~VerdictBackup();

  // The new verdicts are whole.
  Result<void> drop();

  // Puts back what lies aside in `directory`; whether anything did.
  static Result<bool> restore(const RunDirectory& directory);

 private:
  explicit VerdictBackup(RunDirectory directory) : directory_(std::move(directory)) {}
  std::optional<RunDirectory> directory_;
};

}  // namespace headrace::curate
