// SPDX-License-Identifier: Apache-2.0
#include "score/model_kind.h"

#include "score/ngram_model.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

constexpr std::string_view kArpa =
    "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<s>\t-0.5\n-1\t</s>\n-0.5\ta\t-0.25\n\n"
    "\\2-grams:\n-0.25\t<s> a\n\n\\end\\\n";

// The kind of a file of these bytes, named so.
std::string kind_of(std::string_view name, std::string_view bytes) {
  const TestPath base;
  const std::string path = base.path() + std::string(name);
  std::ofstream(path, std::ios::binary) << bytes;
  auto kind = kind_of_file(path);
  std::filesystem::remove(path);
  return kind ? *kind : kind.error().message();
}

TEST(ModelKindTest, BytesComeBeforeNames) {
  const TestPath binary;
  ASSERT_TRUE(NgramModel::parse(kArpa, "a")->write_binary(binary.path()).has_value());
  EXPECT_EQ(kind_of(".bin", binary.read()), "perplexity");
  EXPECT_EQ(kind_of("", binary.read()), "perplexity");
  EXPECT_EQ(kind_of(".bin", kArpa), "perplexity");
  EXPECT_EQ(kind_of("", "\n\n" + std::string(kArpa)), "perplexity");
  const std::string fasttext = model_bytes(make_model({}));
  EXPECT_EQ(kind_of(".arpa", fasttext), "fasttext");
  EXPECT_EQ(kind_of("", fasttext), "fasttext");
}

TEST(ModelKindTest, NamesSayWhatBytesDoNot) {
  EXPECT_EQ(kind_of(".onnx", "\x08\x07"), "transformer");
  EXPECT_EQ(kind_of(".ftz", ""), "fasttext");
  EXPECT_EQ(kind_of(".jsonl", "{}"), "");
  EXPECT_EQ(kind_of_file("/none/m.bin").error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace headrace::score
