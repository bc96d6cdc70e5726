// SPDX-License-Identifier: Apache-2.0
// See docs/decisions/0005-simdjson.md: two libraries of this process export simdjson's symbols.
#include <dlfcn.h>
#include <string>

#include <gtest/gtest.h>

namespace {

TEST(LibraryOrderTest, SimdjsonComesFromItsOwnLibrary) {
  for (const char* symbol :
       {"_ZN8simdjson13validate_utf8EPKcm", "_ZN8simdjson25get_active_implementationEv"}) {
    void* address = dlsym(RTLD_DEFAULT, symbol);
    ASSERT_NE(address, nullptr) << symbol;
    Dl_info info;
    ASSERT_NE(dladdr(address, &info), 0);
    EXPECT_NE(std::string(info.dli_fname).find("libsimdjson"), std::string::npos) << info.dli_fname;
  }
}

}  // namespace
