// SPDX-License-Identifier: Apache-2.0
// Everything public. Offline: run.h (a recipe → a run directory with shards). Online: feed.h
// (shards → batches). Between them: shard_set.h. Also audit.h (what people say about a run's
// rules), stats.h (what measures of files or runs look like), inspect.h (what files are),
// tokenizer.h, evaluate.h (how good scores are), result.h (how functions fail), log.h, version.h.
#pragma once

#include "headrace/audit.h"
#include "headrace/evaluate.h"
#include "headrace/feed.h"
#include "headrace/inspect.h"
#include "headrace/log.h"
#include "headrace/result.h"
#include "headrace/run.h"
#include "headrace/shard_set.h"
#include "headrace/stats.h"
#include "headrace/tokenizer.h"
#include "headrace/version.h"
