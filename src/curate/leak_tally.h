// SPDX-License-Identifier: Apache-2.0
// Counts, while verdicts are written, what the checks for leaks found in the documents that came to
// them: for the books.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"
#include "curate/leak_files.h"
#include "curate/validation_leaks.h"

namespace headrace::curate {

// One part, its rows in order. Single-threaded.
class LeakTally {
 public:
  // `leaks`: of all parts, by id; they outlive this.
  LeakTally(const Context& context, const std::vector<ValidationLeak>& leaks)
      : context_(context), leaks_(leaks), next_leak_(leaks.begin()) {}

  Result<void> start(std::size_t part);

  // The next row. `reached`: the group of columns that gave its first reason; kAllGroups for none.
  // Returns the leak that it is dropped for, or nothing.
  const ValidationLeak* add(std::size_t row, std::uint64_t id, std::size_t reached);
  // The same row was kept after all.
  void kept(std::size_t row);

  void add_to(std::map<std::string, std::uint64_t>* numbers) const;

 private:
  void count_hits(std::uint64_t id, bool came);

  const Context& context_;
  const std::vector<ValidationLeak>& leaks_;
  std::vector<ValidationLeak>::const_iterator next_leak_;
  LeakPart rows_;
  std::size_t next_hit_ = 0;
  std::vector<bool> sides_;  // empty: no validation
  std::map<std::string, std::uint64_t> numbers_;
};

}  // namespace headrace::curate
