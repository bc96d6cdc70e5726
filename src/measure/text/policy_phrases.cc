// SPDX-License-Identifier: Apache-2.0
// Policy phrases: how often a text says what only footers and cookie notices say: the six phrases
// of C4 (terms of use, privacy policy, cookie policy, uses cookies, use of cookies, use cookies)
// and Chinese ones of the same kind (使用条款 服务条款 用户协议 隐私政策 隐私条款 隐私声明
// 隐私权政策 免责声明 版权声明 版权所有 使用cookie 使用cookies). Whole words, in any case, whatever
// white space between; of two that begin together the longer; none overlap.
//
// Source: C4 (arXiv 1910.10683) drops lines with its six; the Chinese ones are ours. Never null.
// Cost: in facts/phrases.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_policy_phrases(Registry& registry) {
  registry.add(
      {.name = "policy_phrases",
       .unit = "phrases",
       .summary = "number of phrases of privacy, cookie and copyright notices, English and "
                  "Chinese; never null",
       .of = [](const TextFacts& text) -> std::optional<double> { return text.phrases.policy; }});
}

}  // namespace headrace::measure
