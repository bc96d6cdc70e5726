// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files, without a fuzzer and with any compiler: ctest replays the
// checked-in corpus, and a finding is looked at with a debugger.
//
//   build-dev/fuzz/manifest_fuzz_replay FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> inputs(int argc, char** argv) {
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      paths.emplace_back(argv[i]);
      continue;
    }
    for (const auto& file : std::filesystem::directory_iterator(argv[i])) {
      if (file.is_regular_file()) paths.push_back(file.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> paths = inputs(argc, argv);
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "%s can not be read\n", path.c_str());
      return 1;
    }
    // A block of exactly its size, so that a sanitizer sees a read past its end.
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    std::fprintf(stderr, "%s\n", path.c_str());  // before: the last line names the one that failed
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu inputs\n", paths.size());
  return paths.empty() ? 1 : 0;  // nothing replayed is nothing tested
}
