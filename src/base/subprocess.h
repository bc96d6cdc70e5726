// SPDX-License-Identifier: Apache-2.0
// Runs another program and hears what it says on stderr.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// The file that a name of a program means: the name itself when it holds a '/', else the first of
// $PATH that can be executed; not_found otherwise.
Result<std::string> find_program(const std::string& name);

struct ProgramEnd {
  int exit_code = 0;      // 128 + n for a program that signal n ended
  std::string last_line;  // the last line on stderr that is not blank
};

// Runs `arguments` (the first is a path) and waits. Its stdin is empty, its stdout is thrown away,
// each line of its stderr goes to `line`. It gets SIGTERM when `stop` is asked for, and when this
// process ends in any way; the call returns when the program has ended.
Result<ProgramEnd> run_program(const std::vector<std::string>& arguments, std::stop_token stop,
                               const std::function<void(std::string_view)>& line);

}  // namespace headrace
