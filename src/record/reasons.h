// SPDX-License-Identifier: Apache-2.0
// The names that books, reports and notes use for what a rule over measures does not decide: why a
// record never became a document, why a document was left out, what was found about a file. Names
// are stable. docs/reference/reasons.md is made from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace headrace {

enum class ReasonKind : std::uint8_t {
  kQuarantine,  // a record that could not be read; its bytes are kept
  kDrop,        // a record that is no document, or a document that was left out
  kNote,        // about a file; nothing is lost by it
};

struct ReasonInfo {
  std::string_view name;
  ReasonKind kind;
  std::string_view where;  // formats, or the stage
  std::string_view meaning;
  std::string_view remedy;  // what a person can do, "" = nothing is wrong
};

// In the order of the page. A name may stand for a record and for its file, in two entries.
std::span<const ReasonInfo> reasons();

const ReasonInfo* find_reason(std::string_view name, ReasonKind kind);

// Reasons that no reader gives.
inline constexpr const char* kDuplicateReason = "exact_duplicate";
inline constexpr const char* kLeakReason = "leak";
inline constexpr const char* kValidationLeakReason = "validation_leak";
inline constexpr const char* kNearDuplicateReason = "near_duplicate";
inline constexpr const char* kEarlierDuplicateReason = "earlier_exact_duplicate";
inline constexpr const char* kEarlierNearDuplicateReason = "earlier_near_duplicate";
inline constexpr const char* kLittleLeftReason = "little_left";
inline constexpr const char* kQuotaReason = "mix_quota";
inline constexpr const char* kNotSampledReason = "not_sampled";

// Whether a reason says that another document stands for this one.
bool is_duplicate(std::string_view reason);

}  // namespace headrace
