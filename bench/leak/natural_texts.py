# SPDX-License-Identifier: Apache-2.0
"""Natural texts of the data folder, cut into documents: news, encyclopaedia, novels, poetry, reviews, licences, TeX, code."""

import bz2
import csv
import gzip
import io
import json
import pathlib
import random
import re
import tarfile
import zipfile

FOLDERS = [
    "zh-novels/utf8", "zh-poetry", "zh-reviews", "zh-fewclue", "zh-thucnews-titles", "zh-clickbait-hancd", "zh-wiki-mrc",
    "zh-classical-modern", "zh-news-html", "multi-wikipedia-mars", "dup-articles-plagiarism", "dup-en-pairs", "dup-zh-pairs",
    "dup-licenses", "en-books-news", "math-latex", "code-samples", "quality-labels-en", "wiki-dump-samples",
    "html-extraction-bench/aeb/ground-truth.json", "pipeline-dolma-tests/multiple_files", "multi-lid-test/lingua_testdata.tar.gz",
]  # fmt: skip
SKIPPED = re.compile(r"LICENSE\.|SOURCE\.md|README|utf16|utf32|gb18030|\.html?$")
HAN = re.compile(r"[\u3400-\u9fff]")
LEAST_CHARACTERS = 40


def leaves(value):
    """The long texts of a JSON value; lists of short ones (lines of a poem) as one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            yield "\n".join(value)
        else:
            for one in value:
                yield from leaves(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)


def texts_of(name, data):
    """(name, text) of a file, through all its packings."""
    if SKIPPED.search(name):
        return
    if name.endswith((".tar.gz", ".tar")):
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in sorted(tar.getmembers(), key=lambda m: m.name):
                if member.isfile():
                    yield from texts_of(f"{name}/{member.name}".replace(".html", ".txt"), tar.extractfile(member).read())
        return
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            for member in sorted(zipped.namelist()):
                yield from texts_of(f"{name}/{member}", zipped.read(member))
        return
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
        name = name.removesuffix(".gz")
    elif data[:3] == b"BZh":
        data = bz2.decompress(data)
        name = name.removesuffix(".bz2")
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    if text.count("\ufffd") > len(text) // 200:
        return
    if ".xml-" in name or name.endswith((".xml", ".txt", ".html")) and text.count("<") > len(text) // 100:
        text = re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", text)
        text = re.sub(r"[ \t]+", " ", text)
    if name.endswith((".json", ".jsonl")):
        try:
            values = [json.loads(text)]
        except ValueError:
            values = []
            for line in text.splitlines():
                try:
                    values.append(json.loads(line))
                except ValueError:
                    pass
        for leaf in leaves(values):
            yield name, leaf
    elif name.endswith(".csv"):
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                yield name, cell
    else:
        yield name, text


def pieces(text, random_, mean):
    """Cuts a text into pieces of about `mean` characters, at line ends where there are some."""
    text = text.strip()
    at = 0
    while at < len(text):
        end = at + int(random_.expovariate(1 / mean)) + LEAST_CHARACTERS
        if end < len(text):
            line = text.find("\n", end - mean // 4, end + mean // 4)
            end = line + 1 if line >= 0 else end
        if len(text) - end < LEAST_CHARACTERS:
            end = len(text)
        yield text[at:end].strip("\n")
        at = end


def natural_documents(data_folder, seed=1, mean=(140, 420)):
    """All pieces, shuffled, each once: (origin, text). `mean` characters of Chinese and of other text."""
    random_ = random.Random(seed)
    seen = set()
    documents = []
    for folder in FOLDERS:
        root = pathlib.Path(data_folder) / folder
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if not path.is_file():
                continue
            for name, text in texts_of(str(path.relative_to(data_folder)), path.read_bytes()):
                head = text[:2000]
                is_chinese = len(HAN.findall(head)) * 5 > len(head)
                for piece in pieces(text, random_, mean[0] if is_chinese else mean[1]):
                    if len(piece) < LEAST_CHARACTERS // (2 if is_chinese else 1) or piece[:80] in seen:
                        continue
                    seen.add(piece[:80])
                    documents.append((name, piece))
    random_.shuffle(documents)
    return documents
