// SPDX-License-Identifier: Apache-2.0
// main() of every test program: each process gets an empty temporary folder of its own, which
// testing::TempDir() and std::filesystem::temp_directory_path() name, and which is removed at the
// end. So cases that run at the same time, in this tree or another, never meet.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "headrace_test_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  setenv("TEST_TMPDIR", folder.c_str(), 1);
  setenv("TMPDIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;  // a test may have left what it may not remove
  std::filesystem::remove_all(folder, ignored);
  return result;
}
