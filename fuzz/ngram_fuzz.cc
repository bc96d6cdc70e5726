// SPDX-License-Identifier: Apache-2.0
// Any bytes as an n-gram model, ARPA or a binary of KenLM. A model that is taken must give every
// text the same scores alone and behind others, and one from ARPA be the same when it is written as
// a binary and read again (in a binary, an entry may lie where no search comes by). The model's own
// bytes are the text, besides some others.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "check.h"
#include "score/ngram_model.h"

namespace {

using headrace::fuzz::check;
using headrace::score::NgramModel;

std::vector<float> scores(const NgramModel& model, std::string_view text,
                          NgramModel::Scratch* scratch) {
  std::vector<float> each;
  const auto sum = model.score(text, {}, scratch, &each);
  check(sum.tokens == each.size() && sum.words <= sum.tokens, "another number of tokens");
  return each;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

std::string written(const NgramModel& model) {
  const std::string name = "ngram_fuzz_" + std::to_string(::getpid());
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  check(model.write_binary(path).has_value(), "not written");
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ::unlink(path.c_str());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = headrace::fuzz::as_text(data, size);
  const auto model = NgramModel::parse(bytes, "fuzz");
  if (!model) {
    check(model.error().message().find("fuzz") != std::string::npos, "an error without the name");
    return 0;
  }
  static NgramModel::Scratch used;
  const std::string texts[] = {"", "a b c a b c", "<s> a </s> <unk>\n\n\xFF 中 a",
                               std::string(bytes)};
  std::vector<std::vector<float>> wanted;
  for (const std::string& text : texts) {
    const NgramModel::Scratch fresh{};
    NgramModel::Scratch own = fresh;
    wanted.push_back(scores(*model, text, &own));
    check(same(scores(*model, text, &used), wanted.back()), "what came before has a part in it");
  }
  if (bytes.starts_with("mmap")) return 0;
  const auto again = NgramModel::parse(written(*model), "fuzz");
  check(again.has_value(), "what was written is not read");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    check(same(scores(*again, texts[i], &used), wanted[i]), "another model when written and read");
  }
  return 0;
}
