// SPDX-License-Identifier: Apache-2.0
// What a model file is, where it has no card.
#pragma once

#include <string>

#include "headrace/result.h"

namespace headrace::score {

// The kind of scorer that takes the model at `path`: by its first bytes, else by its name; "" where
// neither tells. One that cannot be read is an error.
Result<std::string> kind_of_file(const std::string& path);

}  // namespace headrace::score
