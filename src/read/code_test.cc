// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_folder.h"
#include "read/internal/languages.h"
#include "read/internal/test_support.h"

namespace headrace::read {
namespace {

using testing::ElementsAre;

class CodeTest : public testing::Test {
 protected:
  Seen read(std::string_view name, std::string_view bytes, const ReadOptions& options = {}) {
    return read_all("code", folder_.put(name, bytes), options, &decoders_, 1);
  }

  io::TestFolder folder_;
  TestDecoders decoders_;
};

TEST_F(CodeTest, OneFileIsOneDocument) {
  const Seen seen = read("src/a.py", "print('第一')\r\n\tx = 1 < 2\n");
  EXPECT_THAT(seen.sink.texts(), ElementsAre("print('第一')\r\n\tx = 1 < 2\n"));
  EXPECT_EQ(seen.sink.documents[0].meta,
            R"({"path":")" + (folder_ / "src/a.py") + R"(","language":"python"})");
  EXPECT_EQ(seen.sink.documents[0].id, DocumentId::make(3, 0).value);
  EXPECT_EQ(read("src/NOTES", "text").sink.documents[0].meta,
            R"({"path":")" + (folder_ / "src/NOTES") + R"("})");
  EXPECT_EQ(read("b.rs", "fn", {.keep = {"language"}, .keep_all = false}).sink.documents[0].meta,
            R"({"language":"rust"})");
}

TEST_F(CodeTest, BinaryFilesAreDropped) {
  const Seen seen = read("a.o", std::string_view("\x7F"
                                                 "ELF\0\0",
                                                 6));
  EXPECT_THAT(seen.sink.reasons(), ElementsAre("binary_file"));
  EXPECT_EQ(seen.sink.rejections[0].kind, Rejection::kDrop);
  decoders_.evidence = {"utf-16le", 1.0, "byte order mark", {}, ""};
  EXPECT_THAT(read("a.cs", std::string_view("\xFF\xFEx\0;\0", 6)).sink.texts(), ElementsAre("x;"));
  EXPECT_THAT(read("b.c", "/* \xFF */").sink.reasons().size(), 1u);
}

TEST_F(CodeTest, Languages) {
  EXPECT_EQ(language_of("a/B.CPP"), "cpp");
  EXPECT_EQ(language_of("a.b/Makefile"), "make");
  EXPECT_EQ(language_of("a/CMakeLists.txt"), "cmake");
  EXPECT_EQ(language_of("a.py/b"), "");
  EXPECT_EQ(language_of(""), "");
  EXPECT_EQ(registry().for_path("a/b.cc.gz")->name, "code");
  EXPECT_EQ(registry().for_path("a/b.html")->name, "html");
  EXPECT_EQ(registry().for_path("a/b.json")->name, "jsonl");
}

}  // namespace
}  // namespace headrace::read
