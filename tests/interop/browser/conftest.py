# SPDX-License-Identifier: Apache-2.0
"""A small run with texts that try to break a page, and pages that fail a test by any word on the console."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import chromium, command
from playwright.sync_api import Browser, Page

RECIPE = """\
sources:
  - {{domain: en, paths: [{folder}/en.jsonl]}}
  - {{domain: 新闻, paths: [{folder}/zh.jsonl]}}
normalize: []
judge:
  preset: {preset}
  rules: {{{rules}}}
  {more}
output: {output}
"""
RULES = "digit_share: {max: 0.3}, code_points: {min: 20}"

HOSTILE = [text + "1234567890" * 20 for text in (
    "</script><script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\"> ",
    "<!-- &lt; ]]> </div></main></body></html> \u2028 ",
    "שלום עולם \u202eevil\u202c \u200b\u0007\u001b[31m\u0085 مرحبا ",
)]


def lines(texts: list[str]) -> str:
    return "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)


def write_corpus(folder: Path) -> None:
    """Shares of digits from 0 to 1, many of them exactly at round values; lengths around the bound."""
    draw = random.Random(7)
    english, chinese = [], []
    for _ in range(400):
        digits, length = draw.choice([0, 1, 2, 3, 5, 8, draw.randrange(21)]), draw.choice([15, 19, 20, 20, 21, 40, 100, 400])
        text = ("7" * digits + "the river bent and the wheel turned "[digits:20]) * (length // 20 + 1)
        english.append(text[:length])
        chinese.append(("8" * digits + "白日依山尽黄河入海流欲穷千里目更上一层楼"[digits:20])[:20] * draw.choice([1, 1, 2, 9]))
    english += HOSTILE
    chinese += ["七" * 1_000_000 + "9" * 600_000, "短"]
    (folder / "en.jsonl").write_text(lines(english), encoding="utf-8")
    (folder / "zh.jsonl").write_text(lines(chinese), encoding="utf-8")


class Corpus:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        write_corpus(folder)

    def recipe(self, rules: str, more: str = "", preset: str = "none") -> Path:
        self.number += 1
        path = self.folder / f"recipe-{self.number}.yaml"
        output = self.folder / f"run-{self.number}"
        path.write_text(RECIPE.format(folder=self.folder, rules=rules, more=more, preset=preset, output=output), encoding="utf-8")
        return path

    def run(self, rules: str, more: str = "", preset: str = "none") -> Path:
        recipe = self.recipe(rules, more, preset)
        command("run", recipe, "-q")
        return self.folder / f"run-{self.number}"

    def unfinished_run(self) -> Path:
        """One that stopped because it could not write its part of the verdicts."""
        recipe = self.recipe(RULES)
        run = self.folder / f"run-{self.number}"
        (run / "verdict/part-00000.parquet").mkdir(parents=True)
        command("run", recipe, "-q", exit_code=2)
        return run


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def run(corpus: Corpus) -> Path:
    return corpus.run(RULES)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as made:
        yield made


Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Opener]:
    """Opens an address; at the end no page may have said a word on its console."""
    contexts, said = [], []

    def opener(url: str, width: int = 1100, height: int = 900, locale: str = "en-US", **options: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, locale=locale, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(url)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert said == []


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return tmp_path / "labels.jsonl"
