# SPDX-License-Identifier: Apache-2.0
"""The disguises in which items are planted. Deterministic for a given random.Random."""

import re
import unicodedata

TOKEN = re.compile(r"[\u3400-\u9fff]|[A-Za-z]+|\d+|\s+|.", re.S)
HAN = re.compile(r"[\u3400-\u9fff]")
WORD = re.compile(r"[\u3400-\u9fffA-Za-z\d]")
PUNCTUATION = list("，。；：、！？,.;:!?…—“”\"'()（）【】")
BLANKS = ["  ", "\n", " \n ", "\u3000", "\u00a0", " "]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS = [
    "verbatim", "respaced", "width", "punctuation", "traditional", "reordered", "question", "question_answer", "mid",
    "edit5", "edit10", "half", "mixed", "passage",
]  # fmt: skip


def full_width(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


def half_width(text):
    return unicodedata.normalize("NFKC", text)


def other_punctuation(text, random_):
    return "".join(
        (random_.choice(PUNCTUATION) if random_.random() < 0.7 else "")
        if unicodedata.category(c)[0] == "P" and c not in "'’_-"
        else c
        for c in text
    )


def respaced(text, random_):
    out = []
    for token in TOKEN.findall(text):
        out.append(random_.choice(BLANKS) if token.isspace() else token)
        if HAN.match(token) and random_.random() < 0.4:
            out.append(random_.choice([" ", "\n", "\u200b", "\u3000"]))
    return "".join(out)


class Disguises:
    """`characters` and `words` of natural text for edits; `to_traditional` is a function of a text, or None."""

    def __init__(self, characters, words, to_traditional):
        self.characters = characters
        self.words = words
        self.to_traditional = to_traditional

    def edited(self, text, share, random_):
        """A third of the edits each: replaced, deleted, inserted."""
        out = []
        for token in TOKEN.findall(text):
            if WORD.match(token) and random_.random() < share:
                other = random_.choice(self.characters) if HAN.match(token) else f" {random_.choice(self.words)} "
                kind = random_.randrange(3)
                token = [other, "", token + other][kind]
            out.append(token)
        return "".join(out)

    def text(self, item, options=True, answer=False, shuffled=None, separator="\n"):
        text = item["question"]
        texts = list(item["options"])
        if shuffled:
            shuffled.shuffle(texts)
        if options and texts:
            lines = [f"{LETTERS[i] if i < 26 else i}. {option.strip()}" for i, option in enumerate(texts)]
            text += separator + separator.join(lines)
        if answer:
            text += separator + ("答案：" if item["chinese"] else "Answer: ") + (item["answer"] or item["solution"])
        return text

    def apply(self, item, kind, random_):
        """The disguised item, or None where the kind does not apply to it."""
        if kind == "verbatim":
            return self.text(item, answer=bool(item["answer"] and not item["options"]))
        if kind == "respaced":
            return respaced(self.text(item), random_)
        if kind == "width":
            text = self.text(item)
            return full_width(text) if any(ord(c) < 128 for c in text) else half_width(text)
        if kind == "punctuation":
            return other_punctuation(self.text(item), random_)
        if kind == "traditional":
            return self.to_traditional(self.text(item)) if item["chinese"] and self.to_traditional else None
        if kind == "reordered":
            if len(item["options"]) != 4:
                return None
            return self.text(item, shuffled=random_, separator=random_.choice(["\n", " ", "；"]))
        if kind == "question":
            return item["question"]
        if kind == "question_answer":
            if not item["answer"]:
                return None
            return self.text(item, options=False, answer=True, separator=random_.choice(["\n", " "]))
        if kind == "mid":
            return self.text(item, separator=" ").replace("\n", " ")
        if kind in ("edit5", "edit10"):
            return self.edited(self.text(item), 0.05 if kind == "edit5" else 0.10, random_)
        if kind == "half":
            text = self.text(item)
            if random_.random() < 0.5 or not item["options"]:
                return text[: len(text) // 2]
            return text[: max(len(text) // 2, len(item["question"]))]
        if kind == "mixed":
            text = self.edited(self.text(item, shuffled=random_), 0.05, random_)
            return full_width(respaced(text, random_))
        if kind == "passage":
            return item["passage"] or None
        raise ValueError(kind)
