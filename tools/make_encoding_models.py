#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the statistics that the encoding detector weighs bytes with:

  src/normalize/character_frequency.inc  characters of Chinese, Japanese and Korean in three classes of frequency
  src/normalize/letter_pairs.inc         which letter follows which, for the languages of eight-bit encodings

usage: make_encoding_models.py ROOT REPOSITORY

ROOT is a folder into which these packages of Debian 12 are unpacked (apt-get download, dpkg-deb -x); what each holds
is free software or free documentation, and only counts of its characters are kept:

  mediawiki, wordpress-l10n, wesnoth-1.16-data   messages and stories, GPL-2+
  gnome-user-docs                                CC BY-SA 3.0
  debian-handbook                                GPL-2+ or CC BY-SA 3.0
  installation-guide-amd64, fortunes-zh          GPL-2 (installation guide), GPL (fortunes)
  libreoffice-help-LANGUAGE                      MPL-2.0
  manpages-LANGUAGE, manpages-zh, manpages-ja    as the programs described: GPL, BSD, GNU FDL
  mecab-ipadic                                   its own BSD-like licence: the words of Japanese

and from PyPI, installed for the Python that runs this: jieba 0.42.1 (MIT; how frequent Chinese words are),
opencc-python-reimplemented 0.1.7 (Apache-2.0; Simplified to Traditional). Packages that are not there are passed
over, with a line on stderr that says how much text each language has. Deterministic. None of the files that the
detector is measured on is read.
"""

import collections
import csv
import glob
import gettext
import gzip
import html
import json
import math
import os
import re
import sys
import unicodedata

Counter = collections.Counter

# --- text ------------------------------------------------------------------------------------------------------------

SOURCES = (
    "usr/share/mediawiki/languages/i18n/{dash}.json",
    "usr/share/mediawiki/extensions*/*/i18n/{dash}.json",
    "usr/share/wordpress/wp-content/languages/{part}*.mo",
    "usr/share/wordpress/wp-content/languages/admin-{part}*.mo",
    "usr/share/games/wesnoth/1.16/locale/{under}/LC_MESSAGES/*.mo",
    "usr/share/help/{under}/*/*.page",
    "usr/share/libreoffice/help/{region}/text/**/*.html",
    "usr/share/doc/debian-handbook/html/{part2}-*/*.html",
    "usr/share/doc/installation-guide-amd64/{under}/*.html",
    "usr/share/man/{under}/man*/*.gz",
)
MOST_PER_SOURCE = 1_500_000  # characters, of distinct lines


def strings_of_json(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key != "@metadata":
                yield from strings_of_json(inner)


def strings_of(path):
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return strings_of_json(json.load(file))
    if path.endswith(".mo"):
        with open(path, "rb") as file:
            return [text for text in gettext.GNUTranslations(file)._catalog.values() if isinstance(text, str)]
    opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")
    with opened as file:
        text = file.read().decode("utf-8", errors="ignore")
    if "/man/" in path:
        return re.sub(r"\\f.|\\[-&|]|\\\(..", "", text).split("\n")
    return html.unescape(re.sub(r"<[^>]*>", "\n", text)).split("\n")


def files_of(root, pattern):
    """Regular files, each once: several names are links to one."""
    seen = set()
    for path in sorted(glob.glob(os.path.join(root, pattern), recursive=True)):
        if os.path.isfile(path) and os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            yield path


def texts(root, language):
    """The text of each source that has the language."""
    code = language.replace("_", "-").lower()
    names = {
        "dash": {"zh-cn": "zh-hans", "zh-tw": "zh-hant", "sr": "sr-ec", "be": "be"}.get(code, code),
        "under": language,
        "part": {"nb": "nb_NO"}.get(language, language),
        "part2": code.split("-")[0] if not code.startswith("zh") else language.replace("_", "-"),
        "region": language.replace("_", "-"),
    }
    for source in SOURCES:
        pattern = source.format(**names)
        if language.startswith("zh"):
            pattern = pattern.replace(f"{names['part2']}-*", names["part2"])
        lines, size = {}, 0
        for path in files_of(root, pattern):
            for line in strings_of(path):
                line = unicodedata.normalize("NFC", line.strip())
                if size < MOST_PER_SOURCE and not line.isascii() and line not in lines:
                    lines[line] = None
                    size += len(line)
        if lines:
            yield "\n".join(lines)


# --- characters of Chinese, Japanese and Korean ----------------------------------------------------------------------

BOUNDS = (10.3, 14.2, 19.0)  # bits: -log2 of the share
FEWEST = 2e-6  # share, below which a character is noise


def shares(counter):
    kept = {c: n for c, n in counter.items() if 0x80 <= ord(c) < 0x10000 and not 0xE000 <= ord(c) < 0xF900}
    kept = {c: n for c, n in kept.items() if not c.isspace() and (c.isalnum() or 0x2010 <= ord(c) < 0xFFF0)}
    total = sum(kept.values()) or 1
    return {c: n / total for c, n in kept.items()}


def mix(*weighted):
    result = Counter()
    for weight, counter in weighted:
        for c, share in shares(counter).items():
            result[c] += weight * share
    return result


def words_of_jieba():
    import jieba

    for line in open(os.path.join(os.path.dirname(jieba.__file__), "dict.txt"), encoding="utf-8"):
        word, count, _ = line.split()
        yield word, int(count)


def words_of_ipadic(root):
    """Each word once: the dictionary's own costs are mostly about particles."""
    for path in files_of(root, "usr/share/mecab/dic/ipadic/*.csv"):
        with open(path, encoding="euc-jp", errors="ignore", newline="") as file:
            for row in csv.reader(file):
                yield row[0], 1


def counted(words):
    counter = Counter()
    for word, weight in words:
        for c in word:
            counter[c] += weight
    return counter


def cjk_counts(root):
    import opencc

    to_traditional = opencc.OpenCC("s2tw")
    documents = {name: Counter("".join(texts(root, name))) for name in ("zh_CN", "zh_TW", "ja", "ko")}
    verse = Counter("".join("".join(strings_of(p)) for p in files_of(root, "usr/share/games/fortunes/*.u8")))
    simplified = list(words_of_jieba())
    converted = to_traditional.convert("\n".join(word for word, _ in simplified)).split("\n")
    traditional = list(zip(converted, (count for _, count in simplified)))
    old_verse = Counter(to_traditional.convert("".join(verse.elements())))
    return {
        "Simplified": mix((0.7, counted(simplified)), (0.28, documents["zh_CN"]), (0.02, verse)),
        "Traditional": mix((0.7, counted(traditional)), (0.28, documents["zh_TW"]), (0.02, old_verse)),
        "Japanese": mix((0.7, documents["ja"]), (0.3, counted(words_of_ipadic(root)))),
        "Korean": mix((1, documents["ko"])),
    }


def classes(counter):
    total = sum(counter.values())
    result = ["", "", ""]
    for c in sorted(counter):
        share = counter[c] / total
        for k, bound in enumerate(BOUNDS):
            if share >= FEWEST and -math.log2(share) <= bound:
                result[k] += c
                break
    return result


def write_characters(root, out):
    print("// Generated by tools/make_encoding_models.py: do not edit.", file=out)
    for language, counter in cjk_counts(root).items():
        found = classes(counter)
        print(f"{language}: {[len(x) for x in found]}", file=sys.stderr)
        print(f"constexpr std::string_view k{language}[] = {{", file=out)
        for characters in found:
            for begin in range(0, max(len(characters), 1), 45):
                print(f'    "{characters[begin : begin + 45]}"', file=out)
            print("    ,", file=out)
        print("};", file=out)


# --- letters of the other languages ----------------------------------------------------------------------------------

# Our code → the name of its text, and what Python calls the encodings that its letters must have.
LATIN = ("cp1252", "iso8859-15", "mac-roman", "cp850")
CENTRAL = ("cp1250", "iso8859-2", "cp852", "mac-latin2", "iso8859-16")
CYRILLIC = ("cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866", "cp855", "mac-cyrillic")
BALTIC = ("cp1257", "iso8859-13", "iso8859-4", "cp1252")
LANGUAGES = {
    **{code: LATIN for code in ("en", "fr", "de", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "is", "ca")},
    **{code: CENTRAL for code in ("cs", "sk", "pl", "hu", "hr", "sl", "sq", "ro")},
    **{code: CYRILLIC for code in ("ru", "bg", "uk", "be", "mk", "sr")},
    **{code: BALTIC for code in ("et", "lv", "lt")},
    "el": ("cp1253", "iso8859-7"),
    "tr": ("cp1254", "iso8859-9", "iso8859-3"),
    "eo": ("iso8859-3",),
    "he": ("cp1255", "iso8859-8"),
    "ar": ("cp1256", "iso8859-6"),
    "fa": ("cp1256",),
    "ur": ("cp1256",),
    "th": ("cp874",),
    "vi": (),
    "vi-marks": ("cp1258",),
}
TYPOGRAPHIC = set("«»“”‘’„‚–—…•·©®°€£§№\u00a0´¿¡ªº™‹›")
RUN = re.compile(r"[A-Za-z\x80-\U0010ffff]+")
# Classes that every language has; its letters follow, in lower case.
BOUNDARY, ASCII_LETTER, TYPOGRAPHY, OTHER, FOREIGN, FIRST_LETTER = range(6)
SMOOTHING = 25
DAMPING = 0.75  # a word that stands n times counts n ** DAMPING: manuals repeat theirs
UNIT = 6  # steps per bit
CEDILLA = str.maketrans("șțȘȚ", "şţŞŢ")


def with_tone_marks(text):
    """Vietnamese as windows-1258 has it: tones are characters of their own."""
    result = []
    for c in text:
        parts = unicodedata.normalize("NFD", c)
        tones = [p for p in parts if p in "\u0300\u0301\u0303\u0309\u0323"]
        kept = unicodedata.normalize("NFC", "".join(p for p in parts if p not in tones))
        try:
            c.encode("cp1258")
            result.append(c)
        except UnicodeEncodeError:
            result.append(kept + "".join(tones))
    return "".join(result)


def words_of(root, language):
    """The runs of letters with anything but ASCII, as the detector cuts them, and their damped counts."""
    counter = Counter()
    for text in texts(root, "vi" if language == "vi-marks" else language):
        if language == "vi-marks":
            text = with_tone_marks(text)
        if language == "ro":
            text = text.translate(CEDILLA)
        counter.update(run for run in RUN.findall(text) if not run.isascii())
    return {word: n**DAMPING for word, n in counter.items()}


def with_typography(root, language):
    """The same with typographic apostrophes and quotation marks, as word processors write them."""
    counter = Counter()
    for text in list(texts(root, language)) + (english(root) if language == "en" else []):
        text = re.sub(r"(\w)['’](\w)", "\\1\u2019\\2", text)
        text = re.sub(r'"(\w)', "\u201c\\1", re.sub(r'(\w)"', "\\1\u201d", text))
        counter.update(run for run in RUN.findall(text) if any(mark in run for mark in "\u2019\u201c\u201d"))
    return {word: n**DAMPING for word, n in counter.items()}


def english(root):
    """English is ASCII, so that texts() finds little of it."""
    lines = {}
    patterns = (
        "usr/share/mediawiki/languages/i18n/en.json",
        "usr/share/help/C/*/*.page",
        "usr/share/doc/debian-handbook/html/en-US/*.html",
    )
    for pattern in patterns:
        for path in files_of(root, pattern):
            lines.update((line, None) for line in strings_of(path))
    return ["\n".join(lines)]


def letters_of(words, encodings, latin):
    counter = Counter()
    for word, n in words.items():
        for c in word.lower():
            counter[c] += n
    usable = None
    if encodings:
        usable = {bytes([b]).decode(name, "ignore").lower() for name in encodings for b in range(128, 256)}
    total = sum(n for c, n in counter.items() if not c.isascii())
    least = 0.0004 if latin else 0.00005
    letters = [
        c
        for c, n in sorted(counter.items(), key=lambda item: (-item[1], item[0]))
        if not c.isascii() and len(c) == 1 and unicodedata.category(c)[0] in "LM" and n >= least * total
        and (usable is None or c in usable)
    ]
    letters = letters[: 28 if latin and usable is not None and "cp1258" not in encodings else 80]
    return [chr(c) for c in range(ord("a"), ord("z") + 1)] * latin + letters


def class_of(c, number):
    if c in number:
        return number[c]
    if c.lower() in number:
        return number[c.lower()]
    if c.isascii():
        return ASCII_LETTER if c.isalpha() else BOUNDARY
    return TYPOGRAPHY if c in TYPOGRAPHIC else FOREIGN if c.isalpha() else OTHER


def count_pairs(words, number, size):
    pairs = [[0.0] * size for _ in range(size)]
    for word, n in words.items():
        before = BOUNDARY
        for c in word:
            k = class_of(c, number)
            pairs[before][k] += n
            before = k
        pairs[before][BOUNDARY] += n
    return pairs, sum(map(sum, pairs))


def model(root, language):
    words = words_of(root, language)
    characters = Counter()
    for word, n in words.items():
        for c in word:
            characters[c.isascii()] += n
    latin = language == "en" or characters[True] > 0.4 * sum(characters.values())
    letters = letters_of(words, LANGUAGES[language], latin)
    number = {c: FIRST_LETTER + i for i, c in enumerate(letters)}
    size = FIRST_LETTER + len(letters)
    pairs, total = count_pairs(words, number, size)
    if latin:
        marks, mark_total = count_pairs(with_typography(root, language), number, size)
        weight = (2 if language == "en" else 0.15) * total / max(mark_total, 1)
        pairs = [[a + weight * b for a, b in zip(*rows)] for rows in zip(pairs, marks)]
    total = sum(map(sum, pairs))
    scale = min(1, 400_000 / total)  # so that smoothing means the same in all
    for row in pairs:
        row[:] = [n * scale for n in row]
        row[OTHER] += 0.1
        row[TYPOGRAPHY] += 0.5
        row[FOREIGN] += 0.3
    sums = [sum(row[k] for row in pairs) + 0.5 for k in range(size)]
    single = [n / sum(sums) for n in sums]
    rows = [single]
    for row in pairs:
        rows.append([(n + SMOOTHING * p) / (sum(row) + SMOOTHING) for n, p in zip(row, single)])
    print(f"{language}: {len(words)} words, {len(letters)} letters{' with a-z' * latin}", file=sys.stderr)
    return "".join(letters)[26 * latin :], latin, rows


def digits(row):
    """Costs in steps of 1/6 bit as printable characters, ( for none; no quotation mark, backslash or trigraph."""
    text = "".join(chr(ord("(") + min(83, round(-math.log2(p) * UNIT))) for p in row)
    return text.replace("\\", "|").replace("?", "}")


def write_letters(root, out):
    print("// Generated by tools/make_encoding_models.py: do not edit.", file=out)
    print("constexpr LetterModel kLetterModels[] = {", file=out)
    for language in LANGUAGES:
        letters, latin, rows = model(root, language)
        print(f'    {{"{language}", u"{letters}", {str(latin).lower()},', file=out)
        for row in rows:
            print(f'     "{digits(row)}"', file=out)
        print("    },", file=out)
    print("};", file=out)


def main():
    root, repository = sys.argv[1:]
    for name, write in (("character_frequency", write_characters), ("letter_pairs", write_letters)):
        with open(os.path.join(repository, "src", "normalize", name + ".inc"), "w", encoding="utf-8") as out:
            write(root, out)


if __name__ == "__main__":
    main()
