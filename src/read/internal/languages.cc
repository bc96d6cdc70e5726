// SPDX-License-Identifier: Apache-2.0
#include "read/internal/languages.h"

#include <algorithm>

namespace headrace::read {
namespace {

struct Extension {
  std::string_view extension;
  std::string_view language;
};

// In lower case, by language.
constexpr Extension kExtensions[] = {
    {".adb", "ada"},
    {".ads", "ada"},
    {".asm", "assembly"},
    {".s", "assembly"},
    {".bat", "batch"},
    {".cmd", "batch"},
    {".c", "c"},
    {".h", "c"},
    {".cs", "csharp"},
    {".cc", "cpp"},
    {".cpp", "cpp"},
    {".cxx", "cpp"},
    {".hh", "cpp"},
    {".hpp", "cpp"},
    {".hxx", "cpp"},
    {".cmake", "cmake"},
    {".cu", "cuda"},
    {".cuh", "cuda"},
    {".clj", "clojure"},
    {".coffee", "coffeescript"},
    {".css", "css"},
    {".scss", "css"},
    {".less", "css"},
    {".dart", "dart"},
    {".ex", "elixir"},
    {".exs", "elixir"},
    {".erl", "erlang"},
    {".f", "fortran"},
    {".f90", "fortran"},
    {".f95", "fortran"},
    {".fs", "fsharp"},
    {".go", "go"},
    {".groovy", "groovy"},
    {".hs", "haskell"},
    {".java", "java"},
    {".js", "javascript"},
    {".jsx", "javascript"},
    {".mjs", "javascript"},
    {".jl", "julia"},
    {".kt", "kotlin"},
    {".kts", "kotlin"},
    {".el", "lisp"},
    {".lisp", "lisp"},
    {".lua", "lua"},
    {".mk", "make"},
    {".m", "matlab"},
    {".ml", "ocaml"},
    {".mli", "ocaml"},
    {".nim", "nim"},
    {".mm", "objective-c"},
    {".pas", "pascal"},
    {".pl", "perl"},
    {".pm", "perl"},
    {".php", "php"},
    {".ps1", "powershell"},
    {".proto", "protobuf"},
    {".py", "python"},
    {".pyi", "python"},
    {".pyx", "python"},
    {".r", "r"},
    {".rb", "ruby"},
    {".rs", "rust"},
    {".sbt", "scala"},
    {".scala", "scala"},
    {".scm", "scheme"},
    {".sh", "shell"},
    {".bash", "shell"},
    {".zsh", "shell"},
    {".sql", "sql"},
    {".swift", "swift"},
    {".tcl", "tcl"},
    {".tex", "tex"},
    {".ts", "typescript"},
    {".tsx", "typescript"},
    {".v", "verilog"},
    {".sv", "verilog"},
    {".vhd", "vhdl"},
    {".vue", "vue"},
    {".zig", "zig"},
    {".toml", "toml"},
    {".yaml", "yaml"},
    {".yml", "yaml"},
};

constexpr Extension kNames[] = {{"makefile", "make"},        {"gnumakefile", "make"},
                                {"cmakelists.txt", "cmake"}, {"dockerfile", "dockerfile"},
                                {"rakefile", "ruby"},        {"gemfile", "ruby"}};

}  // namespace

std::string_view language_of(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const Extension& whole : kNames) {
    if (name == whole.extension) return whole.language;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return "";
  const std::string_view extension = std::string_view(name).substr(dot);
  for (const Extension& known : kExtensions) {
    if (extension == known.extension) return known.language;
  }
  return "";
}

std::vector<std::string> code_extensions() {
  std::vector<std::string> all;
  for (const Extension& known : kExtensions) all.emplace_back(known.extension);
  return all;
}

bool is_binary(std::string_view bytes) {
  for (const std::string_view mark : {std::string_view("\xFF\xFE"), std::string_view("\xFE\xFF"),
                                      std::string_view("\0\0\xFE\xFF", 4)}) {
    if (bytes.starts_with(mark)) return false;
  }
  return bytes.find('\0') != bytes.npos;
}

}  // namespace headrace::read
