#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clusters of licence texts: the table in docs/near-duplicates.md.

    HEADRACE_DATA=... bench/dedup/licence_clusters.py [--command build/headrace] [--threshold 0.8]

The texts are the wordings of google/licenseclassifier v2, whose folder names the licence. A cluster whose members bear several names
is not wrong by itself: licences of one family share all but a few words. The least similarity is that of the member that is least similar
to its nearest.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tarfile
import tempfile

import pyarrow.parquet as parquet


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/headrace")
    parser.add_argument("--data", default=os.environ.get("HEADRACE_DATA"))
    parser.add_argument("--threshold", type=float, default=0.8)
    arguments = parser.parse_args()
    names, texts = [], []
    with tarfile.open(pathlib.Path(arguments.data) / "dup-licenses/google_v2_variants.tar.gz") as tar:
        for member in sorted(tar.getmembers(), key=lambda m: m.name):
            if member.isfile() and member.name.startswith("assets/"):
                names.append(member.name.split("/")[-2])
                texts.append(tar.extractfile(member).read().decode(errors="replace"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        recipe = {"sources": [{"domain": "x", "paths": [str(folder / "a.jsonl")]}], "normalize": [],
                  "dedup": {"near": {"threshold": arguments.threshold}}}
        (folder / "recipe.yaml").write_text(json.dumps(recipe))
        subprocess.run([arguments.command, "run", folder / "recipe.yaml", "--output", folder / "run", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        ids = parquet.read_table(folder / "run/verdict/part-00000.parquet")["id"].to_pylist()
        rows = parquet.read_table(folder / "run/dedup/clusters/part-00000.parquet").to_pylist()
    name_of = dict(zip(ids, names))
    clusters = collections.defaultdict(list)
    for row in rows:
        clusters[row["survivor"]].append(row)
    several = [c for c in clusters.values() if len({name_of[row["id"]] for row in c}) > 1]
    sizes = collections.Counter(names)
    cluster_of = {row["id"]: row["survivor"] for row in rows}
    together = sum(len({cluster_of.get(id_, id_) for id_, n in zip(ids, names) if n == name}) == 1
                   for name, count in sizes.items() if count > 1)
    print(f"{len(texts)} texts of {len(sizes)} names; {len(clusters)} clusters of {len(rows)} texts, "
          f"{len(several)} of them of several names; "
          f"of {sum(c > 1 for c in sizes.values())} names with several wordings {together} are one cluster\n")
    print("| texts | names | least similarity |\n|---|---|---|")
    for cluster in sorted(clusters.values(), key=lambda c: (-len(c), c[0]["survivor"])):
        if len(cluster) < 3:
            continue
        found = sorted({name_of[row["id"]] for row in cluster})
        shown = ", ".join(found[:8]) + (f" and {len(found) - 8} more" if len(found) > 8 else "")
        print(f"| {len(cluster)} | {shown} | {min(row['similarity'] for row in cluster):.3f} |")


if __name__ == "__main__":
    main()
