# SPDX-License-Identifier: Apache-2.0
"""The report in a browser: what a moved line says is what `headrace judge` says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Corpus, Opener
from pages import command_json
from playwright.sync_api import Locator, Page


def report(run: Path) -> str:
    return (run / "report/index.html").as_uri()


def measure(page: Page, name: str) -> Locator:
    return page.locator(".measure", has=page.locator(f"code:text-is('{name}')"))


def move_line(figure: Locator, side: str, value: str, place: str = "") -> None:
    """By keyboard: to the start, then step by step until the line stands at a value."""
    if place:
        figure.locator("select.place").select_option(place)
    figure.locator("select.side").select_option(side)
    figure.locator("input[type=range]").focus()
    keyboard = figure.page.keyboard
    keyboard.press("Home")
    wanted = ("≥ " if side == "min" else "≤ ") + value
    for _ in range(400):
        if figure.locator("output").text_content() == wanted:
            return
        keyboard.press("ArrowRight")
    raise AssertionError(f"the line never stands at {value}")


def effect(figure: Locator) -> dict[str, list[int]]:
    """{domain: [drops, newly dropped, newly kept]}"""
    rows = {}
    for row in figure.locator(".effect tbody tr, .effect tfoot tr").all():
        cells = row.locator("td").all_text_contents()
        numbers = [cell.split(" ")[0].replace(",", "") for cell in cells]
        rows[row.locator("th").text_content() or ""] = [int(number) for number in numbers]
    return rows


@pytest.mark.parametrize(("name", "side", "value", "rules"), [
    ("digit_share", "max", "0.15", "digit_share: {max: 0.15}, code_points: {min: 20}"),
    ("digit_share", "max", "0.4", "digit_share: {max: 0.4}, code_points: {min: 20}"),
    ("digit_share", "max", "0.05", "digit_share: {max: 0.05}, code_points: {min: 20}"),
    ("digit_share", "min", "0.1", "digit_share: {min: 0.1, max: 0.3}, code_points: {min: 20}"),
    ("code_points", "min", "20", "digit_share: {max: 0.3}, code_points: {min: 20}"),
    ("code_points", "min", "22", "digit_share: {max: 0.3}, code_points: {min: 22}"),
    ("code_points", "min", "5", "digit_share: {max: 0.3}, code_points: {min: 5}"),
    ("code_points", "max", "40", "digit_share: {max: 0.3}, code_points: {min: 20, max: 40}"),
])
def test_a_moved_line_says_what_judge_says(run: Path, corpus: Corpus, open_page: Opener, tmp_path: Path, name: str,
                                           side: str, value: str, rules: str) -> None:
    figure = measure(open_page(report(run)), name)
    move_line(figure, side, value)
    says = effect(figure)

    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    judged = command_json("judge", copy, "--recipe", corpus.recipe(rules))
    assert says["all"][1:] == [judged["newly_dropped"], judged["newly_kept"]]
    alone = command_json("judge", copy, "--recipe", corpus.recipe(f"{name}: {{{side}: {value}}}"))
    reason = f"{name}_{'below_min' if side == 'min' else 'above_max'}"
    assert says["all"][0] == alone["dropped"].get(reason, 0)
    assert [sum(column) for column in zip(says["en"], says["新闻"], strict=True)] == says["all"]


def judge_section(base: str = "max: 0.3", zh: str = "max: 0.25", short: str = "max: 0.1", en: str = "min: 16") -> tuple[str, str]:
    """(rules, more): a rule for all, for a language, for a bucket, and for a domain."""
    return (f"digit_share: {{{base}}}, code_points: {{min: 20}}",
            f"languages: {{zh: {{rules: {{digit_share: {{{zh}}}}}}}}}\n"
            f"  buckets: [{{when: {{code_points: {{max: 30}}}}, rules: {{digit_share: {{{short}}}}}}}]\n"
            f"  domains: {{en: {{rules: {{code_points: {{{en}}}}}}}}}")


@pytest.fixture(scope="module")
def places_run(corpus: Corpus) -> Path:
    return corpus.run(*judge_section())


@pytest.mark.parametrize(("name", "place", "side", "value", "changed"), [
    ("digit_share", "judge.rules", "max", "0.2", {"base": "max: 0.2"}),
    ("digit_share", "judge.rules", "max", "0.45", {"base": "max: 0.45"}),
    ("digit_share", "judge.rules", "min", "0.1", {"base": "min: 0.1, max: 0.3"}),
    ("digit_share", "judge.languages.zh.rules", "max", "0.1", {"zh": "max: 0.1"}),
    ("digit_share", "judge.languages.zh.rules", "max", "0.5", {"zh": "max: 0.5"}),
    ("digit_share", "judge.buckets[0].rules", "max", "0.2", {"short": "max: 0.2"}),
    ("digit_share", "judge.buckets[0].rules", "max", "0.05", {"short": "max: 0.05"}),
    ("digit_share", "judge.buckets[0].rules", "min", "0.1", {"short": "min: 0.1, max: 0.1"}),
    ("code_points", "judge.domains.en.rules", "min", "22", {"en": "min: 22"}),
    ("code_points", "judge.domains.en.rules", "max", "40", {"en": "min: 16, max: 40"}),
])
def test_a_moved_line_says_what_judge_says_at_every_place(places_run: Path, corpus: Corpus, open_page: Opener, tmp_path: Path,
                                                          name: str, place: str, side: str, value: str,
                                                          changed: dict[str, str]) -> None:
    """What judges a row is one place of the recipe: another bound there touches the rows of that place alone."""
    figure = measure(open_page(report(places_run)), name)
    move_line(figure, side, value, place)
    says = effect(figure)
    says_all = says.get("all") or next(iter(says.values()))
    copy = tmp_path / "run"
    shutil.copytree(places_run, copy)
    judged = command_json("judge", copy, "--recipe", corpus.recipe(*judge_section(**changed)))
    assert says_all[1:] == [judged["newly_dropped"], judged["newly_kept"]]
    assert sum(says_all[1:]) > 0


@pytest.mark.parametrize(("name", "side", "value", "rule"), [
    ("code_points", "min", "22", "code_points: {min: 22, max: 1000000}"),
    ("dup_10gram_coverage", "max", "0.9", "dup_10gram_coverage: {max: 0.9}"),
    ("stop_word_share", "min", "0.02", "stop_word_share: {min: 0.02}"),
    ("mean_sentence_length", "max", "300", "mean_sentence_length: {min: 3, max: 300}"),
])
def test_a_rule_of_the_recipe_replaces_those_of_a_preset_in_its_buckets_as_well(corpus: Corpus, open_page: Opener, name: str,
                                                                                 side: str, value: str, rule: str) -> None:
    run = corpus.run("", preset="zh-web")
    figure = measure(open_page(report(run)), name)
    move_line(figure, side, value)
    says = effect(figure)
    judged = command_json("judge", run, "--recipe", corpus.recipe(rule, preset="zh-web"))
    assert says["all"][1:] == [judged["newly_dropped"], judged["newly_kept"]]


def test_a_strip_for_each_bounds_of_a_domain(places_run: Path, open_page: Opener) -> None:
    """The picture is of what judges: documents of a bucket lie in a strip with the bounds of the bucket."""
    figure = measure(open_page(report(places_run)), "digit_share")
    strips = list(zip(figure.locator("text.name").all_text_contents(), figure.locator("text.bound").all_text_contents(),
                      figure.locator(".spread tbody th").all_text_contents(), strict=True))
    assert strips == [
        ("en", "≤ 0.3", "en"), ("en", "≤ 0.1", "en · code_points ≤ 30"),
        ("新闻", "≤ 0.3", "新闻"), ("新闻", "≤ 0.25", "新闻 · language zh"), ("新闻", "≤ 0.1", "新闻 · code_points ≤ 30"),
    ]
    figure.locator("select.place").select_option("judge.buckets[0].rules")
    assert figure.locator("output").text_content() == "≤ 0.1"
    move_line(figure, "max", "0.2")
    line = figure.locator("path.moved.line").get_attribute("d") or ""
    assert [float(part.split(" ")[1].split("v")[0]) for part in line.split("M")[1:]] == [36, 144]  # the strips of the bucket


def test_the_line_stands_where_the_bound_is_and_goes_back(run: Path, open_page: Opener) -> None:
    figure = measure(open_page(report(run)), "digit_share")
    assert figure.locator("output").text_content() == "≤ 0.3"
    assert figure.locator(".moved").count() == 0
    figure.locator("input[type=range]").focus()
    figure.page.keyboard.press("ArrowLeft")
    assert figure.locator("output").text_content() == "≤ 0.29"
    assert figure.locator(".moved").count() == 2
    assert figure.locator("input[type=range]").get_attribute("aria-valuetext") == "≤ 0.29"
    figure.locator("button").click()
    assert figure.locator("output").text_content() == "≤ 0.3"
    assert figure.locator(".effect tr").count() == 0


def test_measures_without_a_rule_are_drawn_when_opened(run: Path, open_page: Opener) -> None:
    page = open_page(report(run))
    plain = measure(page, "han_share")
    assert plain.locator("path[d][data-base]").count() == 0
    page.locator("details.family", has=plain).locator("summary").first.click()
    plain.locator("summary").first.click()
    plain.locator("path[d][data-base]").first.wait_for(state="attached")
    assert plain.locator("path[d][data-base]").count() == 2
    move_line(plain, "max", "0.5")
    assert effect(plain)["新闻"][0] > 300


def test_whole_without_scripts(run: Path, open_page: Opener) -> None:
    page = open_page(report(run), java_script_enabled=False)
    assert page.locator("figure.measure svg path.kept").count() > 0
    assert page.locator("input").count() == 0
    assert page.locator(".plain .spread tbody tr").count() > 0
    assert not page.locator(".live").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_a_phone(run: Path, open_page: Opener, scheme: str) -> None:
    page = open_page(report(run), width=400, height=800, color_scheme=scheme)
    figure = measure(page, "digit_share")
    move_line(figure, "max", "0.15")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    box = figure.locator("input[type=range]").bounding_box()
    assert box is not None
    assert box["width"] > 90


def test_hostile_texts_stay_text(run: Path, open_page: Opener) -> None:
    page = open_page(report(run))
    assert "broken" not in page.title()
    assert page.locator("img").count() == 0
