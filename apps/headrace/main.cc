// SPDX-License-Identifier: Apache-2.0
// The `headrace` command: one subcommand per file beside this one.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "command.h"

namespace headrace::app {
namespace {

constexpr const char* kDescription =
    "headrace curates training corpora and feeds them to accelerators.\n\n"
    "A recipe says what goes in and what is kept. The smallest one:\n\n"
    "  sources: [{domain: news, paths: [\"raw/news/*.jsonl\"], text: content}]\n"
    "  output: runs/first\n\n"
    "A run directory holds the result and the reasons:\n\n"
    "  headrace run recipe.yaml              raw files to documents and, with tokenize, shards\n"
    "  headrace books RUN                    where every record went\n"
    "  headrace cat RUN --dropped            what was dropped, with the reason and the value\n"
    "  headrace explain RUN ID               one document's story\n"
    "  headrace judge RUN --recipe new.yaml  move thresholds without reading text\n"
    "  headrace audit RUN                    judge what the rules dropped: their precision, "
    "labels\n"
    "  headrace score train|eval|apply       models that score texts: labels to thresholds\n"
    "  headrace verify RUN                   every checksum and count\n"
    "  headrace tokenize FILE...             texts to shards of tokens, without a recipe\n"
    "  headrace tokens count|show|decode     what is in them\n\n"
    "Before a recipe: 'headrace inspect FILE...' says what files are, and how sure that is;\n"
    "'headrace recipe schema' lets an editor complete and check it;\n"
    "'headrace stats FILE...' measures them and suggests thresholds.\n";

constexpr const char* kFooter =
    "'headrace COMMAND --help' tells more. Results go to stdout, progress to stderr.\n\n"
    "Exit codes: 0 done; 1 finished, but the answer is bad; 2 wrong usage or recipe; 3 input or\n"
    "output not usable; 4 internal error; 130 interrupted by Ctrl-C, SIGTERM or SIGHUP (run again "
    "to\n"
    "go on).";

// Commands of the surface that later versions bring: refused by name, so that nobody hunts for a
// typing error.
constexpr const char* kLater[] = {"convert",  "index",  "ls",    "head",  "pack",
                                  "plan",     "prove",  "cache", "bench", "doctor",
                                  "simulate", "report", "cp"};

// First Ctrl-C, SIGTERM or SIGHUP (the terminal is gone): stop between records. Second: at once.
void watch_signals(std::stop_source& stop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  struct sigaction hangup{};
  // nohup asks for it to be ignored.
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, &stop] {
    int signal = 0;
    sigwait(&signals, &signal);
    std::fputs("\nheadrace: stopping\n", stderr);
    stop.request_stop();
    sigwait(&signals, &signal);
    _exit(kInterrupted);
  }).detach();
}

// What became of a stop that was asked for: the work may have been done before it was seen.
void tell_stopped(int code, const std::string& when_stopped) {
  if (code == kInterrupted) {
    std::fputs("headrace: run the same command again to go on\n", stderr);
  } else if (code == kDone && !when_stopped.empty()) {
    fmt::print(stderr, "headrace: {}\n", when_stopped);
  } else if (code == kDone || code == kBadAnswer) {
    std::fputs("headrace: all was done before it stopped\n", stderr);
  }
}

// A word that is no command, told with what is one: CLI11 would say only that a command is missing.
int refuse_command(const CLI::App& app, std::string_view word) {
  for (const char* name : kLater) {
    if (word == name) {
      fmt::print(stderr,
                 "headrace: '{}' is not in this version ({}): see headrace --help for what is\n",
                 name, version());
      return kWrongUsage;
    }
  }
  std::string commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (word == command->get_name()) return kDone;
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  }
  fmt::print(stderr, "headrace: there is no command '{}'; there are {}\n", word, commands);
  return kWrongUsage;
}

// An empty value is that of a shell variable that is not set: taken as if the option were left out,
// it would do something else than was asked for.
void refuse_empty_values(CLI::App& app) {
  const auto check = [](const std::string& value) {
    return value.empty() ? std::string("is empty: give a value, or leave the option out") : "";
  };
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(CLI::Validator(check, ""));
    }
  }
}

int run_main(int argc, char** argv) {
  static std::stop_source stop;  // outlives the signal thread
  watch_signals(stop);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of write(), as a full disk is
  CLI::App app(kDescription, "headrace");
  app.footer(kFooter);
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->column_width(26);
  app.set_version_flag("--version", fmt::format("headrace {}", version()));
  app.require_subcommand(1);
  Common common;
  common.stop = stop.get_token();
  Action action;
  for (const auto add : {add_run, add_books, add_judge, add_audit, add_stats, add_explain, add_cat,
                         add_verify, add_inspect, add_recipe, add_score, add_tokenize, add_tokens})
    add(app, &common, &action);
  refuse_empty_values(app);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kWrongUsage;
  }
  if (argv[1][0] != '-') {
    if (const int refused = refuse_command(app, argv[1]); refused != kDone) return refused;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help, version, or what is wrong
    return code == 0 ? kDone : kWrongUsage;
  }
  if (common.verbose) set_log_level(LogLevel::kInfo);
  if (common.quiet) set_log_level(LogLevel::kError);
  const int code = action();
  flush();
  if (common.stop.stop_requested()) tell_stopped(code, common.when_stopped);
  return code;
}

}  // namespace
}  // namespace headrace::app

int main(int argc, char** argv) {
  // A closed standard descriptor would be given to the next file that is opened, and progress lines
  // would be written into it.
  for (int descriptor = open("/dev/null", O_RDWR);
       descriptor >= 0 && descriptor <= STDERR_FILENO;) {
    descriptor = open("/dev/null", O_RDWR);
  }
  try {
    return headrace::app::run_main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "headrace: internal error: {}\n", error.what());
    return headrace::app::kInternal;
  }
}
