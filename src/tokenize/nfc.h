// SPDX-License-Identifier: Apache-2.0
// Unicode normalization form C, as tokenizers does it: by the tables of Unicode 9.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headrace::tokenize {

// Ranges (first, last) of code points that NFC may change, or that may change a neighbour: with a
// combining class, or not surely NFC by themselves.
std::vector<std::pair<std::uint32_t, std::uint32_t>> nfc_sensitive_ranges();

// False if `text` (valid UTF-8) is in form C already; else *normalized becomes that form.
bool to_nfc(std::string_view text, std::string* normalized);

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };

// Replaces *normalized by the form of `text` (valid UTF-8), by the tables of Unicode 9.0.
void to_unicode_form(UnicodeForm form, std::string_view text, std::string* normalized);

}  // namespace headrace::tokenize
