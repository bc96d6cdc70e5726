# SPDX-License-Identifier: Apache-2.0
"""Near duplicates through the command: truth sets, known failures of other tools, determinism, damage."""

import gzip
import json
import random
import re
import signal
import subprocess
import time

import pytest
from small_corpus import digest

# 32 bands of 4 rows find a pair of similarity 0.8 but for 5e-8.
SURE = {"threshold": 0.8, "bands": 32, "rows": 4}


def write_recipe(path, folder, near, **changes):
    keys = {
        "sources": [{"domain": "x", "paths": [f"{folder}/*.jsonl"], "keep": ["name"]}],
        "normalize": ["control_chars"],
        "dedup": {"exact": True, "near": near},
        **changes,
    }
    path.write_text(json.dumps(keys, ensure_ascii=False))
    return path


def write_texts(folder, texts, files=1):
    """{name: text} as JSON Lines, in so many files of consecutive records."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"name": name, "text": text}, ensure_ascii=False) + "\n" for name, text in texts.items()]
    size = -(-len(lines) // files)
    for i in range(files):
        (folder / f"{i:03}.jsonl").write_text("".join(lines[i * size:(i + 1) * size]))
    return folder


def name_of(record):
    meta = record["meta"]
    return (json.loads(meta) if isinstance(meta, str) else meta)["name"]


class Run:
    """A run over texts: what was kept, and the clusters by name."""

    def __init__(self, headrace, folder, texts, near, files=1, dedup=None, options=(), **changes):
        self.headrace = headrace
        self.folder = folder / "run"
        corpus = write_texts(folder / "raw", texts, files)
        if dedup is not None:
            changes["dedup"] = dedup
        self.recipe = write_recipe(folder / "recipe.yaml", corpus, near, **changes)
        headrace("run", self.recipe, "--output", self.folder, "-q", *options)
        self.read()

    def read(self):
        kept = self.records()
        dropped = self.records("--dropped")
        self.ids = {record["id"]: name_of(record) for record in kept + dropped if record.get("meta")}
        self.kept = {self.ids[record["id"]] for record in kept}
        self.reasons = {self.ids[record["id"]]: record["reason"] for record in dropped if record["id"] in self.ids}

    def records(self, *options):
        output, _ = self.headrace("cat", self.folder, *options)
        return [json.loads(line) for line in output.split("\n") if line]

    def explain(self, name):
        (id_,) = [key for key, value in self.ids.items() if value == name]
        return self.headrace.json("explain", self.folder, id_)

    def cluster(self, name):
        return [self.ids[member] for member in self.explain(name)["cluster"]]

    def clusters(self):
        """All clusters of more than one, as sets of names."""
        left = set(self.reasons)
        found = []
        while left:
            members = set(self.cluster(next(iter(left))))
            assert len(members) > 1
            found.append(members)
            left -= members
        return found


def case_texts(data, case):
    records = [json.loads(line) for line in open(data.parent / f"cases/{case}/in.jsonl")]
    return {str(record["id"]): record["text"] for record in records}


@pytest.fixture
def cases(data):
    if not (data.parent / "cases").is_dir():
        pytest.skip("skipped: no cases beside HEADRACE_DATA")
    return data


def expected(data, case):
    return json.loads((data.parent / f"cases/{case}/expected.json").read_text())


# ---- known failures of other tools ----


def test_texts_shorter_than_the_ngram_stay_apart(headrace, cases, tmp_path):
    run = Run(headrace, tmp_path, case_texts(cases, "B026"), {"ngram": 5, **SURE})
    want = expected(cases, "B026")
    dropped = set(want["duplicates"]) | {"7"}  # 7 is as empty as 6
    assert run.kept == set(case_texts(cases, "B026")) - dropped
    for copy, of in want["duplicates"].items():
        assert run.cluster(copy) == [str(of), copy]
        assert run.reasons[copy] == "exact_duplicate"
    alone = Run(headrace, tmp_path / "alone", case_texts(cases, "B026"), {"ngram": 5, **SURE}, dedup={"near": {"ngram": 5, **SURE}})
    # Without exact duplicates: texts without words have nothing that could be near another's.
    assert alone.kept == run.kept | {"7"}
    assert alone.reasons == {"2": "near_duplicate", "5": "near_duplicate"}


def test_chinese_pair_is_found(headrace, cases, tmp_path):
    run = Run(headrace, tmp_path, case_texts(cases, "B027"), {"threshold": 0.7, "bands": 32, "rows": 4})
    want = expected(cases, "B027")
    assert run.kept == set(want["threshold_0.7"]["keep"])
    story = run.explain("b")
    assert story["reasons"] == ["near_duplicate"]
    (similarity,) = {member["similarity"] for member in story["near"]}
    assert similarity == pytest.approx(want["jaccard_ab_without_punctuation"], abs=0.001)


def test_chains_are_one_cluster_with_every_member_listed(headrace, cases, tmp_path):
    run = Run(headrace, tmp_path, case_texts(cases, "B029"), {"ngram": 5, **SURE})
    want = expected(cases, "B029")
    assert run.kept == {str(i) for i in want["keep"]}
    assert run.cluster("0") == [str(i) for i in want["cluster"]]
    for member in run.cluster("0"):
        assert run.cluster(member) == run.cluster("0")
    # 0 and 2 are not similar: each stands there with the one that it is similar to.
    similar = {run.ids[m["id"]]: (run.ids[m["linked_to"]], m["similarity"]) for m in run.explain("0")["near"]}
    assert similar["2"] == ("1", pytest.approx(want["jaccard"]["1-2"], abs=0.001))
    assert similar["0"] == ("1", pytest.approx(want["jaccard"]["0-1"], abs=0.001))


@pytest.mark.parametrize("files", [1, 3, 40])
@pytest.mark.parametrize("order", ["as is", "reversed", "sorted"])
def test_the_longest_of_each_cluster_stays_in_any_order(headrace, cases, tmp_path, order, files):
    texts = case_texts(cases, "B030")
    names = {"as is": list(texts), "reversed": list(texts)[::-1], "sorted": sorted(texts)}[order]
    want = expected(cases, "B030")
    run = Run(headrace, tmp_path, {name: texts[name] for name in names}, {"ngram": 5, **SURE}, files=files,
              options=["--threads", {1: 1, 3: 2, 40: 8}[files]])
    assert run.kept == {str(i) for i in want["keep(the longest of each)"]}
    assert sorted(map(sorted, run.clusters())) == sorted(sorted(map(str, cluster)) for cluster in want["clusters"])


# ---- truth sets ----


def test_plagiarised_articles(headrace, data, tmp_path):
    folder = data / "dup-articles-plagiarism"
    lines = gzip.open(folder / "articles_1000.train.gz", "rt").read().splitlines()
    texts = dict(line.split(" ", 1) for line in lines)
    pairs = {frozenset(line.split()) for line in (folder / "articles_1000.truth").read_text().splitlines()}
    run = Run(headrace, tmp_path, texts, {"threshold": 0.8})
    assert {frozenset(cluster) for cluster in run.clusters()} == pairs
    assert len(run.kept) == 990


def chapters(text):
    """{heading: text} of a novel, by its 第…回; the longest text of each, as tables of contents name them too."""
    found = {}
    pieces = re.split(r"^[　 \t]*(?:正文[　 ]*)?(第[一二三四五六七八九十百零〇○]+回)", text, flags=re.M)
    for heading, body in zip(pieces[1::2], pieces[2::2]):
        if len(body) > len(found.get(heading, "")):
            found[heading] = body
    return found


# The editions of 三国演义 differ in single characters; those of 红楼梦 in every other sentence.
@pytest.mark.parametrize("novel, near", [("三国演义", {"threshold": 0.6}), ("红楼梦", {"ngram": 3, "threshold": 0.3})])
def test_chapters_of_two_editions(headrace, data, tmp_path, novel, near):
    utf8 = chapters(gzip.open(data / f"zh-novels/utf8/{novel}.txt.gz", "rt").read())
    gb = chapters((data / f"zh-novels/gb18030/{novel}.txt").read_bytes().decode("gb18030", errors="replace"))
    both = set(utf8) & set(gb)
    assert len(both) >= 99
    texts = {f"utf8 {name}": utf8[name] for name in sorted(both)} | {f"gb {name}": gb[name] for name in sorted(both)}
    run = Run(headrace, tmp_path, texts, near)
    clusters = run.clusters()
    right = [cluster for cluster in clusters if len({name.split(" ")[1] for name in cluster}) == 1]
    assert len(clusters) == len(right)
    assert len(right) >= 0.95 * len(both)


def test_licences_cluster_by_their_name(headrace, data, tmp_path):
    import tarfile

    texts = {}
    with tarfile.open(data / "dup-licenses/google_v2_variants.tar.gz") as tar:
        for member in tar:
            if member.isfile() and member.name.startswith("assets/"):
                texts[member.name] = tar.extractfile(member).read().decode(errors="replace")
    run = Run(headrace, tmp_path, texts, {"threshold": 0.9})
    assert len(run.kept) < len(texts)
    # Nothing is fused that shares little: each member is as similar to another as asked.
    for cluster in run.clusters():
        for member in run.explain(next(iter(cluster)))["near"]:
            assert member["similarity"] >= 0.9


# ---- the same every time ----


def noise(rng, words):
    return " ".join(f"{rng.choice('bcdfgklmnprst')}{rng.choice('aeiou')}{rng.randrange(3000)}" for _ in range(words))


def make_texts(count=600, seed=5):
    """Texts, exact copies, and copies with some words replaced."""
    rng = random.Random(seed)
    texts = {}
    for i in range(count):
        kind = rng.random()
        if kind < 0.6 or not texts:
            texts[f"t{i}"] = noise(rng, rng.randint(20, 400)) if rng.random() < 0.7 else han(rng, rng.randint(20, 400))
            continue
        text = texts[rng.choice(list(texts))]
        if kind > 0.75:
            at = rng.randrange(len(text))
            text = text[:at] + " new " + text[at + rng.randint(0, 8):]
        texts[f"t{i}"] = text
    return texts


def han(rng, count):
    return "".join(rng.choice("，。") if rng.random() < 0.08 else chr(0x4E00 + rng.randrange(2500)) for _ in range(count))


def test_threads_and_budget_do_not_matter(headrace, tmp_path):
    corpus = write_texts(tmp_path / "raw", make_texts(), files=3)
    one = write_recipe(tmp_path / "one.yaml", corpus, {"threshold": 0.7})
    two = write_recipe(tmp_path / "two.yaml", corpus, {"threshold": 0.7}, limits={"memory": "64MiB"})
    headrace("run", one, "--output", tmp_path / "1", "-q", "--threads", 1)
    headrace("run", one, "--output", tmp_path / "2", "-q", "--threads", 2)
    headrace("run", two, "--output", tmp_path / "3", "-q", "--threads", 3)
    assert digest(tmp_path / "1") == digest(tmp_path / "2")
    skip = (".lock", "run.json")  # which holds the recipe
    assert digest(tmp_path / "1", skip) == digest(tmp_path / "3", skip)


def test_splits_do_not_matter(headrace, tmp_path):
    texts = make_texts()
    one = Run(headrace, tmp_path / "one", texts, {"threshold": 0.7})
    assert len(one.reasons) > 150
    assert {"exact_duplicate", "near_duplicate"} == set(one.reasons.values())
    many = Run(headrace, tmp_path / "many", texts, {"threshold": 0.7}, files=7)
    assert many.kept == one.kept
    assert many.reasons == one.reasons
    edges = "dedup/near/edges/part-00000.parquet"
    assert (many.folder / edges).read_bytes() == (one.folder / edges).read_bytes()


def test_moving_a_threshold_of_a_rule_reads_no_text(headrace, tmp_path):
    texts = make_texts(200)
    run = Run(headrace, tmp_path, texts, {"threshold": 0.7})
    before = run.kept
    survivor = next(run.cluster(name)[0] for name, reason in run.reasons.items() if reason == "near_duplicate")
    for part in (run.folder / "normalized").iterdir():
        part.rename(tmp_path / part.name)
    longest = len(texts[survivor]) - 1
    recipe = write_recipe(tmp_path / "other.yaml", tmp_path / "raw", {"threshold": 0.7},
                          judge={"rules": {"code_points": {"max": longest}}})
    headrace.json("judge", run.folder, "--recipe", recipe, "--examples", 0)
    for part in tmp_path.glob("part-*"):
        part.rename(run.folder / "normalized" / part.name)
    run.read()
    # The longest text of the cluster is gone by the rule; another of its members stands for it now.
    assert run.reasons[survivor] == "code_points_above_max"
    assert run.kept - before
    whole = Run(headrace, tmp_path / "whole", texts, {"threshold": 0.7}, judge={"rules": {"code_points": {"max": longest}}})
    assert whole.kept == run.kept
    assert whole.reasons == run.reasons


# ---- killed, cut, changed ----


def test_killed_in_the_middle(headrace, tmp_path):
    texts = make_texts(3000)
    corpus = write_texts(tmp_path / "raw", texts, files=3)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, {"threshold": 0.7})
    start = time.monotonic()
    headrace("run", recipe, "--output", tmp_path / "calm", "-q", "--threads", 2)
    seconds = time.monotonic() - start
    rng = random.Random(2)
    for _ in range(8):
        process = subprocess.Popen([headrace.path, "run", str(recipe), "--output", str(tmp_path / "killed"), "-q", "--threads", "2"])
        time.sleep(rng.uniform(0.01, seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for commit in (tmp_path / "killed/tasks").glob("near/*.json"):
            commit.unlink()
    headrace("run", recipe, "--output", tmp_path / "killed", "-q")
    assert digest(tmp_path / "killed") == digest(tmp_path / "calm")


def test_changed_settings_rebuild_the_signatures(headrace, cases, tmp_path):
    texts = case_texts(cases, "B038")
    run = Run(headrace, tmp_path, texts, {"ngram": 4, "permutations": 64})
    first = (run.folder / "dedup/signatures/part-00000.sig").read_bytes()
    corpus = tmp_path / "raw"
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, {"ngram": 5, "permutations": 128})
    headrace("run", recipe, "--output", run.folder, "-q")
    assert (run.folder / "dedup/signatures/part-00000.sig").read_bytes() != first
    run.read()
    assert run.kept == {str(i) for i in expected(cases, "B038")["keep"]}
    fresh = Run(headrace, tmp_path / "fresh", texts, {"ngram": 5, "permutations": 128})
    assert (fresh.folder / "dedup/signatures/part-00000.sig").read_bytes() == (
        run.folder / "dedup/signatures/part-00000.sig").read_bytes()
    # A recipe that no longer asks for it leaves nothing of it behind.
    without = write_recipe(tmp_path / "without.yaml", corpus, False)
    headrace("run", without, "--output", run.folder, "-q")
    assert not list((run.folder / "dedup/signatures").glob("*")) and not (run.folder / "tasks/near/00000.json").exists()
    headrace("verify", run.folder)


@pytest.mark.parametrize("damage", ["cut", "change"])
def test_damaged_signatures_are_rebuilt(headrace, tmp_path, damage):
    run = Run(headrace, tmp_path, make_texts(300), {"threshold": 0.7})
    calm = digest(run.folder)
    path = run.folder / "dedup/signatures/part-00000.sig"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else whole[:3000] + b"\0\1\2" + whole[3003:])
    headrace("verify", run.folder, exit_code=1)
    for commit in (run.folder / "tasks/near").glob("*.json"):
        commit.unlink()
    headrace("run", run.recipe, "--output", run.folder, "-q")
    assert digest(run.folder) == calm
    headrace("verify", run.folder)


# ---- against an earlier run ----


def test_against_an_earlier_run(headrace, tmp_path):
    texts = make_texts(300)
    names = list(texts)
    old = Run(headrace, tmp_path / "old", {name: texts[name] for name in names[:150]}, {"threshold": 0.8})
    (old.folder / "normalized").rename(tmp_path / "texts of old")
    rng = random.Random(9)
    victim = next(name for name in names if name in old.kept and len(texts[name].split()) > 100)
    words = texts[victim].split()
    words[50] = "other"
    new = {name: texts[name] for name in names[150:]} | {
        "copy": texts[victim],
        "shouting": texts[victim].upper() + "!",
        "nearly": " ".join(words),
        "nothing": noise(rng, 200),
    }
    run = Run(headrace, tmp_path / "new", new, None,
              dedup={"exact": True, "near": {"threshold": 0.8}, "against": str(old.folder)})
    assert run.reasons["copy"] == "earlier_exact_duplicate"
    assert run.reasons["shouting"] == "earlier_near_duplicate"
    assert run.reasons["nearly"] == "earlier_near_duplicate"
    assert "nothing" in run.kept
    (victim_id,) = [key for key, name in old.ids.items() if name == victim]
    for name in ("copy", "shouting", "nearly"):
        assert run.explain(name)["earlier"]["id"] == victim_id
    # Together they keep what one run over all would, but for chains across the two, pairs near the threshold, and survivors.
    whole = Run(headrace, tmp_path / "whole", {name: texts[name] for name in names[:150]} | new, {"threshold": 0.8})
    assert abs(len(whole.kept) - len(old.kept) - len(run.kept)) <= 0.05 * len(whole.kept)

    other = write_recipe(tmp_path / "other.yaml", tmp_path / "new/raw", None,
                         dedup={"near": {"ngram": 4}, "against": str(old.folder)})
    _, message = headrace("run", other, "--output", tmp_path / "refused", "-q", exit_code=2)
    assert "signatures" in message and not (tmp_path / "refused").exists()
