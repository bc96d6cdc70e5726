#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a preset keeps of real texts and drops of planted garbage.

    bench/flow/preset_table.py [--command build/headrace] [--data DIR] [--preset zh-web] [--half report] [--each 1500]
                               [--wrong 5] [--judge YAML]

Real Chinese and English texts of the folder of test data (HEADRACE_DATA), by kind; garbage by the generators below, from a
seed and from the words of the same texts. Texts are halved by a hash of their words: thresholds are set with --half tune and
the table is of --half report. Short questions with answers and code have settings of their own (SETTINGS), as a recipe would
give them. Prints the share kept of each kind of text and the share dropped of each kind of garbage, with the rules that drop,
and the names of texts that were dropped wrongly. Exit code 1 if a goal is missed.
"""

import argparse
import collections
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

GOALS = {"questions_zh": 0.95, "questions_en": 0.95, "code": 0.95}  # all other texts: 0.97; garbage goes at 0.95
SETTINGS = {"questions_zh": {"rules": {"code_points": {"min": 5}}}, "questions_en": {"rules": {"code_points": {"min": 5}}},
            "code": {"preset": "code"}}


def pieces(text, size):
    """Whole paragraphs, up to about `size` characters together."""
    piece = []
    length = 0
    for paragraph in text.split("\n"):
        piece.append(paragraph)
        length += len(paragraph)
        if length >= size:
            yield "\n".join(piece).strip()
            piece, length = [], 0
    if length > 50:
        yield "\n".join(piece).strip()


def squad(path):
    for article in json.load(gzip.open(path))["data"]:
        yield from article["paragraphs"]


def wiki_zh(data):
    for path in sorted((data / "zh-wiki-mrc").rglob("*.json.gz")):
        for i, paragraph in enumerate(squad(path)):
            yield f"{path.name}#{i}", paragraph["context"]


def wiki_en(data):
    text = (data / "multi-wikipedia-mars/wikipedia_mars/english.utf8.txt").read_text(encoding="utf-8")
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)  # Markdown, with the tables of its info box
    prose = "\n".join(line for line in text.split("\n") if len(line) > 200)
    for i, piece in enumerate(pieces(prose, 1500)):
        yield f"mars#{i}", piece
    for path in sorted((data / "html-extraction-bench").glob("readability*.tar.gz")):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                if "wikipedia" in member.name and member.name.endswith("expected.html"):
                    html = archive.extractfile(member).read().decode("utf-8", errors="replace")
                    text = re.sub(r"<(script|style|math|table)\b.*?</\1>", "", html, flags=re.DOTALL)
                    text = re.sub(r"<[^>]+>", "", re.sub(r"</(p|li|h\d|div|tr)>", "\n", text))
                    for i, piece in enumerate(pieces(re.sub(r"\n\s*\n+", "\n\n", text).strip(), 3000)):
                        yield f"{member.name}#{i}", piece


def news_zh(data):
    with open(data / "zh-thucnews-titles/sohu_news/news.txt", encoding="utf-8") as file:
        for i, line in enumerate(file):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            body = max((v for v in record.values() if isinstance(v, str)), key=len)
            if len(body) > 100:
                yield f"sohu#{i}", body
    for path in sorted((data / "zh-clickbait-hancd/datasets/HanCD").rglob("test.csv.gz")):
        for i, row in enumerate(csv.reader(io.TextIOWrapper(gzip.open(path), encoding="utf-8"))):
            if row[0] == "0" and len(row[2]) > 100:
                yield f"{path.parent.name}#{i}", row[2]


def news_en(data):
    for name in ("lee.cor", "lee_background.cor"):
        for i, line in enumerate((data / "wiki-dump-samples" / name).read_text(encoding="latin-1").splitlines()):
            yield f"{name}#{i}", line
    truth = json.load(open(data / "html-extraction-bench/aeb/ground-truth.json", encoding="utf-8"))
    for name, page in sorted(truth.items()):
        yield name[:12], page["articleBody"]


def novels_zh(data):
    for path in sorted((data / "zh-novels/utf8").glob("*.txt.gz")):
        for i, piece in enumerate(pieces(gzip.open(path).read().decode("utf-8"), 3000)):
            yield f"{path.name}#{i}", piece


def novels_en(data):
    text = (data / "en-books-news/sentencepiece/botchan.txt").read_text(encoding="utf-8")
    for i, piece in enumerate(pieces(text, 3000)):
        yield f"botchan#{i}", piece
    for name in ("state_union", "inaugural"):
        with zipfile.ZipFile(data / f"en-books-news/nltk/{name}.zip") as archive:
            for member in sorted(archive.namelist()):
                if member.endswith(".txt"):
                    text = archive.read(member).decode("utf-8", errors="ignore")
                    for i, piece in enumerate(pieces(text, 5000)):
                        yield f"{member}#{i}", piece


def poetry_zh(data):
    for path in sorted((data / "zh-poetry").rglob("*.json*")):
        if path.parent.name not in ("全唐诗", "宋词", "元曲", "诗经", "楚辞", "曹操诗集"):
            continue
        opened = gzip.open(path) if path.suffix == ".gz" else open(path, "rb")
        for i, poem in enumerate(json.load(opened)):
            lines = poem.get("paragraphs") or poem.get("content") or []
            title = poem.get("title") or poem.get("rhythmic") or ""
            if lines and sum(map(len, lines)) >= 20:
                yield f"{path.name}#{i} {title}", "\n".join([title, *lines])


def questions_zh(data):
    for path in sorted((data / "zh-wiki-mrc").rglob("*.json.gz")):
        for i, paragraph in enumerate(squad(path)):
            for j, question in enumerate(paragraph["qas"]):
                yield f"{path.name}#{i}.{j}", f"{question['question']}\n{question['answers'][0]['text']}"


def questions_en(data):
    with open(data / "leak-benchmarks/gsm8k/test.jsonl", encoding="utf-8") as file:
        for i, line in enumerate(file):
            record = json.loads(line)
            yield f"gsm8k#{i}", f"{record['question']}\n{record['answer']}"


def code(data):
    with tarfile.open(data / "code-samples/linguist_samples.tar.gz") as archive:
        for member in archive.getmembers():
            if member.isfile():
                text = archive.extractfile(member).read().decode("utf-8", errors="replace")
                if "\ufffd" not in text and len(text) >= 100:
                    yield member.name, text


TEXTS = {f.__name__: f for f in (wiki_zh, wiki_en, news_zh, news_en, novels_zh, novels_en, poetry_zh, questions_zh,
                                 questions_en, code)}

MENU = """首页 新闻 体育 财经 娱乐 科技 汽车 房产 教育 健康 旅游 论坛 博客 视频 图片 登录 注册 帮助 关于我们 联系我们
网站地图 广告服务 招聘信息 版权声明 友情链接 会员中心 我的订单 购物车 收藏本站 设为首页 更多>> 下一页 上一页 返回顶部
分类导航 热门标签 最新发布 排行榜 English Home
News Products About Contact Login Register Search Help Sitemap Careers Privacy Terms Blog Support Download Cart Account""".split()
SYMBOLS = "★☆◆◇■□▲△●○◎※→←↑↓♪♫§¶†‡=+-*/#@&%$^~_|\\<>{}[]()!?.,:;…—～＝＋－＊／＃＠＆％￥"


def phrases(rng, texts):
    """Words of a text as they stand in keyword lists: two to six Han characters, or a Latin word."""
    while True:
        text = rng.choice(texts)
        found = re.findall(r"[一-鿿]{2,6}|[A-Za-z]{3,12}", text)
        if len(found) > 20:
            yield rng.choice(found)


def repeated_ads(rng, texts):
    ad = rng.choice(["加微信{}领取优惠，", "点击下载{}立即体验！", "【{}】全场包邮，", "Buy {} now! ", "Click here for cheap {}. ",
                     "{}代理加盟热线"])
    ad = ad.format("".join(next(phrases(rng, texts)) for _ in range(rng.randint(1, 4)))) + str(rng.randint(10**6, 10**9))
    return (ad + rng.choice(["", " ", "\n"])) * rng.randint(6, 80)


def symbol_soup(rng, texts):
    few = rng.sample(SYMBOLS, rng.randint(3, 12))
    parts = []
    for _ in range(rng.randint(30, 300)):
        parts.append(rng.choice(few) * rng.randint(1, 5) if rng.random() < 0.8 else next(phrases(rng, texts))[:2])
    return rng.choice(["", " "]).join(parts)


def keyword_list(rng, texts):
    words = [next(phrases(rng, texts)) for _ in range(rng.randint(40, 300))]
    return rng.choice([" ", ",", "，", "、", "|", " | ", "\n"]).join(words)


def mojibake(rng, texts):
    text = rng.choice(texts)[: rng.randint(100, 1500)]
    wrong = rng.choice(["latin-1", "cp1252", "gbk"])
    if wrong == "gbk":
        return text.encode("utf-8").decode("gbk", errors="replace")
    if rng.random() < 0.5:
        return text.encode("utf-8").decode(wrong, errors="replace")
    return text.encode("gb18030", errors="ignore").decode(wrong, errors="replace")


def navigation(rng, _):
    items = [rng.choice(MENU) for _ in range(rng.randint(30, 150))]
    text = rng.choice(["\n", " | ", " > ", "\n· ", "  "]).join(items)
    return text + rng.choice(["", "\nCopyright © 2001-2024 All Rights Reserved", "\n京ICP备12345678号-1"])


GARBAGE = {f.__name__: f for f in (repeated_ads, symbol_soup, keyword_list, mojibake, navigation)}


def in_half(text, half):
    first = hashlib.sha256(text.encode()).digest()[0] % 2 == 0
    return half == "all" or first == (half == "tune")


def write(folder, kind, named):
    (folder / kind).mkdir(parents=True)
    if kind == "code":  # as files: its reader knows that it is no page
        for i, (name, text) in enumerate(named):
            (folder / kind / f"{i:05}-{name.replace('/', '_')}").write_text(text, encoding="utf-8")
        return {"domain": kind, "paths": [f"{folder}/{kind}/*"], "format": "code"}
    with open(folder / kind / "texts.jsonl", "w", encoding="utf-8") as file:
        for name, text in named:
            file.write(json.dumps({"name": name, "text": text}, ensure_ascii=False) + "\n")
    return {"domain": kind, "paths": [f"{folder}/{kind}/*.jsonl"]}


def make_corpora(data, folder, options):
    """The sources of a recipe."""
    sources = []
    vocabulary = []
    for kind, read in TEXTS.items():
        named = [(name, text) for name, text in read(data) if text.strip() and in_half(text, options.half)]
        random.Random(1).shuffle(named)
        named = named[: options.each]
        sources.append(write(folder, kind, named))
        if kind.startswith(("wiki", "news")):
            vocabulary += [text for _, text in named]
    chinese = [text for text in vocabulary if re.search("[一-鿿]{20}", text)]
    for kind, make in GARBAGE.items():
        rng = random.Random(f"{kind} {options.half}")
        named = [(str(i), make(rng, chinese if kind == "mojibake" else vocabulary)) for i in range(options.each)]
        sources.append(write(folder, kind, named))
    return sources


def headrace(options, *arguments):
    done = subprocess.run([str(a) for a in (options.command, *arguments)], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.decode()}")
    return done.stdout.decode()


def print_tables(books, wrong, options):
    """Whether every goal is met."""
    met = True
    print("| text | documents | kept | goal | dropped by |\n|---|---|---|---|---|")
    for kind in TEXTS:
        judged = next(stage for stage in books["domains"][kind] if stage["stage"] == "judge")
        share = judged["out"] / judged["in"]
        goal = GOALS.get(kind, 0.97)
        met = met and share >= goal
        print(f"| {kind} | {judged['in']} | {100 * share:.1f} % | {100 * goal:.0f} % | {rules(judged['dropped'])} |")
    print("\n| garbage | documents | dropped | goal | dropped by |\n|---|---|---|---|---|")
    for kind in GARBAGE:
        judged = next(stage for stage in books["domains"][kind] if stage["stage"] == "judge")
        share = 1 - judged["out"] / judged["in"]
        met = met and share >= 0.95
        print(f"| {kind} | {judged['in']} | {100 * share:.1f} % | 95 % | {rules(judged['dropped'])} |")
    for kind, records in wrong.items():
        for name, reason, value in records[: options.wrong]:
            print(f"\n{kind}: dropped wrongly, {reason} ({value}): {name}", end="")
    print()
    return met


def rules(dropped):
    return ", ".join(f"{reason} {count}" for reason, count in sorted(dropped.items(), key=lambda item: -item[1])[:6])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", type=pathlib.Path, default=pathlib.Path("build/headrace"))
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("HEADRACE_DATA"))
    parser.add_argument("--preset", default="zh-web")
    parser.add_argument("--half", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--each", type=int, default=1500, help="texts of a kind, at most")
    parser.add_argument("--wrong", type=int, default=5, help="names of wrongly dropped texts to print, of each kind")
    parser.add_argument("--judge", help="a judge section as YAML in one line, instead of the preset")
    parser.add_argument("--keep", type=pathlib.Path, help="leave corpora and run in this folder")
    options = parser.parse_args()
    if not options.data:
        sys.exit("the texts come from the folder of test data: --data or HEADRACE_DATA")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        sources = make_corpora(pathlib.Path(options.data), folder / "texts", options)
        judge = options.judge or json.dumps({"preset": options.preset, "domains": SETTINGS})
        (folder / "recipe.yaml").write_text(f"sources: {json.dumps(sources)}\njudge: {judge}\n", encoding="utf-8")
        run = folder / "run"
        books = json.loads(headrace(options, "run", folder / "recipe.yaml", "--output", run, "-q", "--json"))["books"]
        wrong = collections.defaultdict(list)
        for line in headrace(options, "cat", run, "--dropped").splitlines():
            record = json.loads(line)
            if record["domain"] in TEXTS:
                name = record.get("meta", {}).get("name") or pathlib.Path(record["source"]).name
                wrong[record["domain"]].append((name, record["reason"], record["value"]))
        sys.exit(0 if print_tables(books, wrong, options) else 1)


if __name__ == "__main__":
    main()
