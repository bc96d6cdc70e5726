// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"
#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

TEST(SevenBitDetectTest, SectionsOfCommonCharacters) {
  struct Case {
    const char* bytes;
    const char* encoding;
  };
  const Case cases[] = {
      {"\x1B$B$K$[$s$4\x1B(B.", "iso-2022-jp"},
      {"\x1B$@$K$[$s$4\x1B(J.", "iso-2022-jp"},
      {"Subject: \x1B$BF|K\\\x1B(B\n", "iso-2022-jp"},
      {"\x1B$)CHello \x0E"
       "GQ1[ 8;\x0F.\n",
       "iso-2022-kr"},
      {"\x1B$)AHello \x0EVPND;*HK\x0F.\n", "iso-2022-cn"},
      {"~{VPND;*HKCq9z~} ok", "hz-gb-2312"},
      {"~{<:Ky2;S{#,NpJ)l6HK!#~}", "hz-gb-2312"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(internal::seven_bit_encoding(c.bytes), c.encoding) << c.bytes;
    const EncodingEvidence evidence = decoders().detect(c.bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, c.encoding);
    EXPECT_LT(evidence.confidence, 0.9);
    EXPECT_EQ(evidence.candidates, (std::vector<std::string>{c.encoding, "utf-8"}));
  }
}

TEST(SevenBitDetectTest, AsciiIsAscii) {
  const char* cases[] = {
      "plain",
      "\x1B[31mred\x1B[0m",
      "if (~{x} == y~}) { }",
      "(format t \"~{~a~^, ~}~%\" list)",
      "(format t \"~{item~} ~{word~}\")",
      "ESC $ B is \x1B$B in bytes",
      "\x1B$B",
      "\x1B$B\x1B(B",
      "~{",
      "~{~}",
      "~{VP~}",
      "~{VPND;*HKCq9z",
      "\x1B$)C",
      // A good section does not excuse many that are none.
      "~{VPND;*HKCq9z~} ~{a~} ~{b~}",
  };
  for (const char* bytes : cases) {
    EXPECT_EQ(internal::seven_bit_encoding(bytes), "") << bytes;
    EXPECT_EQ(decoders().detect(bytes, {.whole = true}).encoding, "utf-8") << bytes;
  }
}

TEST(SevenBitDetectTest, RealFiles) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::size_t found = 0;
  for (const char* set : {"chardet_tests", "uchardet_tests"}) {
    const Files files =
        files_of_tar(read_gzip(data_folder() + "/enc-charset-samples/" + set + ".tar.gz"));
    for (const auto& [name, bytes] : files) {
      const std::string encoding = internal::seven_bit_encoding(bytes);
      if (name.find("iso-2022-") == std::string::npos) {
        EXPECT_EQ(encoding, "") << name;
      } else {
        EXPECT_EQ(encoding, name.substr(name.find("iso-2022-"), 11)) << name;
        ++found;
      }
    }
  }
  EXPECT_EQ(found, 5U);
  // Programs, Lisp and Perl among them.
  const Files programs =
      files_of_tar(read_gzip(data_folder() + "/code-samples/linguist_samples.tar.gz"));
  EXPECT_GT(programs.size(), 500U);
  for (const auto& [name, bytes] : programs) {
    EXPECT_EQ(internal::seven_bit_encoding(bytes), "") << name;
  }
}

}  // namespace
}  // namespace headrace::normalize
