# SPDX-License-Identifier: Apache-2.0
"""MB/s of CPU time, one thread, of our scores and KenLM's, by one model of order 5 trained on every other document of 4 KB.

    HEADRACE_DATA=... HEADRACE_NGRAM_RECORDS=build/src/score/headrace_ngram_records \
        $(tests/interop/environment kenlm)/venv/bin/python tests/interop/kenlm/speed.py

Ours begins with the text as it is; KenLM gets lines whose tokens lie between single blanks, Han characters split before.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import time
from pathlib import Path

import kenlm
from test_kenlm import HAN, program

DATA = Path(os.environ["HEADRACE_DATA"])
TEXTS = {
    "en": ["dup-en-pairs/wiki-split/test.tsv.gz", "dup-en-pairs/msr-paraphrase-corpus/msr_paraphrase_train.txt.gz"],
    "zh": [f"zh-novels/utf8/{name}.txt.gz" for name in ("三国演义", "水浒传", "红楼梦", "西游记")],
}


def documents_of(names: list[str]) -> list[bytes]:
    documents = [b""]
    for line in b"".join(gzip.decompress((DATA / name).read_bytes()) for name in names).splitlines(keepends=True):
        if len(documents[-1]) > 4096:
            documents.append(b"")
        documents[-1] += line
    return documents


def main() -> None:
    for language, names in TEXTS.items():
        documents = documents_of(names)
        tokens = "han" if language == "zh" else "blanks"
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model.bin"
            trained = program("train", str(model), "5", tokens, "0", documents=documents[1::2])
            assert trained.returncode == 0, trained.stderr.decode()
            held_out = documents[::2]
            ours = float(program("speed", str(model), tokens, documents=held_out).stdout.split()[0])
            reference = kenlm.Model(str(model))
        split = [HAN.sub(r" \1 ", text.decode()).encode() if tokens == "han" else text for text in held_out]
        lines = [b" ".join(line.split()) for text in split for line in text.split(b"\n")]
        theirs = 0.0
        for _ in range(5):
            begin = time.process_time()
            for line in lines:
                reference.score(line)
            theirs = max(theirs, sum(map(len, held_out)) / 1e6 / (time.process_time() - begin))
        print(f"{language}: ours {ours:.1f} MB/s, KenLM {theirs:.1f} MB/s, {ours / theirs:.2f} times")


if __name__ == "__main__":
    main()
