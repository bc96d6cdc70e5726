// SPDX-License-Identifier: Apache-2.0
// Measures in groups that a person looks for them in: those of the report and of `explain`.
#pragma once

#include <string_view>

namespace headrace::curate {

// "Words", "Repetition" ...
std::string_view family_of(std::string_view measure);

}  // namespace headrace::curate
