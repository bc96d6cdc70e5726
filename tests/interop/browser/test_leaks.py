# SPDX-License-Identifier: Apache-2.0
"""The review of leaks in a browser: item and document side by side, keys, filters, both languages, and what is left."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Opener
from pages import audit, command, command_json
from playwright.sync_api import Page, expect


sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "e2e"))
from leaky_corpus import make_items, write_items, write_leaky  # noqa: E402


HOSTILE = "<img src=x onerror=\"document.title = 'broken'\"> \u202e"


@pytest.fixture(scope="session")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A run with items in disguise, two sets; and how many documents hold one."""
    folder = tmp_path_factory.mktemp("leaky")
    items = make_items()
    planted = write_leaky(folder / "raw", items)
    item = {"id": HOSTILE, "question": HOSTILE + " ".join(f"peculiar{i}" for i in range(20)), "options": [], "answer": ""}
    with open(folder / "raw/web.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps({"text": f"before {item['question']} after " * 2, "n": -1, "work": "w"}) + "\n")
    write_items(folder / "eval/中文题库.jsonl", items[1::2])
    write_items(folder / "eval/exam.jsonl", [*items[0::2], item])
    keys = {"name": "leaks 泄漏", "seed": 7, "sources": [{"domain": d, "paths": [f"{folder}/raw/{d}.jsonl"]} for d in ("web", "book")],
            "normalize": [], "judge": {"rules": {"code_points": {"min": 20}}}, "leak": {"against": [f"{folder}/eval/*.jsonl"]},
            "output": str(folder / "run")}
    (folder / "r.yaml").write_text(json.dumps(keys), encoding="utf-8")
    command("run", folder / "r.yaml", "-q")
    return folder / "run", len(planted) + 1


def opened(open_page: Opener, url: str, **options: Any) -> Page:
    return shown(open_page(url + "leaks", **options))


def shown(page: Page) -> Page:
    """The page with both texts of the find that it names."""
    expect(page.locator("body")).to_have_attribute("data-shown", re.compile(r"\d+ \d+"))
    return page


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def progress(page: Page) -> str:
    return page.locator(".rule[aria-current] .progress").text_content() or ""


def test_keys_decide_and_the_precision_follows(leaky: tuple[Path, int], tmp_path: Path, open_page: Opener) -> None:
    run, _ = leaky
    options = ["--labels", tmp_path / "labels", "--leak-labels", tmp_path / "leaks"]
    with audit(run, *options) as served:
        page = opened(open_page, served.url)
        assert progress(page).startswith("0 of ")
        for number, key in enumerate("yyn1u", 1):
            page.keyboard.press(key)
            expect(page.locator(".rule[aria-current] .progress")).to_have_text(re.compile(rf"^{number} of "))
        expect(page.locator(".rule[aria-current] .share b")).to_have_text("75 %")
        for number, key in ((4, "z"), (3, "Backspace")):
            page.keyboard.press(key)
            expect(page.locator(".rule[aria-current] .progress")).to_have_text(re.compile(f"^{number} of "))
        page.reload()
        shown(page)
        assert progress(page).startswith("3 of ")
        summary = served.close()
    written = lines(tmp_path / "leaks")
    assert [line["decision"] for line in written] == ["leak", "leak", "not_leak", "leak", "unsure", "none", "none"]
    assert [line["label"] for line in written] == [1, 1, 0, 1, None, None, None]
    assert all(line["by"] == "tester" and line["text"] and line["begin"] < line["end"] for line in written)
    group = next(group for group in summary["leaks"] if group["leak"])
    assert (group["leak"], group["not_leak"]) == (2, 1)
    assert abs(group["precision"] - 2 / 3) < 1e-9
    assert summary["leak_decisions"] == 7
    again = command_json("audit", run, *options, "--summary")
    assert again["leaks"] == summary["leaks"]


def test_both_texts_are_marked_where_they_agree(leaky: tuple[Path, int], tmp_path: Path, open_page: Opener) -> None:
    run, documents = leaky
    with audit(run, "--leak-labels", tmp_path / "leaks", "--per-rule", 1000) as served:
        page = opened(open_page, served.url)
        seen = 0
        for _ in range(documents):
            if page.locator("#document mark").count() and page.locator("#item mark").count():
                seen += 1
            here = page.locator("body").get_attribute("data-shown") or ""
            page.locator("#next").click()
            if seen < documents:
                expect(page.locator("body")).not_to_have_attribute("data-shown", here)
                shown(page)
        assert seen == documents
        served.close()


def test_filters_by_set_and_verdict(leaky: tuple[Path, int], tmp_path: Path, open_page: Opener) -> None:
    run, _ = leaky
    with audit(run, "--leak-labels", tmp_path / "leaks") as served:
        page = opened(open_page, served.url)
        assert sorted(page.locator("#set option").all_text_contents()) == ["all", "exam", "中文题库"]
        page.locator("#set").select_option("中文题库")
        shown(page)
        assert all("中文题库" in text for text in page.locator(".rule").all_text_contents())
        expect(page.locator("#item-name")).to_contain_text("中文题库")
        page.locator("main").click()
        page.keyboard.press("v")
        shown(page)
        assert page.locator("#verdict").input_value() == "drop"
        assert {"drop"} == set(page.locator(".rule .verdict").all_text_contents())
        served.close()


def test_both_languages_and_hostile_texts(leaky: tuple[Path, int], tmp_path: Path, open_page: Opener) -> None:
    run, _ = leaky
    with audit(run, "--leak-labels", tmp_path / "leaks", "--per-rule", 1000) as served:
        page = opened(open_page, served.url, locale="zh-CN")
        expect(page.locator("#leak")).to_contain_text("是泄漏")
        page.keyboard.press("l")
        expect(page.locator("#leak")).to_contain_text("Leak")
        page.keyboard.press("?")
        assert "undefined" not in (page.locator("body").text_content() or "")
        while "peculiar0" not in (page.locator("#item").text_content() or ""):
            here = page.locator("body").get_attribute("data-shown") or ""
            page.keyboard.press("ArrowRight")
            expect(page.locator("body")).not_to_have_attribute("data-shown", here)
            shown(page)
        assert "broken" not in page.title()
        assert page.locator("#item img, #document img").count() == 0
        assert "U+202E" in (page.locator("#document").text_content() or "")
        served.close()


def test_the_pages_lead_to_each_other(leaky: tuple[Path, int], tmp_path: Path, run: Path, open_page: Opener) -> None:
    with audit(leaky[0], "--labels", tmp_path / "labels", "--leak-labels", tmp_path / "leaks") as served:
        page = open_page(served.url)
        page.locator("#leaks-link").click()
        shown(page)
        page.locator("header a").click()
        expect(page.locator("#leaks-link")).to_be_visible()
        served.close()
    with audit(run, "--labels", tmp_path / "other") as served:  # a run without the section
        page = open_page(served.url)
        expect(page.locator(".rule").first).to_be_visible()
        assert not page.locator("#leaks-link").is_visible()
        served.close()


def test_fits_its_screens(leaky: tuple[Path, int], tmp_path: Path, open_page: Opener) -> None:
    with audit(leaky[0], "--leak-labels", tmp_path / "leaks") as served:
        for width, height in ((1920, 1080), (1280, 800), (400, 800)):
            page = opened(open_page, served.url, width=width, height=height, locale="zh-CN")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            item, document = page.locator("#item").bounding_box(), page.locator("#document").bounding_box()
            assert item is not None and document is not None
            if width >= 1280:  # side by side, of one height
                assert abs(item["y"] - document["y"]) < 2 and item["x"] + item["width"] <= document["x"] + 1
                assert abs(item["width"] - document["width"]) < 4
            else:
                assert item["y"] + item["height"] <= document["y"]
            for button in ("leak", "not_leak", "unsure", "undo", "previous", "next"):
                box = page.locator(f"#{button}").bounding_box()
                assert box is not None and 0 <= box["x"] and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
        served.close()
