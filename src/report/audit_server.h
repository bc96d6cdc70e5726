// SPDX-License-Identifier: Apache-2.0
// The audit page on 127.0.0.1. Private to this machine and to whoever knows its address.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "headrace/result.h"

#include "report/audit.h"
#include "report/leak_review.h"

namespace headrace::report {

// Serves until `stop`: the audit and, where there is one, the review of leaks, at "leaks" beside
// it. `ready` is called once, with the page's address.
Result<void> serve_audit(AuditSession& session, LeakReview* review, int port, std::stop_token stop,
                         const std::function<void(const std::string& url)>& ready);

}  // namespace headrace::report
