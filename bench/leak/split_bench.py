# SPDX-License-Identifier: Apache-2.0
"""The own split: validation documents planted in training documents, then found by `leak_texts split`.

    split_bench.py --data DATA --program build/bench/leak_texts --out FOLDER [--seed N] [--training 20000] [--plants 120]

A document that holds none and is found counts as real shared text when at least two blocks of 24 Han or 60 other characters
of the validation document stand in it word for word (whole copies of articles and licences are in the data), else as wrong.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess

import disguises
import natural_texts

SENTENCE_END = re.compile(r"(?<=[。！？.!?\n])")
KINDS = [
    "copy", "respaced", "width", "traditional", "edit5", "edit10", "embedded", "shuffled", "half", "quarter", "one_sentence",
]  # fmt: skip


def planted(kind, text, host, disguise, random_):
    if kind == "copy":
        return text
    if kind == "respaced":
        return disguises.respaced(text, random_)
    if kind == "width":
        return disguises.full_width(text)
    if kind == "traditional":
        return disguise.to_traditional(text)
    if kind in ("edit5", "edit10"):
        return disguise.edited(text, 0.05 if kind == "edit5" else 0.1, random_)
    if kind == "embedded":
        part = text
    elif kind == "shuffled":
        sentences = SENTENCE_END.split(text)
        random_.shuffle(sentences)
        part = "".join(sentences)
    elif kind == "one_sentence":
        part = random_.choice([s for s in SENTENCE_END.split(text) if len(s) >= 15] or [text])
    else:
        size = len(text) // (2 if kind == "half" else 4)
        begin = random_.randrange(len(text) - size + 1)
        part = text[begin : begin + size]
    at = random_.randrange(len(host) + 1)
    return host[:at] + part + host[at:]


def blocks(text):
    """Pieces of the text without white space that are long enough to be no chance."""
    text = "".join(text.split())
    size = 24 if len(disguises.HAN.findall(text)) * 3 > len(text) else 60
    return [text[i : i + size] for i in range(0, len(text) - size + 1, size)]


def shares_text(one, other):
    squeezed = "".join(other.split())
    back = "".join(one.split())
    return sum(b in squeezed for b in blocks(one)) >= 2 or sum(b in back for b in blocks(other)) >= 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--training", type=int, default=20_000)
    parser.add_argument("--plants", type=int, default=120)
    arguments = parser.parse_args()
    from opencc import OpenCC

    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    documents = natural_texts.natural_documents(arguments.data, seed=2, mean=(800, 2500))
    random_ = random.Random(arguments.seed)
    random_.shuffle(documents)
    validation = [text for _, text in documents[:4000] if len(text) >= 150][:1500]
    training = [text for _, text in documents[4000 : 4000 + arguments.training]]
    sample = [text for _, text in documents[4000 + arguments.training :]][:10_000]
    characters = [c for text in sample[:300] for c in disguises.HAN.findall(text)]
    words = [w for text in sample[:300] for w in re.findall(r"[A-Za-z]+", text)]
    disguise = disguises.Disguises(characters, words, OpenCC("s2t").convert)
    places = random_.sample(range(len(training)), len(KINDS) * arguments.plants)
    truth = {}
    for number, place in enumerate(places):
        kind = KINDS[number % len(KINDS)]
        source = random_.randrange(len(validation))
        training[place] = planted(kind, validation[source], training[place], disguise, random_)
        truth[place] = (kind, source)
    for name, texts in (("validation", validation), ("training", training), ("reference", sample)):
        with open(out / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for number, text in enumerate(texts):
                file.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    files = [str(out / f"{name}.jsonl") for name in ("validation", "reference", "training")]
    result = subprocess.run([arguments.program, "split", *files], capture_output=True, text=True, check=True)
    found = collections.defaultdict(dict)
    for line in result.stdout.splitlines():
        document, source, verdict = line.split("\t")[:3]
        found[int(document)][int(source)] = verdict
    hit = collections.Counter()
    for place, (kind, source) in truth.items():
        verdict = found[place].get(source)
        hit[kind, "leak"] += verdict == "leak"
        hit[kind, "any"] += verdict is not None
    print(result.stderr.strip())
    for kind in KINDS:
        print(f"  {kind:14} leak {hit[kind, 'leak'] / arguments.plants:.3f}, flagged too {hit[kind, 'any'] / arguments.plants:.3f}")
    for wanted in ("leak", "any"):
        others = [(d, s) for d, by in found.items() for s, v in by.items() if d not in truth and (wanted == "any" or v == wanted)]
        wrong = [(d, s) for d, s in others if not shares_text(validation[s], training[d])]
        print(f"  other documents found ({wanted}): {len({d for d, _ in others})}, without real shared text {len({d for d, _ in wrong})}")


if __name__ == "__main__":
    main()
