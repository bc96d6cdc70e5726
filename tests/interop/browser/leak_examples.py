# SPDX-License-Identifier: Apache-2.0
"""A small run whose finds read like real ones: for the pictures of the review, and to look at it by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pages import command


EXAM = [
    {"id": "17", "question": "A mill grinds 48 sacks of wheat in April and half as many in May. How many sacks does it grind in "
     "both months together?", "options": ["48", "60", "72", "96"], "answer": "C"},
    {"id": "31", "question": "Three canal boats leave the lock at noon. The first makes four miles an hour, the second five and the "
     "third six. How far apart are the first and the third boat at half past two?",
     "options": ["2 miles", "5 miles", "6 miles", "15 miles"], "answer": "B"},
    {"id": "58", "question": "Which of the following describes the purpose of a headrace in a water mill?", "options": [
        "It leads water from the river to the wheel", "It returns water to the river below the mill", "It stores grain above the stones",
        "It holds the shaft of the wheel"], "answer": "A"},
]
PAPER = [
    {"id": "水利-3", "question": "一个水池装有甲、乙两个进水管和丙一个出水管，单开甲管六小时注满，单开乙管八小时注满，"
     "单开丙管十二小时放完，三管齐开几小时可以注满水池？",
     "options": ["四小时零八分", "四小时四十八分", "五小时二十分", "六小时"], "answer": "B"},
    {"id": "语文-12", "question": "下列各句中，没有语病且句意明确的一项是哪一句？请结合古代水磨的记载说明引水渠与尾水渠的区别。",
     "options": ["引水渠把河水引到水轮", "尾水渠把河水引到水轮", "两者都在水轮上游", "两者都用来灌溉"], "answer": "A"},
]
ENGLISH = ["Old mills along the river kept careful accounts, and the clerk copied every figure twice before supper.",
           "The lock keeper's daughter wrote to her brother each Sunday and told him which boats had passed.",
           "In wet years the meadow below the weir stood under water until the swallows came back."]
CHINESE = ["沿河的水磨坊都有账册，管账先生每晚把数目抄写两遍，再交给东家过目。",
           "村口的老人说，从前磨坊一开工，整条街都能听见水轮转动的声音。",
           "雨水多的年份，堤坝下面的草地要淹到燕子回来的时候。"]


def documents() -> list[str]:
    mill, boats, headrace = EXAM
    pool, channel = PAPER
    return [
        f"{ENGLISH[0]} {ENGLISH[1]}\n\n{mill['question']}\nA. {mill['options'][3]}  B. {mill['options'][2]}  C. {mill['options'][0]}\n\n"
        f"{ENGLISH[2]}",
        f"Homework, page 9. {str(boats['question']).upper()} Show your work.\n{ENGLISH[1]}",
        f"{ENGLISH[2]} My nephew asked: \"Three canal boats leave the lock at noon; the first makes 4 miles an hour, the second five "
        f"and the third six. How far apart are the first and the third boat at half past two?\" Nobody at the table knew. {ENGLISH[0]}",
        f"1. {headrace['question']}\n(A) {headrace['options'][2]}\n(B) {headrace['options'][0]}\n(C) {headrace['options'][3]}\n"
        f"(D) {headrace['options'][1]}\n\n{ENGLISH[0]}",
        f"{CHINESE[0]}{CHINESE[1]}\n练习：{pool['question']}\n答案见下页。{CHINESE[2]}",
        f"（三）{' '.join(str(pool['question']))}\n{CHINESE[1]}",
        f"{CHINESE[2]}{channel['question']}\nA．{channel['options'][2]}\nB．{channel['options'][0]}\nC．{channel['options'][3]}\n"
        f"D．{channel['options'][1]}",
        *[" ".join(ENGLISH[i:] + ENGLISH[:i]) + f" ({i})" for i in range(3)],
        *["".join(CHINESE[i:] + CHINESE[:i]) + f"（{i}）" for i in range(3)],
    ]


def lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def make_run(folder: Path) -> Path:
    (folder / "eval").mkdir(parents=True)
    for name, items in (("mill-exam", EXAM), ("水利试卷", PAPER)):
        (folder / f"eval/{name}.jsonl").write_text(lines(items), encoding="utf-8")
    (folder / "web.jsonl").write_text(lines({"text": text} for text in documents()), encoding="utf-8")
    recipe = {"name": "mills and canals", "seed": 7, "sources": [{"domain": "web", "paths": [str(folder / "web.jsonl")]}],
              "normalize": [], "leak": {"against": [str(folder / "eval/*.jsonl")]}, "output": str(folder / "run")}
    (folder / "recipe.yaml").write_text(json.dumps(recipe), encoding="utf-8")
    command("run", folder / "recipe.yaml", "-q")
    return folder / "run"
