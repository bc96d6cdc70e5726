#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of the documentation from the demo's run, and from a small one with leaks: docs/img/*.png.

  make demo
  HEADRACE_CHROMIUM=$(tests/interop/browser/chromium) $(tests/interop/environment browser)/venv/bin/python tools/screenshots.py

The command is HEADRACE_COMMAND (default build/headrace). Decisions of the audit page go to a file that is thrown away.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/interop/browser"))
os.environ.setdefault("HEADRACE_COMMAND", str(ROOT / "build/headrace"))

from leak_examples import make_run  # noqa: E402
from pages import audit, chromium, loaded  # noqa: E402
from playwright.sync_api import Browser, Page, expect  # noqa: E402

RUN = Path("runs/demo")
MOST_BYTES = 150_000


def open_page(browser: Browser, url: str, width: int, height: int, dark: bool = False, locale: str = "en-US") -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, locale=locale,
                                  color_scheme="dark" if dark else "light", reduced_motion="reduce")
    page = context.new_page()
    page.goto(url)
    return page


def save(page: Page, name: str) -> None:
    path = ROOT / f"docs/img/{name}.png"
    page.screenshot(path=path)
    size = path.stat().st_size
    print(f"docs/img/{name}.png: {size} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"screenshots: docs/img/{name}.png has {size} bytes, more than {MOST_BYTES}")


def report_pictures(browser: Browser) -> None:
    url = (ROOT / RUN / "report/index.html").as_uri()
    save(open_page(browser, url, 1120, 1000), "report")
    for name, dark in (("report-measures", False), ("report-measures-dark", True)):
        page = open_page(browser, url, 1120, 860, dark)
        figure = page.locator(".measure", has=page.locator("code:text-is('digit_share')"))
        slider = figure.locator("input[type=range]")
        slider.focus()
        while figure.locator("output").text_content() != "≤ 0.15":
            page.keyboard.press("ArrowLeft")
        page.locator("#measures").evaluate("e => window.scrollTo(0, e.offsetTop - 16)")
        save(page, name)


def decide(page: Page, rule: str, keys: str) -> None:
    page.locator(".rule", has_text=rule).click()
    progress = page.locator("#group-dropped .progress")
    for key in keys:
        before = loaded(page) and progress.text_content()
        page.keyboard.press(key)
        expect(progress).not_to_have_text(before or "")
    loaded(page)


def audit_pictures(browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as folder, audit(RUN, "--labels", Path(folder) / "labels.jsonl", cwd=ROOT) as served:
        page = loaded(open_page(browser, served.url, 1060, 680))
        decide(page, "letter_share_below_min", "ggggkggggugggkgg")
        decide(page, "code_points_below_min", "gggggkgggggg")
        decide(page, "special_symbol_share_above_max", "gggkgggugg")
        save(page, "audit")
        save(loaded(open_page(browser, served.url, 1060, 680, dark=True, locale="zh-CN")), "audit-zh")
        save(loaded(open_page(browser, served.url, 400, 780)), "audit-phone")
        served.close()


def leak_pictures(browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # so that the paths on the page are short
        with audit(make_run(Path()), "--leak-labels", "leaks.jsonl") as served:
            def leaks(**options: Any) -> Page:
                page = open_page(browser, served.url + "leaks", 1280, 720, **options)
                expect(page.locator("body")).to_have_attribute("data-shown", re.compile(r"\d+ \d+"))
                return page
            page = leaks()
            for key in "yyn":
                before = page.locator("body").get_attribute("data-shown") or ""
                page.keyboard.press(key)
                expect(page.locator("body")).not_to_have_attribute("data-shown", before)
            save(leaks(), "leaks")
            page = leaks(locale="zh-CN")
            page.locator("#set").select_option("水利试卷")
            expect(page.locator("#item-name")).to_contain_text("水利")
            expect(page.locator("body")).to_have_attribute("data-shown", re.compile(r"\d+ \d+"))
            save(page, "leaks-zh")
            served.close()


def main() -> None:
    if not (ROOT / RUN / "report/index.html").is_file():
        raise SystemExit(f"screenshots: needed: {RUN}; found: nothing; get it: make demo")
    with chromium() as browser:
        report_pictures(browser)
        audit_pictures(browser)
        leak_pictures(browser)


if __name__ == "__main__":
    main()
