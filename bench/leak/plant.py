# SPDX-License-Identifier: Apache-2.0
"""Plants evaluation items in natural documents: what leak_texts is to find, and what it is not.

    plant.py --data DATA --items ITEMS --out FOLDER [--seed N] [--documents A B] [--plants A B] [--negatives A B]

ITEMS is what `leak_texts items` wrote. Near-duplicates of items form groups; a group is in A (thresholds are tuned on it),
in B (tested once), or in C, which is never indexed: its items, in the same disguises, are the hard negatives of both.
Writes items_X.jsonl, documents_X.jsonl and truth_X.jsonl for A and B, and sample.jsonl, the reference documents of both.
Traditional characters are made by OpenCC (opencc-python-reimplemented), not by the table that the check folds with.
"""

import argparse
import collections
import difflib
import hashlib
import json
import pathlib
import random
import re
import unicodedata

import disguises
import natural_texts

LEAD = re.compile(r"^\s*\d{1,3}\s*[．.、]\s*|^\s*[（(]\s*\d{1,2}\s*分\s*[)）]\s*")
GRAM = 6  # characters; two items that share half of theirs are the same question


def words_of(text):
    for _ in range(3):
        text = LEAD.sub("", text)
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if unicodedata.category(c)[0] in "LN")


def units(text):
    text = unicodedata.normalize("NFKC", text)
    return len(disguises.HAN.findall(text)) + 1.5 * len(re.findall(r"[A-Za-z]+|\d+", text))


def near_duplicate_groups(items):
    """Group number of each item, and whether its question is a frame.

    Two items are united when they share half of the shorter one's character n-grams (of the question alone: 0.7), or a
    quarter of them and a difflib ratio of 0.75 (0.8). A frame is a question of whose n-grams most stand in three or more
    other groups: alone it is not to be told from theirs.
    """
    parent = list(range(len(items)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    questions = []
    for has_options, share, ratio in ((True, 0.5, 0.75), (False, 0.7, 0.8)):
        texts = []
        grams = []
        where = collections.defaultdict(list)
        for number, item in enumerate(items):
            parts = [item["question"], *(sorted(item["options"]) if has_options else [])]
            text = "".join(words_of(part) for part in parts)
            own = {text[k : k + GRAM] for k in range(len(text) - GRAM + 1)} if len(text) >= 2 * GRAM else set()
            texts.append(text)
            grams.append(own)
            for gram in own:
                where[gram].append(number)
        for number, own in enumerate(grams):
            shared = collections.Counter()
            for gram in own:
                if len(where[gram]) <= 200:
                    shared.update(other for other in where[gram] if other < number)
            for other, count in shared.items():
                least = min(len(own), len(grams[other]))
                if find(number) == find(other):
                    continue
                matcher = difflib.SequenceMatcher(None, texts[number], texts[other], False)
                if count >= share * least or (
                    4 * count >= least and matcher.quick_ratio() >= ratio and matcher.ratio() >= ratio
                ):
                    one, two = find(number), find(other)
                    parent[max(one, two)] = min(one, two)  # whatever the order of pairs
        questions = (grams, where)
    groups = [find(i) for i in range(len(items))]
    grams, where = questions
    frames = []
    for own in grams:
        common = sum(len({groups[i] for i in where[gram]}) > 3 for gram in own)
        frames.append(2 * common > len(own))
    return groups, frames


def is_in_scope(item, kind, text):
    """What can be told at all: neither options alone, nor a frame alone, nor a scrap."""
    if kind == "passage":
        return True
    if item["units"] < 6 or units(text) < 12:
        return False
    return not (kind == "question" and item["frame"])


def plant(text, planted, kind, random_):
    """Into a line's middle, or between two lines."""
    if kind == "mid" or random_.random() < 0.3:
        at = random_.randrange(len(text) + 1)
        return text[:at] + planted + text[at:]
    lines = text.split("\n")
    at = random_.randrange(len(lines) + 1)
    return "\n".join([*lines[:at], planted, *lines[at:]])


def write(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--items", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--documents", type=int, nargs=2, default=[70_000, 200_000])
    parser.add_argument("--plants", type=int, nargs=2, default=[300, 400], help="of each disguise")
    parser.add_argument("--negatives", type=int, nargs=2, default=[3000, 4500])
    arguments = parser.parse_args()
    from opencc import OpenCC

    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    items = [json.loads(line) for line in open(arguments.items, encoding="utf-8")]
    groups, frames = near_duplicate_groups(items)
    for item, group, frame in zip(items, groups, frames, strict=True):
        text = item["question"] + "".join(item["options"])
        item["chinese"] = len(disguises.HAN.findall(text)) * 5 > len(text)
        item["group"] = group
        item["frame"] = frame
        question = item["question"]
        for _ in range(3):
            question = LEAD.sub("", question)
        item["units"] = units(question)
        # By the group's first item, so that a split does not change with the seed.
        drawn = int(hashlib.md5(items[group]["id"].encode()).hexdigest(), 16) % 10
        item["split"] = "A" if drawn < 4 else "B" if drawn < 8 else "C"

    documents = natural_texts.natural_documents(arguments.data)
    sample, documents = documents[: arguments.sample], documents[arguments.sample :]
    write(out / "sample.jsonl", ({"id": origin, "text": text} for origin, text in sample))
    characters = [c for _, text in sample[:600] for c in disguises.HAN.findall(text)]
    words = [w for _, text in sample[:600] for w in re.findall(r"[A-Za-z]+", text)]
    disguise = disguises.Disguises(characters, words, OpenCC("s2t").convert)
    never_indexed = [item for item in items if item["split"] == "C"]

    taken = 0
    for which, split in enumerate("AB"):
        random_ = random.Random(f"{arguments.seed}/{split}")
        hosts = documents[taken : taken + arguments.documents[which]]
        taken += len(hosts)
        indexed = [item for item in items if item["split"] == split]
        others = [item for item in indexed if not item["id"].startswith("cmmlu")]
        with_passage = [item for item in indexed if item["passage"]]
        plan = []
        for kind in disguises.KINDS:
            wanted = arguments.plants[which] if kind != "passage" else arguments.plants[which] // 8
            while wanted > 0:
                pool = with_passage if kind == "passage" else indexed if random_.random() < 0.5 else others
                item = random_.choice(pool)
                text = disguise.apply(item, kind, random_)
                if text and text.strip():
                    plan.append((kind, item, text))
                    wanted -= 1
        for _ in range(arguments.negatives[which]):
            item = random_.choice(never_indexed)
            kind = random_.choice(disguises.KINDS[:-1])
            text = disguise.apply(item, kind, random_)
            if text and text.strip():
                plan.append(("negative", item, text))
        places = random_.sample(range(len(hosts)), len(plan))
        truth = []
        for place, (kind, item, text) in zip(places, plan, strict=True):
            origin, host = hosts[place]
            hosts[place] = (origin, plant(host, text, kind, random_))
            truth.append({"document": str(place), "kind": kind, "item": item["id"], "group": item["group"],
                          "chinese": item["chinese"], "units": units(text),
                          "in_scope": is_in_scope(item, kind, text)})  # fmt: skip
        write(out / f"items_{split}.jsonl", indexed)
        write(out / f"documents_{split}.jsonl", ({"id": str(i), "text": text} for i, (_, text) in enumerate(hosts)))
        write(out / f"truth_{split}.jsonl", truth)
        print(split, len(indexed), "items", len(hosts), "documents", len(plan), "planted", len(never_indexed), "never indexed")


if __name__ == "__main__":
    main()
