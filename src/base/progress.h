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

// What `Progress` shows at a moment, e.g. "documents  412 MB of 1.2 GB  34 %  61.3 MB/s  13 s
// left".
std::string format_progress(std::string_view what, std::uint64_t done, std::uint64_t total,
                            bool bytes, double elapsed_seconds);

// "1.2 GB", "340 KB" (decimal), and "1,234,567".
std::string format_bytes(std::uint64_t bytes);
std::string format_count(std::uint64_t count);
// "3 s", "4 min 20 s", "2 h 5 min".
std::string format_seconds(double seconds);

// Thread-safe. Writes to stderr at most ten times a second (terminal) or every ten seconds (plain),
// and once at the end.
class Progress {
 public:
  // `total` 0 = unknown. `bytes`: amounts are bytes, else a count.
  Progress(std::string what, std::uint64_t total, bool bytes, ProgressMode mode);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t amount);

 private:
  void write(double now, bool last);

  const std::string what_;
  const std::uint64_t total_;
  const bool bytes_;
  const ProgressMode mode_;
  const double start_seconds_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  double next_write_seconds_;
  bool written_ = false;
};

}  // namespace headrace
