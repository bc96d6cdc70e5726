# SPDX-License-Identifier: Apache-2.0
"""Turns the text that Debian packages carry into the raw inputs of the demo.

Four domains, each in another shape, as corpora come:

* ``handbook``: web pages as gzipped JSONL, Chinese and English; tags stripped plainly, menus and all;
* ``manual``: manual pages as one text file each, roff requests dropped;
* ``verse``: text files of paragraphs; the Chinese ones in GB18030, with the terminal colours that they have;
* ``dictionary``: entries as large plain JSONL, the text in a nested field; one small file is damaged on purpose.

The same packages give the same bytes. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import html.parser
import json
import re
import shutil
import string
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

# --- what is going on --------------------------------------------------------------------------------------------------

EVERY_SECONDS = 5
Item = TypeVar("Item")


def report(what: str) -> None:
    print(f"  {what}", flush=True)


def told(items: Iterable[Item], what: str) -> Iterator[Item]:
    """The items, with a line every few seconds: there are tens of thousands of files."""
    last = time.monotonic()
    for count, item in enumerate(items):
        if time.monotonic() - last > EVERY_SECONDS:
            last = time.monotonic()
            report(f"  {count} {what}")
        yield item


# --- pages -----------------------------------------------------------------------------------------------------------

BLOCKS = frozenset(
    "address article aside blockquote body br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr li main nav ol p pre section table td th tr ul".split()
)
SILENT = frozenset(["script", "style"])


class TextOfPage(html.parser.HTMLParser):
    """Collects the text of a page: blocks become lines, nothing is judged."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self._parts: list[str] = []
        self._silent = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self._silent += 1
        elif tag == "title":
            self._in_title = True
        elif tag in BLOCKS:
            self._parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag == "title":
            self._in_title = False
        elif tag in BLOCKS:
            self._parts.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._silent:
            self._parts.append(data)

    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self._parts).splitlines())
        return "\n".join(line for line in lines if line)


HANDBOOKS = {
    "zh": [
        "usr/share/debian-reference/*.zh-cn.html",
        "usr/share/doc/debian/FAQ/zh-cn/*.html",
        "usr/share/doc/harden-doc/html/zh-CN/*.html",
        "usr/share/libreoffice/help/zh-CN/text/**/*.html",
    ],
    "en": [
        "usr/share/debian-reference/*.en.html",
        "usr/share/doc/debian/FAQ/*.en.html",
        "usr/share/doc/debian-policy/policy.html/*.html",
        "usr/share/doc/harden-doc/html/en-US/*.html",
        "usr/share/doc/maint-guide/html/*.en.html",
        "usr/share/developers-reference/*.html",
        "usr/share/libreoffice/help/en-US/text/**/*.html",
    ],
}


def pages(root: Path, language: str) -> Iterator[dict[str, object]]:
    for pattern in HANDBOOKS[language]:
        for path in sorted(root.glob(pattern)):
            if path.is_symlink():
                continue
            page = TextOfPage()
            page.feed(path.read_text(encoding="utf-8", errors="strict"))
            page.close()
            yield {
                "url": f"file:///{path.relative_to(root).as_posix()}",
                "title": " ".join(page.title.split()),
                "language": language,
                "content": page.text(),
            }


def write_handbook(root: Path, raw: Path) -> None:
    for language in HANDBOOKS:
        lines = [json.dumps(page, ensure_ascii=False) + "\n" for page in told(pages(root, language), f"{language} pages")]
        # No name and no time in the header: the same packages give the same bytes.
        data = gzip.compress("".join(lines).encode(), compresslevel=6, mtime=0)
        write(raw / "handbook" / f"{language}.jsonl.gz", data)


# --- manual pages ----------------------------------------------------------------------------------------------------

ESCAPES = [
    (re.compile(r"\\f(?:\[[^]]*\]|\(..|.)"), ""),  # fonts
    (re.compile(r"\\s[-+]?\d+"), ""),  # sizes
    (re.compile(r"\\[*n](?:\[[^]]*\]|\(..|.)"), ""),  # strings and registers
    (re.compile(r"\\\((?:lq|rq)|\\\[(?:lq|rq)\]"), '"'),
    (re.compile(r"\\\((?:aq|cq|oq)|\\\[(?:aq|cq|oq)\]"), "'"),
    (re.compile(r"\\\((?:en|em|mi|hy)|\\\[(?:en|em|mi|hy)\]|\\-"), "-"),
    (re.compile(r"\\\(bu|\\\[bu\]"), "•"),
    (re.compile(r"\\\((?:co)|\\\[co\]"), "©"),
    (re.compile(r"\\(?:\[[^]]*\]|\(..)"), ""),  # characters that have no plain form
    (re.compile(r"\\[&|^%/,:c]|\\$"), ""),
    (re.compile(r"\\[ 0~]"), " "),
    (re.compile(r"\\e"), r"\\"),
    (re.compile(r"\\(.)"), r"\1"),
]
# Requests whose arguments are text; any other request is layout and is dropped with its line.
TEXT_REQUESTS = frozenset(
    "B BI BR I IB IR R RB RI SB SM SH SS UR MT Sh Ss Nm Nd It Fl Ar Pa Em Sy Xr Op Li Cm Ev IP".split()
)
HEADINGS = frozenset("SH SS Sh Ss".split())
PARAGRAPHS = frozenset("PP LP P HP IP TP Pp".split()) | HEADINGS
LITERAL = {"nf": True, "EX": True, "Vb": True, "fi": False, "EE": False, "Ve": False}
DEFINITIONS = frozenset("de de1 am ig".split())  # up to a line ".."
REQUEST = re.compile(r"^[.']\s*([A-Za-z]+1?)\s*(.*)$")
ARGUMENT = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
JOINED = frozenset("BI BR IB IR RB RI".split())  # arguments stand without a blank between them
FIRST_CJK = "\u2e80"  # from here on, lines are joined without a blank


def fill(pieces: list[str]) -> str:
    """One line, as roff fills paragraphs; Chinese needs no blank where two lines meet."""
    line = pieces[0]
    for piece in pieces[1:]:
        line += ("" if line[-1] >= FIRST_CJK and piece[0] >= FIRST_CJK else " ") + piece
    return line


def unescape(line: str) -> str:
    for pattern, text in ESCAPES:
        line = pattern.sub(text, line)
    return line.rstrip()


def text_of_manual(source: str) -> str:
    """The text of a roff page: requests dropped, the words of font requests kept, paragraphs filled."""
    lines: list[str] = []
    pieces: list[str] = []  # of the paragraph that is being filled
    literal = definition = own_line = False

    def flush(*more: str) -> None:
        if pieces:
            lines.append(fill(pieces))
            pieces.clear()
        lines.extend(more)

    for line in source.splitlines():
        if definition or line.startswith(('.\\"', "'\\\"", '\\"')) or line in ("\\{\\", "\\}"):
            definition = definition and not line.startswith("..")
            continue
        request = REQUEST.match(line)
        text = line
        if request:
            name, rest = request.groups()
            definition = name in DEFINITIONS
            literal = LITERAL.get(name, literal)
            if name in PARAGRAPHS:
                flush("")
            elif name in LITERAL or name in ("br", "sp"):
                flush()
            own_line = own_line or name == "TP" or name in HEADINGS
            if name not in TEXT_REQUESTS:
                continue
            arguments = [quoted or bare for quoted, bare in ARGUMENT.findall(rest.split('\\"')[0])]
            text = ("" if name in JOINED else " ").join(arguments[:1] if name == "IP" else arguments)
            own_line = own_line or name == "IP"
        elif line.startswith((".", "'")):
            continue
        elif not line.strip():
            flush("")
            continue
        text = unescape(text)
        if own_line or literal or text.startswith(" "):  # a leading blank breaks the line
            flush(*([text] if text else []))
            own_line = own_line and not text  # a heading or a tag may stand on the next line
        elif text:
            pieces.append(text)
    flush()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def write_manual(root: Path, raw: Path) -> None:
    for folder, language in (("man/zh_CN", "zh_CN"), ("man/zh_TW", "zh_TW"), ("man", "en")):
        for path in told(sorted((root / "usr/share" / folder).glob("man*/*.gz")), f"{language} manual pages"):
            source = gzip.decompress(path.read_bytes())
            if source.startswith(b".so "):  # another name of a page that is here
                continue
            text = text_of_manual(source.decode("utf-8"))
            write(raw / "manual" / language / f"{path.stem}.txt", (text + "\n").encode())


# --- verse -----------------------------------------------------------------------------------------------------------


def paragraphs(poems: Iterable[str]) -> str:
    """One paragraph each: a poem with blank lines of its own would fall apart otherwise."""
    kept = ("\n".join(line.rstrip() for line in poem.splitlines() if line.strip()) for poem in poems)
    return "\n\n".join(poem for poem in kept if poem) + "\n"


def write_verse(root: Path, raw: Path) -> None:
    fortunes = root / "usr/share/games/fortunes"
    for name in ("tang300", "song100", "chinese"):
        text = paragraphs(re.split(r"^%\n", (fortunes / name).read_text(encoding="utf-8"), flags=re.M))
        write(raw / "verse" / "zh" / f"{name}.txt", text.encode("gb18030"))
    text = paragraphs(re.split(r"^%\n", (fortunes / "songs-poems").read_text(encoding="utf-8"), flags=re.M))
    write(raw / "verse" / "en" / "songs-poems.txt", text.encode())
    dhammapada = root / "usr/share/display-dhammapada/dhammapada-english-transl.txt"
    text = paragraphs(re.split(r"\n\s*\n", dhammapada.read_text(encoding="utf-8")))
    write(raw / "verse" / "en" / "dhammapada.txt", text.encode())


# --- dictionaries ----------------------------------------------------------------------------------------------------

DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
VALUE = {digit: value for value, digit in enumerate(DIGITS)}


def number(digits: str) -> int:
    """Numbers in a dictd index: base 64, most significant digit first."""
    value = 0
    for digit in digits:
        value = value * 64 + VALUE[digit]
    return value


def entries(root: Path, name: str) -> list[bytes]:
    """One JSON line per entry, in the order of the dictionary."""
    data = gzip.decompress((root / f"usr/share/dictd/{name}.dict.dz").read_bytes())
    words: dict[tuple[int, int], list[str]] = {}
    for line in (root / f"usr/share/dictd/{name}.index").read_text(encoding="utf-8").splitlines():
        word, offset, length = line.split("\t")[:3]
        if not word.startswith("00-"):
            words.setdefault((number(offset), number(length)), []).append(word)
    lines = []
    for place in sorted(words):
        # Bytes that are not UTF-8 (gcide has some) go through as they are: finding them is the reader's work.
        text = data[place[0] : sum(place)].decode("utf-8", errors="surrogateescape")
        entry = {"dictionary": name, "words": words[place], "entry": {"text": text}}
        lines.append((json.dumps(entry, ensure_ascii=False) + "\n").encode("utf-8", errors="surrogateescape"))
    return lines


EVERY = {"gcide": 3}  # one entry of so many: all of it would be more than everything else together


def write_dictionary(root: Path, raw: Path) -> None:
    for name in ("gcide", "foldoc", "jargon"):
        lines = entries(root, name)[EVERY.get(name, 1) - 1 :: EVERY.get(name, 1)]
        write(raw / "dictionary" / f"{name}.jsonl", b"".join(lines))
        if name == "jargon":
            write(raw / "dictionary" / "damaged.jsonl", damaged(lines[:100]))


def damaged(good: list[bytes]) -> bytes:
    """A hundred good lines, which the dictionary has as well, and four that no reader may lose."""
    bad = [
        good[7][: len(good[7]) // 2] + b"\n",  # cut
        '{"entry": {"text": "中文，但不是 UTF-8"}}\n'.encode("gb18030"),  # another encoding inside UTF-8
        b'{"dictionary": "jargon", "words": ["no text"]}\n',
        b'{"entry": {"text": ""}}\n',
    ]
    for place, line in zip((20, 40, 60, 80), bad, strict=True):
        good.insert(place, line)
    return b"".join(good)


# --- all of it -------------------------------------------------------------------------------------------------------


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


DOMAINS = {"handbook": write_handbook, "manual": write_manual, "verse": write_verse, "dictionary": write_dictionary}


def fingerprint(root: Path) -> str:
    """What the raw inputs depend on: this file, and the unpacked packages by name and size."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in told(sorted(root.rglob("*")), "files looked at"):
        if path.is_file() and not path.is_symlink():
            digest.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
    return digest.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=Path, help="folder into which the packages are unpacked")
    parser.add_argument("raw", type=Path, help="folder to write; replaced as a whole")
    options = parser.parse_args()
    if not (options.packages / "usr/share").is_dir():
        print(f"{options.packages} holds no unpacked packages: run examples/demo/fetch first", file=sys.stderr)
        return 3

    stamp = options.raw / ".prepared"
    report("looking at what was fetched")
    wanted = fingerprint(options.packages)
    made_before = stamp.exists() and stamp.read_text() == wanted
    if not made_before:
        shutil.rmtree(options.raw, ignore_errors=True)
    begin = time.monotonic()
    for number, (domain, write_domain) in enumerate(DOMAINS.items(), 1):
        if not made_before:
            report(f"{number} of {len(DOMAINS)}: writing {domain}")
            write_domain(options.packages, options.raw)
        files = [path for path in (options.raw / domain).rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        when = "made before" if made_before else f"{time.monotonic() - begin:5.1f} s"
        report(f"{domain:10}  {len(files):5} files  {size / 1e6:5.1f} MB  {when}")
    stamp.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
