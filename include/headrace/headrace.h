// SPDX-License-Identifier: Apache-2.0
// Everything public. Offline: run.h (a recipe → a run directory with shards). Online: feed.h
// (shards → batches). Between them: shard_set.h. Also inspect.h (what files are), stats.h (what
// their measures look like), tokenizer.h, result.h (how functions fail), log.h, version.h.
#pragma once

#include "headrace/feed.h"
#include "headrace/inspect.h"
#include "headrace/log.h"
#include "headrace/result.h"
#include "headrace/run.h"
#include "headrace/shard_set.h"
#include "headrace/stats.h"
#include "headrace/tokenizer.h"
#include "headrace/version.h"
