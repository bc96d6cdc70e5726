// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <atomic>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "base/quote.h"

namespace headrace {
namespace {

std::atomic<LogLevel> g_level{LogLevel::kWarning};

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>(
        "headrace", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%H:%M:%S %^%l%$ %v");
    made->set_level(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

}  // namespace

void set_log_level(LogLevel level) { g_level.store(level); }
LogLevel log_level() { return g_level.load(std::memory_order_relaxed); }

void log_line(LogLevel level, std::string_view text) {
  // Names of files may hold anything; a terminal must not act on it.
  const std::string message = escape_controls(text);
  switch (level) {
    case LogLevel::kDebug:
      logger().debug(message);
      break;
    case LogLevel::kInfo:
      logger().info(message);
      break;
    case LogLevel::kWarning:
      logger().warn(message);
      break;
    case LogLevel::kError:
      logger().error(message);
      break;
    case LogLevel::kOff:
      break;
  }
}

}  // namespace headrace
