# SPDX-License-Identifier: Apache-2.0
"""Natural documents for leak_bench: natural.py DATA OUT [MEGABYTES] writes OUT/english.jsonl, OUT/chinese.jsonl, OUT/sample.jsonl."""

import json
import pathlib
import sys

import natural_texts


def main():
    out = pathlib.Path(sys.argv[2])
    most = float(sys.argv[3]) * 1e6 if len(sys.argv) > 3 else 15e6
    out.mkdir(parents=True, exist_ok=True)
    documents = natural_texts.natural_documents(sys.argv[1], seed=2, mean=(800, 2500))
    with open(out / "sample.jsonl", "w", encoding="utf-8") as file:
        for origin, text in documents[:10000]:
            file.write(json.dumps({"id": origin, "text": text}, ensure_ascii=False) + "\n")
    for name, is_chinese in (("english", False), ("chinese", True)):
        size = 0
        with open(out / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for origin, text in documents[10000:]:
                han = len(natural_texts.HAN.findall(text))
                if (han * 2 > len(text)) != is_chinese or (not is_chinese and (han or not text.isascii())):
                    continue
                size += len(text.encode())
                file.write(json.dumps({"id": origin, "text": text}, ensure_ascii=False) + "\n")
                if size > most:
                    break


if __name__ == "__main__":
    main()
