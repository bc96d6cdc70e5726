// SPDX-License-Identifier: Apache-2.0
// Everything public.
#pragma once

#include "headrace/feed.h"       // IWYU pragma: export
#include "headrace/result.h"     // IWYU pragma: export
#include "headrace/run.h"        // IWYU pragma: export
#include "headrace/shard_set.h"  // IWYU pragma: export
#include "headrace/tokenizer.h"  // IWYU pragma: export
#include "headrace/version.h"    // IWYU pragma: export
