// SPDX-License-Identifier: Apache-2.0
// The version comes from project() in the top CMakeLists.txt, the one place where a release changes
// it; the headers repeat it, and the build stops when the two differ.
#include "headrace/version.h"

namespace headrace {

static_assert(kHeaderVersion == HEADRACE_PROJECT_VERSION,
              "include/headrace/version.h and project(VERSION) in CMakeLists.txt differ");

std::string_view version() { return HEADRACE_PROJECT_VERSION; }

}  // namespace headrace
