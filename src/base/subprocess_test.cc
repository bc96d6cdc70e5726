// SPDX-License-Identifier: Apache-2.0
#include "base/subprocess.h"

#include <csignal>

#include <gtest/gtest.h>

namespace headrace {
namespace {

struct Said {
  ProgramEnd end;
  std::vector<std::string> lines;
};

Said run_shell(const std::string& script, std::stop_token stop = {}) {
  Said said;
  const auto shell = find_program("sh");
  EXPECT_TRUE(shell.has_value());
  const auto end = run_program({*shell, "-c", script}, std::move(stop),
                               [&](std::string_view line) { said.lines.emplace_back(line); });
  EXPECT_TRUE(end.has_value());
  if (end) said.end = *end;
  return said;
}

TEST(SubprocessTest, HearsLinesAndExitCode) {
  const Said said = run_shell("echo hidden; printf 'one\\n\\ntwo\\r\\nopen' >&2; exit 7");
  EXPECT_EQ(said.end.exit_code, 7);
  EXPECT_EQ(said.lines, (std::vector<std::string>{"one", "two", "open"}));
  EXPECT_EQ(said.end.last_line, "open");
}

TEST(SubprocessTest, SilentProgramHasNoLastLine) {
  const Said said = run_shell("cat");  // its stdin is empty: it ends
  EXPECT_EQ(said.end.exit_code, 0);
  EXPECT_EQ(said.end.last_line, "");
}

TEST(SubprocessTest, MoreThanAPipeHolds) {
  const Said said = run_shell("i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done");
  ASSERT_EQ(said.lines.size(), 20000U);
  EXPECT_EQ(said.end.last_line, "line 19999");
}

TEST(SubprocessTest, StopEndsIt) {
  std::stop_source stop;
  stop.request_stop();
  const Said said = run_shell("exec sleep 600", stop.get_token());
  EXPECT_EQ(said.end.exit_code, 128 + SIGTERM);
}

TEST(SubprocessTest, StopEndsItWhereThisProgramBlocksTheSignal) {
  sigset_t terminate;
  sigset_t before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &terminate, &before), 0);
  std::stop_source stop;
  stop.request_stop();
  const Said said = run_shell("sleep 600; true", stop.get_token());  // a child of the child, too
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(said.end.exit_code, 128 + SIGTERM);
}

TEST(SubprocessTest, StopEndsWhatDoesNotListen) {
  std::stop_source stop;
  const auto shell = find_program("sh");
  ASSERT_TRUE(shell.has_value());
  const auto end =
      run_program({*shell, "-c", "trap '' TERM; echo deaf >&2; while :; do sleep 1; done"},
                  stop.get_token(), [&](std::string_view) { stop.request_stop(); });
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 128 + SIGKILL);
}

TEST(SubprocessTest, MissingPrograms) {
  EXPECT_EQ(find_program("no-such-program-of-headrace").error().code(), Code::kNotFound);
  EXPECT_EQ(find_program("/no/such/program").error().code(), Code::kNotFound);
  const auto end = run_program({"/no/such/program"}, {}, [](std::string_view) {});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 127);
}

}  // namespace
}  // namespace headrace
