// SPDX-License-Identifier: Apache-2.0
// The lists that are built in, as text in the form of words/word_list.h: one file per kind and
// language.
#pragma once

namespace headrace::measure {

extern const char* const kFlaggedWordsEn;
extern const char* const kFlaggedWordsZh;
extern const char* const kStopWordsEn;
extern const char* const kStopWordsZh;
extern const char* const kStopWordsDe;
extern const char* const kStopWordsFr;
extern const char* const kStopWordsEs;
extern const char* const kStopWordsIt;
extern const char* const kStopWordsPt;
extern const char* const kStopWordsRu;

}  // namespace headrace::measure
