// SPDX-License-Identifier: Apache-2.0
// Progress of long work: done of total, rate, time left. On a terminal one line that renews itself;
// elsewhere a plain line now and then, so that log files stay readable.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace headrace {

enum class ProgressMode { kOff, kPlain, kTerminal };

// kTerminal if stderr is a terminal, else kPlain.
ProgressMode detect_progress_mode();

// What is counted: kBytes, or the plural that stands behind the number; "" = one whole thing.
inline constexpr std::string_view kBytes = "bytes";

// What `Progress` shows at a moment, e.g. "read       412 MB of 1.2 GB  34 %  61.3 MB/s  13 s
// left".
std::string format_progress(std::string_view what, std::uint64_t done, std::uint64_t total,
                            std::string_view unit, double elapsed_seconds);

// What it shows when all is done, e.g. "judge      70,503 documents  0.4 s  (176,257/s)".
std::string format_finished(std::string_view what, std::uint64_t done, std::string_view unit,
                            double elapsed_seconds);

// "1.2 GB", "340 KB" (decimal), and "1,234,567".
std::string format_bytes(std::uint64_t bytes);
std::string format_count(std::uint64_t count);
// "3 s", "4 min 20 s", "2 h 5 min".
std::string format_seconds(double seconds);

// Thread-safe. Writes to stderr at the start and at most ten times a second (terminal) or every ten
// seconds (plain), and once at the end.
class Progress {
 public:
  // `total` 0 = unknown. `unit`: see kBytes; lives as long as the program.
  Progress(std::string what, std::uint64_t total, std::string_view unit, ProgressMode mode);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t amount);

  // One line for work that needs no doing: "read       done before".
  static void write_done_before(std::string_view what, ProgressMode mode);

 private:
  void write(double now, bool last);

  const std::string what_;
  const std::uint64_t total_;
  const std::string_view unit_;
  const ProgressMode mode_;
  const double start_seconds_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  double next_write_seconds_;
};

}  // namespace headrace
