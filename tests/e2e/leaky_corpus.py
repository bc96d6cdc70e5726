# SPDX-License-Identifier: Apache-2.0
"""Held-out items in English and Chinese, and documents of which some hold one, disguised."""

import json
import random

LETTERS = "abcdefghijklmnoprstuvwy"
HAN = [chr(code) for code in range(0x4E00, 0x9000)]
PUNCTUATION = {"zh": "，。", "en": ",."}


def word(rng):
    return "".join(rng.choices(LETTERS, k=rng.randint(3, 8)))


def sentence(rng, language, length):
    """Nothing in common with any other but chance."""
    if language == "zh":
        return "".join(rng.choices(HAN, k=length))
    return " ".join(word(rng) for _ in range(length))


def make_items(count=24, seed=5):
    rng = random.Random(seed)
    items = []
    for i in range(count):
        language = "zh" if i % 2 else "en"
        items.append({"id": f"q{i}", "question": sentence(rng, language, 34 if language == "zh" else 22) + ("？" if i % 2 else "?"),
                      "options": [sentence(rng, language, 6) for _ in range(4)], "answer": "ABCD"[rng.randrange(4)]})
    return items


def write_items(path, items):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return path


def wide(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def stops(text):
    return "、".join(text[i:i + 4] for i in range(0, len(text), 4))


def disguises(rng, item, language):
    """{name: text}, each of which holds the item."""
    question, options = item["question"], item["options"]
    space = "" if language == "zh" else " "
    shuffled = rng.sample(options, len(options))
    listed = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCD", shuffled, strict=True))
    return {
        "verbatim": question,
        "spaced": " ".join(question) if language == "zh" else question.replace(" ", "\n  "),
        "wide": wide(question.upper()),
        "options": f"12．（3分）{question}\n{listed}",
        "punctuation": stops(question) if language == "zh" else question.replace(" ", " - "),
        "inside": sentence(rng, language, 60) + PUNCTUATION[language][0] + space + question + space + sentence(rng, language, 60),
    }


def write_leaky(folder, items, documents=300, seed=1):
    """JSON Lines of two domains, in each document its number `n`; returns {n: (disguise, item id)} of those with an item."""
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    planted = {}
    files = {domain: open(folder / f"{domain}.jsonl", "w", encoding="utf-8") for domain in ("web", "book")}
    for n in range(documents):
        domain, language = rng.choice(["web", "book"]), rng.choice(["zh", "en"])
        parts = [sentence(rng, language, rng.randint(20, 120)) + PUNCTUATION[language][1] for _ in range(rng.randint(2, 6))]
        if rng.random() < 0.2:
            number = rng.randrange(len(items) // 2) * 2 + (language == "zh")
            name, text = rng.choice(sorted(disguises(rng, items[number], language).items()))
            parts.insert(rng.randint(0, len(parts)), text)
            planted[n] = (name, items[number]["id"])
        text = "\n".join(parts) if rng.random() > 0.1 or n in planted else "short"
        files[domain].write(json.dumps({"text": text, "n": n, "work": f"w{n // 3}"}, ensure_ascii=False) + "\n")
    for file in files.values():
        file.close()
    return planted
