// SPDX-License-Identifier: Apache-2.0
#include "base/subprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

namespace headrace {
namespace {

constexpr int kLookForStopEveryMs = 100;
constexpr double kGraceSeconds = 5;  // from SIGTERM to SIGKILL
constexpr int kNotStarted = 127;     // as a shell says it

// The child, between fork and exec: nothing here may take memory or a lock.
[[noreturn]] void become(char* const* argv, int err, pid_t parent) {
  // Signals that this program waits for are blocked in it, and would be in the child.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);  // so that what it starts can be ended with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it died before that was set
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execv(argv[0], argv);
  ::_exit(kNotStarted);
}

// Cuts what arrives into lines.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& line) : line_(line) {}

  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n' || c == '\r') {
        end_line();
      } else {
        open_ += c;
      }
    }
  }
  void end_line() {
    if (open_.find_first_not_of(" \t") != std::string::npos) {
      line_(open_);
      last_ = std::move(open_);
    }
    open_.clear();
  }
  std::string take_last() { return std::move(last_); }

 private:
  const std::function<void(std::string_view)>& line_;
  std::string open_;
  std::string last_;
};

// Ends a child and what it started: politely, then for good.
class Ending {
 public:
  Ending(pid_t child, std::stop_token stop) : child_(child), stop_(std::move(stop)) {}

  void look() {
    if (!stop_.stop_requested() || killed_) return;
    if (told_at_ == 0) {
      told_at_ = monotonic_seconds();
      ::kill(-child_, SIGTERM);
    } else if (monotonic_seconds() - told_at_ > kGraceSeconds) {
      killed_ = true;
      ::kill(-child_, SIGKILL);
    }
  }

 private:
  const pid_t child_;
  const std::stop_token stop_;
  double told_at_ = 0;  // 0: not yet
  bool killed_ = false;
};

// The status of a child that has ended, waited for if need be.
int status_of(pid_t child, Ending& ending) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    ending.look();
    ::poll(nullptr, 0, kLookForStopEveryMs / 10);
  }
}

}  // namespace

Result<std::string> find_program(const std::string& name) {
  const auto runs = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) {
    if (runs(name)) return name;
    return not_found("there is no program {}", name);
  }
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + name;
    if (end > begin && runs(file)) return file;
    begin = end + 1;
  }
  return not_found("no folder of $PATH has the program '{}'", name);
}

Result<ProgramEnd> run_program(const std::vector<std::string>& arguments, std::stop_token stop,
                               const std::function<void(std::string_view)>& line) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return errno_status(errno, fmt::format("starting {}", arguments[0]));
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(argv.data(), pipe[1], parent);
  const int fork_error = errno;
  ::close(pipe[1]);
  if (child < 0) {
    ::close(pipe[0]);
    return errno_status(fork_error, fmt::format("starting {}", arguments[0]));
  }
  ::setpgid(child, child);  // whoever comes first
  Lines lines(line);
  Ending ending(child, std::move(stop));
  for (;;) {
    ending.look();
    pollfd poll{pipe[0], POLLIN, 0};
    if (::poll(&poll, 1, kLookForStopEveryMs) <= 0) continue;
    std::array<char, 4096> buffer;
    const ssize_t n = ::read(pipe[0], buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // it closed its stderr, by ending as a rule
    lines.add({buffer.data(), static_cast<std::size_t>(n)});
  }
  lines.end_line();
  ::close(pipe[0]);
  const int status = status_of(child, ending);
  return ProgramEnd{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    lines.take_last()};
}

}  // namespace headrace
