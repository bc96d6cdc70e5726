// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"

namespace headrace {
namespace {

constexpr double kTerminalPeriodSeconds = 0.1;
constexpr double kPlainPeriodSeconds = 10;

double period(ProgressMode mode) {
  return mode == ProgressMode::kTerminal ? kTerminalPeriodSeconds : kPlainPeriodSeconds;
}

}  // namespace

ProgressMode detect_progress_mode() {
  return isatty(STDERR_FILENO) ? ProgressMode::kTerminal : ProgressMode::kPlain;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.95 && unit < 5) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, kUnits[unit]);
}

std::string format_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string format_seconds(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string format_progress(std::string_view what, std::uint64_t done, std::uint64_t total,
                            bool bytes, double elapsed_seconds) {
  const auto amount = [&](std::uint64_t n) { return bytes ? format_bytes(n) : format_count(n); };
  std::string line = fmt::format("{:<10} {}", what, amount(done));
  if (total > 0) line += fmt::format(" of {}  {} %", amount(total), done * 100 / total);
  if (elapsed_seconds > 0 && done > 0) {
    const double rate = static_cast<double>(done) / elapsed_seconds;
    line += fmt::format("  {}/s", amount(static_cast<std::uint64_t>(rate)));
    if (total > done)
      line += fmt::format("  {} left", format_seconds(static_cast<double>(total - done) / rate));
  }
  return line;
}

Progress::Progress(std::string what, std::uint64_t total, bool bytes, ProgressMode mode)
    : what_(std::move(what)),
      total_(total),
      bytes_(bytes),
      mode_(mode),
      start_seconds_(monotonic_seconds()),
      next_write_seconds_(start_seconds_ + period(mode)) {}

Progress::~Progress() {
  if (mode_ == ProgressMode::kOff) return;
  const std::lock_guard lock(mutex_);
  write(monotonic_seconds(), true);
}

void Progress::add(std::uint64_t amount) {
  done_.fetch_add(amount, std::memory_order_relaxed);
  if (mode_ == ProgressMode::kOff) return;
  const double now = monotonic_seconds();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || now < next_write_seconds_) return;
  next_write_seconds_ = now + period(mode_);
  write(now, false);
}

void Progress::write(double now, bool last) {
  const std::string line =
      format_progress(what_, done_.load(), total_, bytes_, now - start_seconds_);
  if (mode_ == ProgressMode::kTerminal) {
    std::fprintf(stderr, "\r\033[K%s%s", line.c_str(), last ? "\n" : "");
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
  written_ = true;
}

}  // namespace headrace
