# SPDX-License-Identifier: Apache-2.0
"""Recall of what plant.py planted, and precision: evaluate.py FOLDER SPLIT HITS

A planted document counts as found when a hit names the item or a near-duplicate of it; a document that holds no indexed item
counts as wrong when there is any hit. Items out of plant.py's scope (frames and scraps) have a row of their own. HITS is what
`leak_texts scan` wrote.
"""

import collections
import json
import random
import sys


def load_truth(folder, split):
    truth = {}
    for line in open(f"{folder}/truth_{split}.jsonl", encoding="utf-8"):
        record = json.loads(line)
        truth[record["document"]] = record
    groups = {}
    for line in open(f"{folder}/items_{split}.jsonl", encoding="utf-8"):
        item = json.loads(line)
        groups[item["id"]] = item["group"]
    return truth, groups


def evaluate(truth, groups, found):
    """`found`: document → [(item, verdict)]."""
    hit = collections.Counter()
    planted = collections.Counter()
    misses = []
    wrong = collections.defaultdict(list)
    verdicts = collections.Counter()
    outcomes = []
    for document, record in truth.items():
        if record["kind"] == "negative":
            continue
        if not record["in_scope"]:
            planted["out of scope"] += 1
            hit["out of scope"] += any(groups[item.lstrip("/")] == record["group"] for item, _ in found.get(document, []))
            continue
        own = [v for item, v in found.get(document, []) if groups[item.lstrip("/")] == record["group"]]
        for key in (record["kind"], "zh" if record["chinese"] else "en", "all", length_class(record["units"])):
            planted[key] += 1
            hit[key] += bool(own)
        planted[record["kind"], record["chinese"]] += 1
        hit[record["kind"], record["chinese"]] += bool(own)
        outcomes.append(bool(own))
        if own:
            verdicts[record["kind"], "drop" if "drop" in own else "flag"] += 1
        else:
            misses.append(record)
    for document, hits in found.items():
        record = truth.get(document)
        if record is None or record["kind"] == "negative":
            wrong["natural" if record is None else "negative"].append((document, hits))
    return hit, planted, misses, wrong, verdicts, outcomes


def length_class(units):
    return "12-" if units < 12 else "12+" if units < 20 else "20+" if units < 40 else "40+"


def report(result, out=sys.stdout):
    hit, planted, misses, wrong, verdicts, outcomes = result
    count = {kind: len(wrong[kind]) for kind in ("natural", "negative")}
    bad = sum(count.values())
    random_ = random.Random(0)
    draws = sorted(sum(random_.choices(outcomes, k=len(outcomes))) / len(outcomes) for _ in range(400))
    print(f"recall {hit['all'] / planted['all']:.4f} ({draws[10]:.4f} to {draws[389]:.4f}) of {planted['all']}, "
          f"precision {hit['all'] / (hit['all'] + bad):.4f}, wrong: {count}", file=out)  # fmt: skip
    for kind in [k for k in planted if isinstance(k, str) and k != "all"]:
        line = f"  {kind:16} {hit[kind]:5} of {planted[kind]:5}  {hit[kind] / planted[kind]:.3f}"
        for name, chinese in (("zh", True), ("en", False)):
            if planted[kind, chinese]:
                line += f"  {name} {hit[kind, chinese] / planted[kind, chinese]:.3f}"
        if verdicts[kind, "drop"] or verdicts[kind, "flag"]:
            line += f"  drop {verdicts[kind, 'drop']}, flag {verdicts[kind, 'flag']}"
        print(line, file=out)


def main():
    folder, split, hits = sys.argv[1:4]
    found = collections.defaultdict(list)
    for line in open(hits, encoding="utf-8"):
        document, item, verdict = line.split("\t")[:3]
        found[document].append((item, verdict))
    report(evaluate(*load_truth(folder, split), found))


if __name__ == "__main__":
    main()
