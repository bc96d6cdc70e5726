// SPDX-License-Identifier: Apache-2.0
// What a resume state belongs to: the bytes of a set and the options that decide the order.
#pragma once

#include <string>
#include <string_view>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "shuffle/order.h"

namespace headrace::plan {

// "order=1;set=0f3c…;shuffle=true;seed=7;lanes=64;window=4096". Readable, so that a refusal can say
// what differs. The set enters by the checksums of its files, not by their names: it may be moved.
// Without shuffle seed, lanes and window decide nothing and are left out. Part of the resume state:
// its meaning never changes.
std::string fingerprint(const Manifest& manifest, const shuffle::OrderOptions& options);

// kInvalidArgument that names each difference; nothing if both are the same.
Result<void> check_fingerprint(std::string_view expected, std::string_view found);

}  // namespace headrace::plan
