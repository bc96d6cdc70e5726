// SPDX-License-Identifier: Apache-2.0
// The audit page on 127.0.0.1. Private to this machine and to whoever knows its address.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "headrace/result.h"

#include "report/audit.h"

namespace headrace::report {

// Serves until `stop`. `ready` is called once, with the page's address.
Result<void> serve_audit(AuditSession& session, int port, std::stop_token stop,
                         const std::function<void(const std::string& url)>& ready);

}  // namespace headrace::report
