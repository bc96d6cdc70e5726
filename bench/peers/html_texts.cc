// SPDX-License-Identifier: Apache-2.0
// The step html_to_text over a folder of pages, for html_bench.py: FOLDER/NAME.html (UTF-8) becomes
// FOLDER/NAME.txt. Prints the seconds of CPU that the step took, best of ROUNDS, and the bytes.
//
//   html_texts MODE FOLDER [ROUNDS]
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "normalize/normalize.h"

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "html_texts MODE FOLDER [ROUNDS]\n";
    return 2;
  }
  const auto step =
      headrace::normalize::make_step("html_to_text", {{"when", "always"}, {"mode", argv[1]}});
  if (!step) {
    std::cerr << step.error().message() << "\n";
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    if (entry.path().extension() == ".html") paths.push_back(entry.path());
  }
  std::vector<std::string> pages;
  for (const auto& path : paths) pages.push_back(read_file(path));
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 1;
  double best = 0;
  std::size_t bytes = 0;
  std::string scratch;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> texts = pages;
    bytes = 0;
    const double begin = cpu_seconds();
    for (std::string& text : texts) {
      bytes += text.size();
      headrace::Markup markup = headrace::Markup::kHtml;
      (*step)->apply(text, markup, scratch);
    }
    const double seconds = cpu_seconds() - begin;
    best = round == 0 ? seconds : std::min(best, seconds);
    for (std::size_t i = 0; round == 0 && i < texts.size(); ++i) {
      std::ofstream(paths[i].replace_extension(".txt"), std::ios::binary) << texts[i];
    }
  }
  std::cout << best << " " << bytes << "\n";
  return 0;
}
