// SPDX-License-Identifier: Apache-2.0
// What people say about a run's rules: a page on this machine shows samples of what each rule
// dropped and of what only just passed, and keeps their decisions (docs/formats/labels.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

struct AuditOptions {
  // Affects results: which documents are shown.
  std::optional<std::uint64_t> seed;  // default: the recipe's
  // Documents of each group of each rule, and finds of each set and verdict; 1 to 1000.
  std::size_t per_rule = 30;

  std::string labels;       // file of decisions; "" = RUN/audit/labels.jsonl
  std::string leak_labels;  // of decisions on leaks; "" = RUN/audit/leaks.jsonl
  std::string by;           // who decides, as the file names them; may be ""
  bool serve = true;        // false: no page, only what the labels say so far
  int port = 0;             // on 127.0.0.1; 0 = any that is free
  std::stop_token stop;
  // Called once when the page can be opened, with its address. The address holds a secret: whoever
  // has it can read the samples and decide.
  std::function<void(const std::string& url)> ready;
};

// Decisions on a sample. The interval is Wilson's at 95 %.
struct AuditShare {
  std::uint64_t sampled = 0;
  std::uint64_t garbage = 0;
  std::uint64_t worth_keeping = 0;
  std::uint64_t unsure = 0;  // decided, but in no share
  // Garbage among garbage and worth keeping; nothing without a decision.
  std::optional<double> garbage_share;
  double low = 0;
  double high = 1;
};

struct AuditedRule {
  std::string rule;  // "digit_share_above_max": the reason that documents are dropped for
  std::uint64_t documents = 0;  // that break it, whatever other rules say
  AuditShare dropped;  // a uniform sample of them: its garbage share is the rule's precision
  AuditShare passed;   // kept documents closest to the bound
};

// What people said of finds of the leak check, of one set of items and one verdict. The interval is
// Wilson's at 95 %.
struct ReviewedLeaks {
  std::string set;
  std::string verdict;        // "drop" or "flag"
  std::uint64_t finds = 0;    // of all
  std::uint64_t sampled = 0;  // a uniform sample of them
  std::uint64_t leak = 0;
  std::uint64_t not_leak = 0;
  std::uint64_t unsure = 0;         // decided, but in no share
  std::optional<double> precision;  // leaks among leaks and others; nothing without a decision
  double low = 0;
  double high = 1;
};

struct AuditResult {
  std::string labels;           // path
  std::uint64_t decisions = 0;  // made while the page was open, those taken back included
  std::uint64_t foreign = 0;    // lines of the file about documents that are not shown here
  std::vector<AuditedRule> rules;
  std::string leak_labels;           // path; "" where the run looked for no leaks
  std::uint64_t leak_decisions = 0;  // as `decisions`
  std::vector<ReviewedLeaks> leaks;
};

// Serves the page until `stop`. A run without verdicts is an error; one that dropped nothing is
// not.
Result<AuditResult> audit(const std::string& directory, const AuditOptions& options);

}  // namespace headrace
