// SPDX-License-Identifier: Apache-2.0
// Encoded data share: code points inside encoded data, per code point. Encoded data is an unbroken
// run of at least 64 of the characters A-Z a-z 0-9 + / = that mixes classes: a digit with both an
// upper-case and a lower-case letter (base64), or nothing but hexadecimal digits with both a digit
// and a letter.
//
// So keys, certificates, embedded images and hashes count, line by line (base64 is broken at 64 or
// 76); long words, paths, "=====" and repeated letters do not. base64url (- _) is left out: names
// of files and pages look the same. Prose has 0. Null for an empty text. Cost: in
// facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_encoded_data_share(Registry& registry) {
  registry.add({.name = "encoded_data_share",
                .unit = "share",
                .summary = "share of code points in unbroken runs of 64 or more base64 or "
                           "hexadecimal characters; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.encoded_data, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
