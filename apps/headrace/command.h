// SPDX-License-Identifier: Apache-2.0
// What every command of `headrace` shares. One .cc per command; main.cc lists them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "headrace/headrace.h"

namespace headrace::app {

using Json = nlohmann::ordered_json;

// Exit codes; part of the surface.
inline constexpr int kDone = 0;
inline constexpr int kBadAnswer = 1;   // finished, but books do not balance, damage was found ...
inline constexpr int kWrongUsage = 2;  // command line or recipe
inline constexpr int kNotUsable = 3;   // input or output missing, unreadable, full, forbidden
inline constexpr int kInternal = 4;
inline constexpr int kInterrupted = 130;

// Options that all commands take.
struct Common {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::size_t threads = 0;
  std::stop_token stop;
  // What a stop means for a command that ends by it; "" for one that works until it is done.
  std::string when_stopped;
};

// Adds --json, -q, -v and --threads to a command.
void add_common(CLI::App* command, Common* common);

// Prints the error to stderr and returns its exit code.
int fail(const Status& status);

// `text` with its control characters, but for newlines and tabs, written as \x1B.
std::string for_terminal(std::string_view text);

// One line in which what cannot be seen is named: <U+200B>. `text` is valid UTF-8.
std::string visible(std::string_view text);

// Prints one JSON document, bytes that are no UTF-8 replaced.
void print_json(const Json& json);
// Prints text to stdout; a closed pipe ends the program quietly.
void print(std::string_view text);
// The same for text that may hold names and texts of the data: for_terminal() of it.
void print_text(std::string_view text);
// What print() holds back goes out; a stdout that takes no more is an error, as in print().
void flush();

Json to_json(const Books& books);
Json score_json(const ScoreView& score);
Json to_json(const std::optional<Unfinished>& unfinished);
// "unfinished: 3 of 8 tasks of stage read committed; run again to go on"
std::string to_text(const Unfinished& unfinished);
// A table for people.
std::string to_text(const Books& books);
// "1%" or "0.01" of --sample; nothing when it is neither.
std::optional<double> parse_share(std::string_view text);
Status bad_sample(std::string_view text);
std::string with_commas(std::uint64_t number);

// A command: its entry adds options and sets `*action`, which runs it and returns the exit code.
using Action = std::function<int()>;
void add_run(CLI::App& app, Common* common, Action* action);
void add_books(CLI::App& app, Common* common, Action* action);
void add_judge(CLI::App& app, Common* common, Action* action);
void add_stats(CLI::App& app, Common* common, Action* action);
void add_audit(CLI::App& app, Common* common, Action* action);
void add_explain(CLI::App& app, Common* common, Action* action);
void add_cat(CLI::App& app, Common* common, Action* action);
void add_verify(CLI::App& app, Common* common, Action* action);
void add_inspect(CLI::App& app, Common* common, Action* action);
void add_recipe(CLI::App& app, Common* common, Action* action);
void add_tokenize(CLI::App& app, Common* common, Action* action);
void add_tokens(CLI::App& app, Common* common, Action* action);
void add_score(CLI::App& app, Common* common, Action* action);  // score.h: its commands

}  // namespace headrace::app
