// SPDX-License-Identifier: Apache-2.0
// The names people give to encodings → one encoding each.
//
// Names meet loosely: case, blanks and punctuation do not count, "x-" in front neither, and "cp",
// "windows", "ms" and "codepage" before a number are one. Where an old name is in practice used for
// a later superset, the superset decodes it, as the WHATWG Encoding Standard has it for the Web:
// GB2312 and GBK are read as GB18030, ISO-8859-1 as windows-1252 (they differ in 0x80-0x9F only,
// which are control characters in the one and quotation marks in the other), EUC-KR as code page
// 949. Names that the table lacks are looked up in ICU's own alias list, so that every table of ICU
// can be declared.
#include <algorithm>
#include <array>
#include <vector>

#include <unicode/ucnv.h>

#include "base/error.h"
#include "base/suggest.h"
#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

struct Known {
  const char* name;
  const char* converter;
  bool cuts_at_newline_bytes;
  std::array<const char*, 9> aliases;  // as keys: see key_of
};

constexpr Known kKnown[] = {
    {"utf-8", "", true, {"cp65001", "utf8sig", "utf8bom", "unicode11utf8"}},
    {"utf-16le", "", false, {"cp1200", "ucs2le", "unicodelittle"}},
    {"utf-16be", "", false, {"cp1201", "ucs2be", "unicodebig"}},
    {"utf-32le", "UTF-32LE", false, {"cp12000", "ucs4le"}},
    {"utf-32be", "UTF-32BE", false, {"cp12001", "ucs4be"}},
    {"us-ascii", "US-ASCII", true, {"ascii", "iso646us", "cp20127", "ansix341968"}},
    {"gb18030",
     "gb18030",
     true,
     {"gbk", "gb2312", "gb231280", "cp936", "cp54936", "euccn", "gb180302000", "gb180302005",
      "chinese"}},
    {"big5", "windows-950-2000", true, {"cp950", "big5eten", "cnbig5", "big5tw"}},
    {"big5-hkscs", "ibm-1375_P100-2008", true, {"hkscs", "big5hk", "cp951"}},
    {"euc-tw", "euc-tw-2014", true, {"cns11643"}},
    {"shift_jis", "ibm-943_P15A-2003", true, {"sjis", "cp932", "cp31j", "mskanji", "shiftjisms"}},
    {"euc-jp", "euc-jp-2007", true, {"ujis", "cp20932", "cp51932"}},
    {"iso-2022-jp", "ISO_2022,locale=ja,version=0", false, {"cp50220", "jis", "csiso2022jp"}},
    {"euc-kr", "windows-949-2000", true, {"cp949", "uhc", "cp51949", "ksc56011987", "korean"}},
    {"iso-2022-kr", "ISO_2022,locale=ko,version=0", false, {"csiso2022kr"}},
    {"hz-gb-2312", "HZ", false, {"hz"}},
    {"iso-8859-1", "ibm-5348_P100-1997", true, {"latin1", "l1", "cp28591", "cp819"}},
    {"iso-8859-2", "ISO-8859-2", true, {"latin2", "l2", "cp28592"}},
    {"iso-8859-3", "ISO-8859-3", true, {"latin3", "l3", "cp28593"}},
    {"iso-8859-4", "ISO-8859-4", true, {"latin4", "l4", "cp28594"}},
    {"iso-8859-5", "ISO-8859-5", true, {"cyrillic", "cp28595"}},
    {"iso-8859-6", "ISO-8859-6", true, {"arabic", "cp28596"}},
    {"iso-8859-7", "ISO-8859-7", true, {"greek", "cp28597"}},
    {"iso-8859-8", "ISO-8859-8", true, {"hebrew", "cp28598", "iso88598i"}},
    {"iso-8859-9", "ibm-5350_P100-1998", true, {"latin5", "l5", "cp28599"}},
    {"iso-8859-13", "ISO-8859-13", true, {"latin7", "l7", "cp28603"}},
    {"iso-8859-15", "ISO-8859-15", true, {"latin9", "l9", "cp28605"}},
    {"iso-8859-16", "", true, {"latin10", "l10"}},
    {"windows-1250", "ibm-5346_P100-1998", true, {}},
    {"windows-1251", "ibm-5347_P100-1998", true, {}},
    {"windows-1252", "ibm-5348_P100-1997", true, {"ansi"}},
    {"windows-1253", "ibm-5349_P100-1998", true, {}},
    {"windows-1254", "ibm-5350_P100-1998", true, {}},
    {"windows-1255", "ibm-9447_P100-2002", true, {}},
    {"windows-1256", "ibm-9448_X100-2005", true, {}},
    {"windows-1257", "ibm-9449_P100-2002", true, {}},
    {"windows-1258", "ibm-5354_P100-1998", true, {}},
    {"windows-874", "windows-874-2000", true, {"tis620", "iso885911"}},
    {"koi8-r", "ibm-878_P100-1996", true, {"koi8", "cp20866"}},
    {"koi8-u", "ibm-1168_P100-2002", true, {"cp21866"}},
    {"ibm866", "ibm-866_P100-1995", true, {"cp866"}},
    {"ibm850", "IBM850", true, {"cp850"}},
    {"ibm852", "IBM852", true, {"cp852"}},
    {"ibm855", "IBM855", true, {"cp855"}},
    {"viscii", "", true, {"csviscii"}},
    {"johab", "", true, {"cp1361", "ksjohab"}},
    {"x-mac-cyrillic", "macos-7_3-10.2", true, {"maccyrillic", "cp10007"}},
    {"x-mac-ce", "macos-29-10.2", true, {"maccentraleurope", "maclatin2", "cp10029"}},
    {"macintosh", "macos-0_2-10.2", true, {"macroman", "mac", "cp10000"}},
};

// "CP-936", "Windows 936" → "cp936"; "x-sjis" → "sjis"; "GB_18030" → "gb18030".
std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') key.push_back(static_cast<char>(c - 'A' + 'a'));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) key.push_back(c);
  }
  if (name.size() > 2 && (name[0] == 'x' || name[0] == 'X') && name[1] == '-') key.erase(0, 1);
  for (const std::string_view page : {"codepage", "windows", "win", "ms", "cp"}) {
    if (key.size() > page.size() && key.compare(0, page.size(), page) == 0 &&
        key[page.size()] >= '0' && key[page.size()] <= '9') {
      return "cp" + key.substr(page.size());
    }
  }
  return key;
}

const Known* find_known(std::string_view key) {
  for (const Known& known : kKnown) {
    if (key_of(known.name) == key) return &known;
    for (const char* alias : known.aliases) {
      if (alias != nullptr && key == alias) return &known;
    }
  }
  return nullptr;
}

bool is_plain_ascii(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

// Tables that depend on the machine, are no text encodings of files, or cannot be told from others
// line by line in a useful way.
bool refused(std::string_view converter) {
  for (const std::string_view prefix :
       {"UTF16_", "UTF32_", "UTF-16", "UTF-32", "UTF-7", "IMAP", "LMBCS", "x11"}) {
    if (converter.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

// ICU's own list: the canonical name is the MIME or IANA name in lower case where there is one.
Result<Encoding> from_icu(const std::string& name) {
  UErrorCode error = U_ZERO_ERROR;
  const char* converter = ucnv_getAlias(name.c_str(), 0, &error);
  if (U_FAILURE(error) || converter == nullptr || refused(converter)) {
    return invalid_argument("unknown encoding '{}'", name);
  }
  error = U_ZERO_ERROR;
  const char* standard = ucnv_getStandardName(converter, "MIME", &error);
  if (standard == nullptr) standard = ucnv_getStandardName(converter, "IANA", &error);
  Encoding encoding;
  for (const char* c = standard != nullptr ? standard : converter; *c != '\0'; ++c) {
    encoding.name.push_back(*c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c);
  }
  encoding.converter = converter;
  // Lines are cut in the bytes only where every byte is one character and 0x0A is the line feed.
  error = U_ZERO_ERROR;
  UConverter* opened = ucnv_open(converter, &error);
  if (U_FAILURE(error)) return unsupported("encoding '{}': ICU has no data for it here", name);
  UChar out[2] = {};
  const char line_feed = '\n';
  const bool one_byte = ucnv_getMaxCharSize(opened) == 1;
  const std::int32_t units = ucnv_toUChars(opened, out, 2, &line_feed, 1, &error);
  encoding.cuts_at_newline_bytes = one_byte && U_SUCCESS(error) && units == 1 && out[0] == u'\n';
  ucnv_close(opened);
  return encoding;
}

}  // namespace

Result<Encoding> resolve_encoding(std::string_view name) {
  const std::string key = key_of(name);
  if (const Known* known = find_known(key); known != nullptr && is_plain_ascii(name)) {
    return Encoding{known->name, known->converter, known->cuts_at_newline_bytes};
  }
  if (key == "utf16" || key == "ucs2" || key == "unicode" || key == "utf32" || key == "ucs4") {
    const std::string_view family = key == "utf32" || key == "ucs4" ? "utf-32" : "utf-16";
    return invalid_argument(
        "encoding '{}' leaves the byte order open: write '{}le' or '{}be', or 'auto' for files "
        "that "
        "begin with a byte order mark",
        name, family, family);
  }
  if (!key.empty() && is_plain_ascii(name) && name.size() < UCNV_MAX_CONVERTER_NAME_LENGTH &&
      name.find(',') == std::string_view::npos) {
    if (Result<Encoding> icu = from_icu(std::string(name)); icu.has_value()) {
      if (const Known* known = find_known(key_of(icu->name)); known != nullptr) {
        return Encoding{known->name, known->converter, known->cuts_at_newline_bytes};
      }
      return icu;
    }
  }
  std::vector<std::string> names;
  for (const Known& known : kKnown) {
    names.emplace_back(known.name);
    for (const char* alias : known.aliases) {
      if (alias != nullptr) names.emplace_back(alias);
    }
  }
  std::string near = nearest(key, names);
  if (near.empty()) {
    names.clear();
    for (const Known& known : kKnown) names.emplace_back(known.name);
    return invalid_argument("unknown encoding '{}'{}", name, suggestion(name, names));
  }
  return invalid_argument("unknown encoding '{}'; did you mean '{}'?", name, near);
}

}  // namespace headrace::normalize::internal
