# SPDX-License-Identifier: Apache-2.0
"""Makes a corpus of five domains from the project's real test data, and a recipe for it.

    python tests/e2e/prepare_corpus.py OUT [--data DIR]      DIR: default HEADRACE_DATA

What is there comes as it is where a reader takes it: gzipped JSON lines with other text fields per source, novels in
UTF-8 (gzipped) and in GB18030, English text files with odd bytes. SQuAD files become JSON lines, archives files.
The same data gives the same bytes. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

# Sub-set of FewCLUE → the field that holds its text.
FEWCLUE = {
    "bustm": "sentence1",
    "chid": "content",
    "csl": "abst",
    "csldcp": "content",
    "eprstmt": "sentence",
    "iflytek": "sentence",
    "ocnli": "sentence1",
    "tnews": "sentence",
}
# English archives whose members hold one text per line; in the others blank lines stand between paragraphs.
ONE_PER_LINE = ("subjectivity", "webtext")
PARAGRAPHS = ("abc", "inaugural", "state_union", "product_reviews_1")

RECIPE = """\
# Made by tests/e2e/prepare_corpus.py.
version: 1
name: five-domains
seed: 20261130

sources:
{sources}
normalize:
  - control_chars
  - whitespace: {{mode: paragraphs}}
  - unicode_form: {{form: nfc}}

judge:
  preset: zh-web
  rules:
    code_points: {{min: 10, max: 100000}}
  domains:
    zh-novels: {{rules: {{code_points: {{min: 20, max: 20000}}}}}}
    zh-wiki-mrc: {{rules: {{code_points: {{min: 50}}, dup_10gram_coverage: {{max: 0.5}}}}}}
    en-books-news: {{rules: {{code_points: {{min: 30, max: 50000}}, mean_sentence_length: {{min: 3, max: 500}}}}}}
    code-samples: {{preset: none, rules: {{code_points: {{min: 40}}}}}}

dedup:
  exact: {{view: [nfkc, casefold, whitespace]}}

mix:
  weights: {{zh-fewclue: 0.35, zh-novels: 0.30, zh-wiki-mrc: 0.10, en-books-news: 0.20, code-samples: 0.05}}

tokenize: {{tokenizer: {tokenizer}, end: "<|endoftext|>"}}
pack: {{length: 1024, method: concat}}
shards: {{format: megatron, size: 4MiB, multiple_of: 2, shuffle: true}}

output: {output}
"""


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def squad_contexts(path: Path) -> Iterator[dict[str, str]]:
    """The paragraphs of a SQuAD file; questions are left out."""
    for article in json.loads(gzip.decompress(path.read_bytes()))["data"]:
        for paragraph in article["paragraphs"]:
            yield {"title": article.get("title", ""), "context": paragraph["context"]}


def copy_fewclue(data: Path, raw: Path) -> None:
    for name in FEWCLUE:
        for path in sorted((data / "zh-fewclue" / name).glob("*.json.gz")):
            write(raw / "zh-fewclue" / name / path.name, path.read_bytes())


def copy_novels(data: Path, raw: Path) -> None:
    for path in sorted((data / "zh-novels").glob("*/*.txt*")):
        write(raw / "zh-novels" / path.parent.name / path.name, path.read_bytes())


def make_wiki(data: Path, raw: Path) -> None:
    for path in sorted((data / "zh-wiki-mrc").glob("*/*.json.gz")):
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in squad_contexts(path)]
        write(raw / "zh-wiki-mrc" / path.name.replace(".json.gz", ".jsonl"), "".join(lines).encode())


def make_english(data: Path, raw: Path) -> None:
    for kind, names in (("lines", ONE_PER_LINE), ("paragraphs", PARAGRAPHS)):
        for name in names:
            with zipfile.ZipFile(data / "en-books-news" / "nltk" / f"{name}.zip") as archive:
                for member in sorted(archive.namelist()):
                    if not member.endswith("/") and "README" not in member:
                        path = raw / "en-books-news" / kind / member
                        write(path.with_name(path.name.removesuffix(".txt") + ".txt"), archive.read(member))
    book = data / "en-books-news" / "sentencepiece" / "botchan.txt"
    write(raw / "en-books-news" / "lines" / book.name, book.read_bytes())


def make_code(data: Path, raw: Path) -> None:
    packed = (data / "code-samples" / "linguist_samples.tar.gz").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                write(raw / "code-samples" / member.name, content.read())


def source(domain: str, pattern: Path, **options: str) -> str:
    """One source of the recipe. JSON strings are YAML strings."""
    lines = [f"  - domain: {domain}", f"    paths: [{json.dumps(str(pattern), ensure_ascii=False)}]"]
    return "\n".join(lines + [f"    {key}: {value}" for key, value in options.items()]) + "\n"


def recipe(data: Path, raw: Path, output: Path) -> str:
    sources = [
        source("zh-fewclue", raw / "zh-fewclue" / name / "*.json.gz", format="jsonl", text=field)
        for name, field in FEWCLUE.items()
    ]
    sources += [
        source("zh-novels", raw / "zh-novels/utf8/*.txt.gz", documents="paragraph"),
        source("zh-novels", raw / "zh-novels/gb18030/*.txt", documents="paragraph", encoding="gb18030"),
        source("zh-wiki-mrc", raw / "zh-wiki-mrc/*.jsonl", text="context", keep="[title]"),
        source("en-books-news", raw / "en-books-news/lines/**/*.txt", documents="line"),
        source("en-books-news", raw / "en-books-news/paragraphs/**/*.txt", documents="paragraph"),
        source("code-samples", raw / "code-samples/**/*", format="text", documents="file"),
    ]
    tokenizer = data / "tokenizers" / "qwen3" / "tokenizer.json"
    return RECIPE.format(
        sources="".join(sources), tokenizer=json.dumps(str(tokenizer)), output=json.dumps(str(output))
    )


def prepare(data: Path, out: Path) -> Path:
    """Writes `out`/raw and `out`/recipe.yaml (whose run directory is `out`/run); returns the recipe's path."""
    raw = out / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    for make in (copy_fewclue, copy_novels, make_wiki, make_english, make_code):
        make(data, raw)
    path = out / "recipe.yaml"
    path.write_text(recipe(data.resolve(), raw.resolve(), (out / "run").resolve()), encoding="utf-8")
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, default=os.environ.get("HEADRACE_DATA"))
    options = parser.parse_args()
    if options.data is None or not (options.data / "zh-fewclue").is_dir():
        print(f"no test data in {options.data}: set HEADRACE_DATA or give --data", file=sys.stderr)
        return 3
    print(prepare(options.data, options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
