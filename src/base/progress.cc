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

std::string format_amount(std::uint64_t amount, std::string_view unit) {
  return unit == kBytes ? format_bytes(amount) : format_count(amount);
}

// Whole percents, without overflow for amounts of any size.
std::uint64_t percent(std::uint64_t done, std::uint64_t total) {
  return static_cast<std::uint64_t>(100.0 * static_cast<double>(done) / static_cast<double>(total));
}

void write_line(const std::string& line, ProgressMode mode, bool last) {
  if (mode == ProgressMode::kTerminal) {
    std::fprintf(stderr, "\r\033[K%s%s", line.c_str(), last ? "\n" : "");
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
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
                            std::string_view unit, double elapsed_seconds) {
  std::string line = fmt::format("{:<10} ", what);
  if (unit.empty()) return line + "…";
  line += format_amount(done, unit);
  if (total > 0)
    line += fmt::format(" of {}  {} %", format_amount(total, unit), percent(done, total));
  if (elapsed_seconds > 0 && done > 0) {
    const double rate = static_cast<double>(done) / elapsed_seconds;
    line += fmt::format("  {}/s", format_amount(static_cast<std::uint64_t>(rate), unit));
    if (total > done)
      line += fmt::format("  {} left", format_seconds(static_cast<double>(total - done) / rate));
  }
  return line;
}

std::string format_finished(std::string_view what, std::uint64_t done, std::string_view unit,
                            double elapsed_seconds) {
  std::string amount;
  if (unit == kBytes) amount = format_bytes(done);
  if (unit != kBytes && !unit.empty()) amount = fmt::format("{} {}", format_count(done), unit);
  std::string line = fmt::format("{:<10} {:<20} {:>8}", what, amount,
                                 elapsed_seconds < 9.95 ? fmt::format("{:.1f} s", elapsed_seconds)
                                                        : format_seconds(elapsed_seconds));
  if (!unit.empty() && elapsed_seconds > 0) {
    const double rate = static_cast<double>(done) / elapsed_seconds;
    line += fmt::format("  ({}/s)", format_amount(static_cast<std::uint64_t>(rate), unit));
  }
  return line;
}

Progress::Progress(std::string what, std::uint64_t total, std::string_view unit, ProgressMode mode)
    : what_(std::move(what)),
      total_(total),
      unit_(unit),
      mode_(mode),
      start_seconds_(monotonic_seconds()),
      next_write_seconds_(start_seconds_ + period(mode)) {
  if (mode_ == ProgressMode::kTerminal) write(start_seconds_, false);
}

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
  const std::uint64_t done = done_.load();
  // Work that was cut short shows how far it came.
  const std::string line = last && done >= total_
                               ? format_finished(what_, done, unit_, now - start_seconds_)
                               : format_progress(what_, done, total_, unit_, now - start_seconds_);
  write_line(line, mode_, last);
}

void Progress::write_done_before(std::string_view what, ProgressMode mode) {
  if (mode != ProgressMode::kOff) write_line(fmt::format("{:<10} done before", what), mode, true);
}

}  // namespace headrace
