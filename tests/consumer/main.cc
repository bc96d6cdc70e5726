// SPDX-License-Identifier: Apache-2.0
// Calls something of every public header, so that a symbol that the library does not carry, or a
// header that needs more than tl::expected, stops the build.
#include <cstdio>
#include <string>

#include <headrace/headrace.h>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "consumer: %s\n", what);
  ++failures;
}

template <class T>
bool not_found(const headrace::Result<T>& result) {
  return !result.has_value() && result.error().code() == headrace::Code::kNotFound;
}

headrace::Result<std::string> macros() {
  HEADRACE_ASSIGN_OR_RETURN(const headrace::Recipe recipe,
                            headrace::Recipe::parse("no_such_key: 1\n", "bad.yaml"));
  return recipe.name();
}

}  // namespace

int main() {
  expect(headrace::version() == headrace::kHeaderVersion, "version() is not that of the headers");
  expect(!macros().has_value(), "a recipe with an unknown key was taken");
  expect(not_found(headrace::Run::open("no/such/run")), "Run::open of nothing is not not_found");
  expect(not_found(headrace::Feed::open({.set = "no/such/set"})), "Feed::open of nothing");
  expect(not_found(headrace::Tokenizer::open("no/such/tokenizer.json")), "Tokenizer::open");
  expect(not_found(headrace::read_manifest("no/such/set")), "read_manifest of nothing");
  expect(not_found(headrace::audit("no/such/run", {})), "audit of nothing");
  if (failures == 0) std::puts("consumer: ok");
  return failures;
}
