# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: the command, small corpora, run directories to compare."""

import hashlib
import json
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY_TOKENIZER = ROOT / "tests/data/tiny_tokenizer.json"


class Command:
    """Runs `headrace` and checks its exit code."""

    def __init__(self, path):
        self.path = str(path)

    def __call__(self, *arguments, exit_code=0, timeout=600, **options):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=timeout, check=False, **options)
        stderr = done.stderr.decode(errors="replace")
        assert done.returncode == exit_code, f"exit {done.returncode}, not {exit_code}: {stderr}\n{done.stdout[-2000:]!r}"
        return done.stdout.decode(), stderr

    def json(self, *arguments, **options):
        return json.loads(self(*arguments, "--json", **options)[0])

    def lines(self, *arguments, **options):
        return [json.loads(line) for line in self(*arguments, **options)[0].splitlines()]


def digest(folder, skip=(".lock",)):
    """{relative path: SHA-256} of every file below a folder."""
    folder = pathlib.Path(folder)
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in skip
    }


# Texts of two sentences over and over are no web text to a preset: these rules look at length and symbols.
RULES = {"code_points": {"min": 20, "max": 100000}, "special_symbol_share": {"max": 0.3}, "digit_share": {"max": 0.5},
         "mean_sentence_length": {"min": 3, "max": 200}}
CHINESE = "黄河之水天上来，奔流到海不复回。君不见高堂明镜悲白发，朝如青丝暮成雪。人生得意须尽欢，莫使金樽空对月！"
ENGLISH = "The mill stood where the river bent, and its wheel had turned since before anyone could remember. "


def write_corpus(folder, documents=600, seed=1):
    """Two domains: JSONL in English and Chinese (some bad lines, duplicates, short texts), text in GB18030."""
    rng = random.Random(seed)
    (folder / "web").mkdir(parents=True)
    for part in range(3):
        with open(folder / f"web/{part}.jsonl", "wb") as file:
            for i in range(documents // 3):
                kind = rng.random()
                text = "".join(rng.choices([ENGLISH, CHINESE], k=rng.randint(1, 30))) + f"({part}-{i})"
                if kind < 0.05:
                    file.write(b'{"text": "cut off\n')
                elif kind < 0.1:
                    file.write(b'{"text": "\xff\xfe"}\n')
                elif kind < 0.15:
                    file.write(json.dumps({"text": "short"}).encode() + b"\n")
                elif kind < 0.2:
                    file.write(json.dumps({"body": text}).encode() + b"\n\n")
                elif kind < 0.25:
                    file.write(json.dumps({"text": "=#=" * 200}).encode() + b"\n")
                else:
                    record = json.dumps({"text": text, "url": f"http://x/{i}"}, ensure_ascii=False).encode() + b"\n"
                    file.write(record)
                    if kind > 0.9:  # a duplicate but for case and blanks
                        file.write(record.upper().replace(b'"TEXT": "', b'"text": "  '))
    (folder / "verse").mkdir()
    paragraphs = ["".join(rng.sample(CHINESE, len(CHINESE))) for _ in range(documents // 6)]
    (folder / "verse/a.txt").write_bytes("\n\n".join(paragraphs).encode("gb18030"))
    return folder


def recipe(folder, **changes):
    """The text of a recipe over write_corpus(), as JSON (which is YAML), with top-level keys replaced."""
    keys = {
        "version": 1,
        "name": "walk",
        "seed": 7,
        "sources": [
            {"domain": "web", "paths": [f"{folder}/web/*.jsonl"]},
            {"domain": "verse", "paths": [f"{folder}/verse/*.txt"], "documents": "paragraph", "encoding": "gb18030"},
        ],
        "judge": {"rules": RULES},
        "dedup": {"exact": {"view": ["nfkc", "casefold", "whitespace"]}},
        "tokenize": {"tokenizer": str(TINY_TOKENIZER), "end": "<|endoftext|>"},
        "pack": {"length": 64},
        "shards": {"format": "megatron", "size": "64KiB", "multiple_of": 2},
    }
    keys.update(changes)
    return json.dumps({key: value for key, value in keys.items() if value is not None})
