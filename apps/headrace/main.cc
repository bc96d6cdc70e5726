// SPDX-License-Identifier: Apache-2.0
// The `headrace` command: one subcommand per file beside this one.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

constexpr const char* kDescription =
    "headrace curates training corpora and feeds them to accelerators.\n\n"
    "A recipe says what goes in and what is kept; a run directory holds the result and the "
    "reasons:\n"
    "  headrace run recipe.yaml              raw files to shards\n"
    "  headrace books RUN                    where every record went\n"
    "  headrace cat RUN --dropped            what was dropped, with the reason and the value\n"
    "  headrace judge RUN --recipe new.yaml  move thresholds without reading text\n"
    "  headrace explain RUN ID               one document's story\n"
    "  headrace verify RUN/shards            every checksum and count\n";

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 finished, but the answer is bad; 2 wrong usage or recipe; 3 input or "
    "output not usable;\n"
    "4 internal error; 130 interrupted (what was committed is valid: run again to go on).";

// Commands of the surface that later versions bring: refused by name, so that nobody hunts for a
// typing error.
constexpr const char* kLater[] = {"stats",  "inspect",  "score",  "audit", "tokenize",
                                  "tokens", "convert",  "index",  "ls",    "head",
                                  "pack",   "plan",     "prove",  "cache", "bench",
                                  "doctor", "simulate", "report", "cp",    "recipe"};

// First Ctrl-C or SIGTERM: stop between records. Second: at once.
void watch_signals(std::stop_source& stop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, &stop] {
    int signal = 0;
    sigwait(&signals, &signal);
    std::fputs("\nheadrace: stopping; run the same command again to go on\n", stderr);
    stop.request_stop();
    sigwait(&signals, &signal);
    _exit(kInterrupted);
  }).detach();
}

int refuse_later_command(int argc, char** argv) {
  for (const char* name : kLater) {
    if (argc > 1 && std::string_view(argv[1]) == name) {
      fmt::print(stderr,
                 "headrace: '{}' is not in this version ({}): see headrace --help for what is\n",
                 name, version());
      return kWrongUsage;
    }
  }
  return kDone;
}

int run_main(int argc, char** argv) {
  static std::stop_source stop;  // outlives the signal thread
  watch_signals(stop);
  std::signal(SIGPIPE, SIG_IGN);
  if (const int refused = refuse_later_command(argc, argv); refused != kDone) return refused;

  CLI::App app(kDescription, "headrace");
  app.footer(kFooter);
  app.set_version_flag("--version", fmt::format("headrace {}", version()));
  app.require_subcommand(1);
  Common common;
  common.stop = stop.get_token();
  Action action;
  for (const auto add : {add_run, add_books, add_judge, add_explain, add_cat, add_verify})
    add(app, &common, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help, version, or what is wrong
    return code == 0 ? kDone : kWrongUsage;
  }
  if (common.verbose) set_log_level(LogLevel::kInfo);
  if (common.quiet) set_log_level(LogLevel::kError);
  return action();
}

}  // namespace
}  // namespace headrace::app

int main(int argc, char** argv) {
  try {
    return headrace::app::run_main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "headrace: internal error: {}\n", error.what());
    return headrace::app::kInternal;
  }
}
