// SPDX-License-Identifier: Apache-2.0
// The lists that are built in, as text in the form of words/word_list.h: one file per kind and
// language.
#pragma once

namespace headrace::measure {

extern const char* const kFlaggedWordsEn;
extern const char* const kFlaggedWordsZh;

}  // namespace headrace::measure
