// SPDX-License-Identifier: Apache-2.0
// How much of a text was decoded in the wrong encoding. The definition is in
// text/mojibake_share.cc.
#pragma once

#include <cstdint>

#include "record/text_view.h"

namespace headrace::measure {

// Code points. Looks at all that are not ASCII: for texts in which something has raised suspicion.
std::uint32_t mojibake_code_points(const TextView& view);

}  // namespace headrace::measure
