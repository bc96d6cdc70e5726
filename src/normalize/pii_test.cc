// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

struct Case {
  std::string before;
  std::string after;
  std::size_t changes;
};

void check(const std::vector<Case>& cases, const OptionValues& options = {}) {
  const auto step = make_step("pii", options).value();
  std::string scratch;
  for (const Case& c : cases) {
    std::string text = c.before;
    EXPECT_EQ(step->apply(text, scratch), c.changes) << c.before;
    EXPECT_EQ(text, c.after);
    EXPECT_EQ(step->apply(text, scratch), 0U) << "again: " << c.before;
    EXPECT_EQ(text, c.after);
  }
}

void check_untouched(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) check({{text, text, 0}});
}

TEST(PiiTest, MasksEmail) {
  check({
      {"write to jane.doe+list@mail.example.co.uk.", "write to <EMAIL>.", 1},
      {"邮箱：zhang_san@163.com，电话", "邮箱：<EMAIL>，电话", 1},
      {"<a@b-c.org>;x%y@d.io", "<<EMAIL>>;<EMAIL>", 2},
      {"13812345678@qq.com and mailto:me@x.com?subject=hi", "<EMAIL> and mailto:<EMAIL>?subject=hi",
       2},
      {"hacked: joe@x.com:hunter2", "hacked: <EMAIL>:hunter2", 1},
      {"JOE@EXAMPLE.COM", "<EMAIL>", 1},
  });
  check_untouched({
      "a@b",
      "@user",
      "user@",
      "a@.com",
      ".a@b.com",
      "a..b@c.com",
      "a@b..com",
      "a@-b.com",
      "@alice@mastodon.social",
      "git@github.com:octo/repo.git",
      "root@db.example.com:/var/lib",
      "https://user:secret@host.example.com/x",
      "ssh://git@host.example.com/x",
      "icon@2x.png and logo@3x.png",
      "lodash@4.17.21",
      "a@b.inv() @ c.T",
      "y = X@W.dot(v)",
      "@decorator.name",
      "5 apples @ 3.50",
      std::string(70, 'a') + "@b.com",
  });
}

TEST(PiiTest, MasksChineseMobile) {
  check({
      {"电话13812345678。", "电话<PHONE>。", 1},
      {"138-1234-5678 / 139 1234 5678", "<PHONE> / <PHONE>", 2},
      {"+86 13812345678, +8613812345678, +86-138-1234-5678", "<PHONE>, <PHONE>, <PHONE>", 3},
      {"(+86)13812345678 或 0086 13812345678 或 86-13812345678", "<PHONE> 或 <PHONE> 或 <PHONE>",
       3},
      {"tel:19912345678;", "tel:<PHONE>;", 1},
      {"13812345678/13912345678", "<PHONE>/<PHONE>", 2},
      {"138 1234 5678 13912345678", "<PHONE> <PHONE>", 2},
  });
  check_untouched({
      "12812345678",
      "1381234567",
      "138123456789",
      "3.13812345678",
      "13812345678.5",
      "￥13812345678",
      "$13812345678",
      "x13812345678",
      "13812345678L",
      "0x13812345678",
      "/news/13812345678.html",
      "13812345678%",
      "138-1234-56789",
      "138 1234 5678 9012",
      "150 2000 3000 4000 5000",
      "4 138 1234 5678",
      "1381234 5678",
      "550e8400-e29b-41d4-a716-13812345678",
      "1600000000000",
  });
}

TEST(PiiTest, MasksLandlineAndServiceNumbers) {
  check({
      {"电话：010-88886666，传真：(0571)8888666", "电话：<PHONE>，传真：<PHONE>", 2},
      {"021-6888 8888；（010）88886666；0755-26712345-801", "<PHONE>；<PHONE>；<PHONE>", 3},
      {"热线400-820-8820、400-8208-820", "热线<PHONE>、<PHONE>", 2},
      {"010－88886666", "<PHONE>", 1},
      {"020 87654321转", "<PHONE>转", 1},
  });
  check_untouched({
      "88886666",
      "010-1234",
      "010-18886666",
      "0571-2023",
      "2010-88886666",
      "010.88886666",
      "1990-2000",
      "0010-88886666",
      "第010 2023年",
      "010-88886666-13812345678",
  });
}

TEST(PiiTest, MasksAmericanAndInternational) {
  check({
      {"Call (415) 555-2671 or 415-555-2671 or 415.555.2671.",
       "Call <PHONE> or <PHONE> or <PHONE>.", 3},
      {"1-800-555-0199 and +1 (415) 555-2671 and +1-415-555-2671",
       "<PHONE> and <PHONE> and <PHONE>", 3},
      {"+44 20 7946 0958, +33 1 23 45 67 89, +4915123456789", "<PHONE>, <PHONE>, <PHONE>", 3},
      {"+852 2345 6789", "<PHONE>", 1},
  });
  check_untouched({
      "4155552671",
      "415 555 2671",
      "115-555-2671",
      "415-155-2671",
      "415-555-26712",
      "2-415-555-2671",
      "555-2671",
      "+100",
      "+1000000",
      "a+1234567890",
      "1+4915123456789",
      "+49.151.234.567.89",
      "UTC+08:00",
      "(12) 345-6789",
      "+0123456789",
      "x = +12345678;",
  });
}

TEST(PiiTest, MasksIdentityNumbersWithTheRightCheck) {
  check({
      {"身份证11010519491231002X。", "身份证<ID_CARD>。", 1},
      {"440524188001010014 11010519491231002x", "<ID_CARD> <ID_CARD>", 2},
  });
  check_untouched({
      "110105194912310021",  // wrong check
      "11010519491331002X",  // month 13
      "110105194902300023",  // no such day
      "990105194912310029",  // no such province
      "11010519491231002XA",
      "A11010519491231002X",
      "1110105194912310021",
      "110105491231002",  // 15 digits: no check
      "6222021234567890123",
      "123456789012345678",
  });
}

TEST(PiiTest, MasksPublicAddresses) {
  check({
      {"from 123.125.114.144 port 22", "from <IP> port 22", 1},
      {"http://61.135.169.121/index.html 61.135.169.121:8080, 202.96.209.133/24",
       "http://<IP>/index.html <IP>:8080, <IP>/24", 3},
      {"IP：61.135.169.121。", "IP：<IP>。", 1},
      {"2001:da8:8000:1::80 and 2408:8000:1010:1:2:3:4:5", "<IP> and <IP>", 2},
      {"[2a00:1450:4009:80b::200e]:443", "[<IP>]:443", 1},
  });
  check_untouched({
      "10.1.2.3",
      "192.168.1.101",
      "127.0.0.1",
      "172.16.254.33",
      "255.255.255.0",
      "0.0.0.0",
      "169.254.33.44",
      "100.64.77.88",
      "198.51.100.77",
      "203.0.113.77",
      "224.0.0.251",
      "fe80::1",
      "::1",
      "2001:db8::8:800:200c",
      "std::vector<int>",
      "12:30:45",
      "2024:01:15 12:30",
      "00:1a:2b:3c:4d:5e",
      "2001:da8",
      "abcd::ef",
      "3f::x",
      "a::b::c",
      "8.8.8.8",
      "1.1.1.1",  // the size of versions
  });
}

// From changelogs, shops, papers and programs.
TEST(PiiTest, LeavesVersionsPricesDatesAndCodeAlone) {
  check_untouched({
      "Flash Player 11.2.202",
      "Flash/11.2.202.235",
      "Mozilla/5.0 Chrome/108.0.5359.125",
      "version 61.135.169.121",
      "固件版本：61.135.169.121",
      "v61.135.169.121",
      "Java 1.7.0.51",
      "OID 1.3.6.1.4.1.311",
      "section 3.2.1.4",
      "12.2.0.1.0",
      "1.2.3.4-beta",
      "Linux 5.10.0-18-amd64",
      "2.6.32-754.35.1.el6",
      "ISBN 978-7-302-12345-6",
      "ISBN 7-302-12345-6",
      "ISSN 1000-1234",
      "ISBN 0-306-40615-2",
      "2023-11-30 12:34:56.789",
      "20231130123456",
      "2023.11.30",
      "11/30/2023",
      "1949-10-01",
      "¥1,381.00",
      "$4,155,552,671",
      "3.1415926535",
      "1e10",
      "100.000.000,50",
      "99.99%",
      "CAS 7732-18-5",
      "SSN 123-45-6789",
      "4111 1111 1111 1111",
      "DOI 10.1000/182",
      "arXiv:2112.11446",
      "10.1038/s41586-020-2649-2",
      "GB/T 2260-2007",
      "1990-2000年",
      "for (i = 0; i < 100; ++i) a[i] += 0.5;",
      "0xDEADBEEF",
      "#138123",
      "int x=4155552671;",
      "123e4567-e89b-12d3-a456-426614174000",
      "8.5:1",
      "16:9",
      "3:2:1",
      "map<int,a::b>",
      "192.168.0.0/16",
      "邮编100084",
      "QQ 12345678",
      "6.1.7601.17514",
      "0.1.2.3",
  });
}

TEST(PiiTest, MasksOnlyWhatIsAskedFor) {
  const std::string text = "a@b.com 13812345678 61.135.169.121 11010519491231002X";
  check({{text, "<EMAIL> 13812345678 61.135.169.121 11010519491231002X", 1}}, {{"mask", "email"}});
  check({{text, "a@b.com <PHONE> <IP> 11010519491231002X", 2}}, {{"mask", "ip,phone"}});
  check({{text, "a@b.com 13812345678 61.135.169.121 <ID_CARD>", 1}}, {{"mask", "id_card"}});
  check({{text, "<EMAIL> <PHONE> <IP> <ID_CARD>", 4}});
  // A telephone number in an address is the address's.
  check({{"13812345678@qq.com", "13812345678@qq.com", 0}}, {{"mask", "phone"}});
}

// A megabyte of what a finder must look at, without a match, in a time that no loop over all of it
// at each place could keep.
TEST(PiiTest, LooksAtEachPlaceOnce) {
  const auto step = make_step("pii", {}).value();
  std::string scratch;
  for (const std::string& piece :
       {std::string("9"), std::string("@"), std::string("a@"), std::string("1.1."),
        std::string("+1"), std::string("a:"), std::string("138 1234 567 "), std::string("111a.")}) {
    std::string text;
    while (text.size() < 1 << 20) text += piece;
    const std::string before = text;
    EXPECT_EQ(step->apply(text, scratch), 0U) << piece;
    EXPECT_EQ(text, before);
  }
}

}  // namespace
}  // namespace headrace::normalize
