#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many labelled files each encoding detector decodes to the exact truth.

HEADRACE is the command (build/headrace), DATA the folder of public test data (HEADRACE_DATA). Peers are those that the
Python running this can import: chardet, charset-normalizer, faust-cchardet; and libuchardet, if the machine has it.
Make a virtual environment of their own: pip install chardet charset-normalizer faust-cchardet.

Two labels are equal when they decode the bytes to the same text, or where both are names of one family (GB2312 within
GB18030, EUC-KR within code page 949, Shift_JIS within 932): some files have bytes that nothing decodes. Every set is
read twice: as it is, and with what its markup declares overwritten by x (masked). The truth of a page is its label; of
the Chinese pages UTF-8 where they are that and GB18030 otherwise; of the odd pages what their mark or markup says, where
the bytes are that. Detectors of bytes get the bytes; headrace is the command on files, with markup looked at.
"""

import argparse
import ctypes
import gzip
import json
import os
import re
import subprocess
import tarfile
import tempfile
import time

FAMILIES = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "cp949": "euc-kr", "uhc": "euc-kr", "euc_kr": "euc-kr",
    "cp932": "shift_jis", "sjis": "shift_jis", "ascii": "utf-8", "us-ascii": "utf-8", "utf-8-sig": "utf-8",
    "utf_8": "utf-8", "big5hkscs": "big5", "cp950": "big5", "euc_jp": "euc-jp", "mac-cyrillic": "x-mac-cyrillic",
    "maccyrillic": "x-mac-cyrillic", "macroman": "macintosh",
}  # fmt: skip
PYTHON_NAMES = {
    "tis-620": "iso8859-11", "macintosh": "mac-roman", "x-mac-cyrillic": "mac-cyrillic", "windows-874": "cp874",
    "x-mac-ce": "mac-latin2", "hz-gb-2312": "hz", "euc-kr": "cp949", "shift_jis": "cp932", "big5": "big5hkscs",
    "utf-8": "utf-8-sig",
}  # fmt: skip
ICONV_NAMES = {"viscii": "VISCII", "euc-tw": "EUC-TW"}


def canonical(label):
    label = (label or "").lower()
    label = re.sub(r"^(iso-8859-\d+|windows-\d+)-[a-z]+$", r"\1", label)
    return FAMILIES.get(label, label)


def decoded(data, label):
    if label in ICONV_NAMES:
        done = subprocess.run(["iconv", "-f", ICONV_NAMES[label], "-t", "UTF-8"], input=data, capture_output=True, check=False)
        return done.stdout.decode() if done.returncode == 0 else None
    try:
        return data.decode(PYTHON_NAMES.get(label, label)).lstrip("\ufeff")
    except (UnicodeDecodeError, LookupError):
        return None


def is_right(data, truth, answer):
    truth, answer = canonical(truth), canonical(answer)
    if not answer:
        return False
    if truth == answer:
        return True
    text = decoded(data, truth)
    return text is not None and text == decoded(data, answer)


# --- sets: lists of (label, bytes) ----------------------------------------------------------------------------------


def members(path):
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def labelled_files(data):
    for name, content in members(f"{data}/enc-charset-samples/chardet_tests.tar.gz"):
        if "/" in name:
            yield name.split("/")[-2], content


def labelled_texts(data):
    for name, content in members(f"{data}/enc-charset-samples/uchardet_tests.tar.gz"):
        label, ending = os.path.basename(name).rsplit(".", 1)
        yield label + (ending if ending in ("le", "be") else ""), content


def page_label(content):
    try:
        content.decode()
        return "utf-8"
    except UnicodeDecodeError:
        return "gb18030"


def chinese_pages(data):
    for name, content in members(f"{data}/zh-web-extraction-gbk/pages_and_truth.tar.gz"):
        if name.endswith(".html"):
            yield page_label(content), content


def news_pages(data, encoding):
    for _, content in members(f"{data}/zh-news-html/html.tar.gz"):
        try:
            text = content.decode()
            if sum("\u4e00" <= c <= "\u9fff" for c in text) >= 50:
                yield encoding, text.encode(encoding, "ignore" if encoding == "big5" else "strict")
        except UnicodeError:
            continue


def odd_pages(data):
    marks = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
    for folder, _, names in sorted(os.walk(f"{data}/html-parser-odd")):
        for name in sorted(names):
            if not re.search(r"\.x?html(\.gz)?$|\.xml$", name):
                continue
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            if content[:2] == b"\x1f\x8b":
                content = gzip.decompress(content)
            found = re.search(rb"""(?i)(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_-]+)""", content[:4096])
            declared = found.group(1).decode() if found else "utf-8"
            label = next((encoding for mark, encoding in marks if content.startswith(mark)), None)
            for candidate in (label, "utf-8", declared):
                if candidate and decoded(content, canonical(candidate)) is not None:
                    yield candidate, content
                    break


def masked(content):
    pattern = rb"""(?i)((?:charset|encoding)\s*=\s*["']?)([A-Za-z0-9_\-:.]+)"""
    return re.sub(pattern, lambda m: m.group(1) + b"x" * len(m.group(2)), content[:4096]) + content[4096:]


# --- detectors: a list of contents → a list of labels ----------------------------------------------------------------


def headrace(command):
    def detect(contents):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i, content in enumerate(contents):
                paths.append(os.path.join(folder, f"{i:05}"))
                with open(paths[-1], "wb") as file:
                    file.write(content)
            begin = time.perf_counter()
            done = subprocess.run([command, "inspect", "--json", *paths], capture_output=True, check=True)
            seconds = time.perf_counter() - begin
        answers = [file["encoding"] or (file["candidates"] or [""])[0] for file in json.loads(done.stdout)["files"]]
        return answers, seconds

    return detect


def one_by_one(function):
    def detect(contents):
        begin = time.perf_counter()
        answers = [function(content) for content in contents]
        return answers, time.perf_counter() - begin

    return detect


def uchardet():
    library = ctypes.CDLL("libuchardet.so.0")
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    for name, types in (("handle_data", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]), ("data_end", [ctypes.c_void_p]),
                        ("get_charset", [ctypes.c_void_p]), ("delete", [ctypes.c_void_p])):  # fmt: skip
        getattr(library, "uchardet_" + name).argtypes = types

    def detect(content):
        detector = library.uchardet_new()
        library.uchardet_handle_data(detector, content, len(content))
        library.uchardet_data_end(detector)
        answer = library.uchardet_get_charset(detector).decode()
        library.uchardet_delete(detector)
        return answer

    return detect


def peers():
    found = {}
    try:
        found["uchardet"] = uchardet()
    except OSError:
        pass
    try:
        import chardet

        found[f"chardet {chardet.__version__}"] = lambda content: chardet.detect(content)["encoding"]
    except ImportError:
        pass
    try:
        import cchardet

        found["faust-cchardet"] = lambda content: cchardet.detect(content)["encoding"]
    except ImportError:
        pass
    try:
        import charset_normalizer

        def best(content):
            match = charset_normalizer.from_bytes(content).best()
            return match.encoding.replace("_", "-") if match else ""

        found[f"charset-normalizer {charset_normalizer.__version__}"] = best
    except ImportError:
        pass
    return {name: one_by_one(function) for name, function in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", metavar="HEADRACE", help="the command, such as build/headrace")
    parser.add_argument("data", metavar="DATA", help="the folder of public test data")
    arguments = parser.parse_args()
    command, data = arguments.command, arguments.data
    sets = {
        "425 labelled files": list(labelled_files(data)),
        "59 labelled texts": list(labelled_texts(data)),
        "Chinese pages": list(chinese_pages(data)),
        "news pages as GB18030": list(news_pages(data, "gb18030")),
        "news pages as Big5": list(news_pages(data, "big5")),
        "odd pages": list(odd_pages(data)),
    }
    megabytes = sum(len(content) for files in sets.values() for _, content in files) / 1e6
    detectors = {"headrace": headrace(command), **peers()}
    print("| | " + " | ".join(f"{name} ({len(files)})" for name, files in sets.items()) + f" | all {megabytes:.1f} MB, s |")
    print("|---" * (len(sets) + 2) + "|")
    for name, detect in detectors.items():
        cells, total = [], 0.0
        for files in sets.values():
            counts = []
            for change in (lambda content: content, masked):
                contents = [change(content) for _, content in files]
                answers, seconds = detect(contents)
                total += seconds / 2
                counts.append(sum(is_right(content, label, answer) for (label, _), content, answer in zip(files, contents, answers)))
            cells.append(str(counts[0]) if counts[0] == counts[1] else f"{counts[0]} / {counts[1]}")
        print(f"| {name} | " + " | ".join(cells) + f" | {total:.2f} |", flush=True)


if __name__ == "__main__":
    main()
