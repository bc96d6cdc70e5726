# SPDX-License-Identifier: Apache-2.0
"""The audit page in a browser: keys, counts, both languages, and what is left when it ends."""

from __future__ import annotations

import http.client
import json
import math
import os
import re
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any

from conftest import HOSTILE, Corpus, Opener
from pages import Audit, audit, command, command_json, loaded
from playwright.sync_api import Page, expect


HIDDEN = "\u2028\u202e\u202c\u200b\u0007\u001b\u0085"


def json_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]  # splitlines() would cut at U+0085


def lines(path: Path) -> list[dict[str, Any]]:
    return json_lines(path.read_text(encoding="utf-8"))


def records(run: Path, which: str) -> list[dict[str, Any]]:
    return json_lines(command("cat", run, which))


def choose(page: Page, rule: str, group: str = "dropped") -> None:
    page.locator(".rule", has_text=rule).click()
    page.locator(f"#group-{group}").click()
    loaded(page)


def decided(page: Page, group: str = "dropped") -> str:
    return page.locator(f"#group-{group} .progress").text_content() or ""


def press(page: Page, key: str, then: str, group: str = "dropped") -> None:
    page.keyboard.press(key)
    expect(page.locator(f"#group-{group} .progress")).to_have_text(then)


def wilson(part: int, n: int) -> tuple[float, float]:
    z = 1.959963984540054
    centre, half = part + z * z / 2, z * math.sqrt(part * (n - part) / n + z * z / 4)
    return (centre - half) / (n + z * z), (centre + half) / (n + z * z)


def test_keys_decide_and_the_precision_follows(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        page = loaded(open_page(served.url))
        choose(page, "digit_share_above_max")
        assert decided(page) == "0 of 30 decided"
        for number, key in enumerate("gg1k", 1):
            press(page, key, f"{number} of 30 decided")
        share = page.locator("#group-dropped .share b")
        expect(share).to_have_text("75 %")
        low, high = wilson(3, 4)
        expect(page.locator("#group-dropped .figures small").first).to_have_text(
            f"95 %: {round(100 * low)}–{round(100 * high)} %")
        press(page, "u", "5 of 30 decided")
        expect(share).to_have_text("75 %")  # unsure is in no share
        press(page, "z", "4 of 30 decided")
        press(page, "Backspace", "3 of 30 decided")
        expect(share).to_have_text("100 %")
        summary = served.close()
    written = lines(labels)
    assert [line["label"] for line in written] == [0, 0, 0, 1, None, None, None]
    assert [line["decision"] for line in written] == ["garbage"] * 3 + ["keep", "unsure", "none", "none"]
    assert [line.get("undo", False) for line in written] == [False] * 5 + [True] * 2
    first = written[0]
    assert first["rule"] == "digit_share_above_max"
    assert first["group"] == "dropped"
    assert first["by"] == "tester"
    assert first["bound"] == "max 0.3"
    assert first["value"] > 0.3
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", first["time"])
    texts = {record["id"]: record["text"] for record in records(run, "--dropped")}
    assert all(line["text"] == texts[line["id"]] for line in written)
    rule = next(rule for rule in summary["rules"] if rule["rule"] == "digit_share_above_max")
    assert rule["dropped"]["precision"] == 1.0
    assert rule["dropped"]["garbage"] == 3


def test_reload_and_restart_keep_everything(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        page = loaded(open_page(served.url))
        choose(page, "digit_share_above_max")
        for number in range(1, 4):
            press(page, "g", f"{number} of 30 decided")
        seen = page.locator("#seen").text_content()
        page.reload()
        loaded(page)
        assert decided(page) == "3 of 30 decided"
        assert page.locator("#seen").text_content() == seen  # at the same document
        served.close()
    with audit(run, "--labels", labels) as served:
        page = loaded(open_page(served.url))
        choose(page, "digit_share_above_max")
        assert decided(page) == "3 of 30 decided"
        press(page, "z", "2 of 30 decided")  # undo reaches behind the restart
        served.close()
    assert command_json("audit", run, "--labels", labels, "--summary")["rules"][0]["dropped"]["garbage"] == 2


def test_the_same_seed_shows_the_same_documents(run: Path, tmp_path: Path) -> None:
    def shown(*options: object) -> list[list[str]]:
        with audit(run, "--labels", tmp_path / "labels", *options) as served:
            everything = json.loads(get(served, "api/all")[1])
            served.close()
        return [[item["id"] for item in rule[group]] for rule in everything["rules"] for group in ("dropped", "passed")]

    assert shown("--seed", 5, "--per-rule", 10) == shown("--seed", 5, "--per-rule", 10)
    assert shown("--seed", 5, "--per-rule", 10) != shown("--seed", 6, "--per-rule", 10)
    assert max(map(len, shown("--per-rule", 10))) == 10


def test_samples_are_what_they_say(run: Path, labels: Path) -> None:
    """Dropped: documents that break the rule. Just passed: no kept document lies closer to the bound."""
    kept = records(run, "--kept")
    with audit(run, "--labels", labels) as served:
        everything = json.loads(get(served, "api/all")[1])
        served.close()
    for rule in everything["rules"]:
        for item in rule["dropped"]:
            assert rule["reason"] in item["reasons"]
        assert len(rule["passed"]) == 30
        assert {item["id"] for item in rule["passed"]} <= {record["id"] for record in kept}
        if rule["reason"] == "code_points_below_min":
            lengths = sorted(len(record["text"]) for record in kept)
            assert [item["value"] for item in rule["passed"]] == lengths[:30]


def get(served: Audit, path: str, host: str = "", token: str | None = None) -> tuple[int, str]:
    address = urllib.parse.urlsplit(served.url)
    connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=10)
    prefix = address.path if token is None else token
    connection.request("GET", prefix + path, headers={"Host": host or address.netloc})
    response = connection.getresponse()
    return response.status, response.read().decode()


def test_the_address_is_the_key(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        assert get(served, "")[0] == 200
        assert get(served, "", token="/")[0] == 403
        assert get(served, "api/all", token="/")[0] == 403
        assert get(served, "api/all", token="/" + "0" * 32 + "/")[0] == 403
        assert get(served, "", host="evil.example")[0] == 403
        listening = subprocess.run(["cat", f"/proc/{served.process.pid}/net/tcp"], capture_output=True, text=True, check=True)
        port = f":{urllib.parse.urlsplit(served.url).port:04X}"
        local = [line.split()[1] for line in listening.stdout.splitlines() if f"{port} 00000000:0000 0A" in line]
        assert local == [f"0100007F{port}"]  # 127.0.0.1 and nothing else
        # Another page in the same browser can neither read nor decide.
        read, write = json.dumps(served.url + "api/all"), json.dumps(served.url + "api/undo")
        other = labels.parent / "other.html"
        other.write_text("<title>waiting</title><script>Promise.allSettled("
                         f"[fetch({read}), fetch({write}, {{method: 'POST', mode: 'no-cors', body: '{{}}'}})]"
                         ").then(r => { document.title = r[0].status; })</script>", encoding="utf-8")
        context = open_page("about:blank").context.browser
        assert context is not None
        stranger = context.new_page()
        stranger.goto(other.as_uri())
        expect(stranger).to_have_title("rejected")
        stranger.close()
        assert served.close()["decisions"] == 0


def test_both_languages(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        page = loaded(open_page(served.url, locale="zh-CN"))
        expect(page.locator("#garbage")).to_contain_text("垃圾")
        assert page.locator("html").get_attribute("lang") == "zh-CN"
        page.keyboard.press("l")
        expect(page.locator("#garbage")).to_contain_text("Garbage")
        page.reload()
        expect(loaded(page).locator("#garbage")).to_contain_text("Garbage")  # remembered
        english = loaded(open_page(served.url, locale="en-GB"))
        expect(english.locator("#keep")).to_contain_text("Worth keeping")
        english.locator("#language").click()
        expect(english.locator("#keep")).to_contain_text("值得保留")
        for each in (page, english):  # no word is missing in either
            assert "undefined" not in (each.locator("body").text_content() or "")
        served.close()


def test_everything_by_keyboard_and_named_for_a_reader(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        page = loaded(open_page(served.url))
        first = page.locator("#rule-name").text_content()
        page.keyboard.press("]")
        assert page.locator("#rule-name").text_content() != first
        page.keyboard.press("[")
        assert page.locator("#rule-name").text_content() == first
        page.keyboard.press("d")
        assert page.locator("#group-passed").get_attribute("aria-pressed") == "true"
        place = page.locator(".position")
        page.keyboard.press("ArrowRight")
        expect(place).to_have_text("2 of 30")
        page.keyboard.press("p")
        expect(place).to_have_text("1 of 30")
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("k")
        expect(page.locator("#said")).to_have_text("Worth keeping. 2 of 30")
        # Tab reaches every control; each has a name.
        names = page.evaluate("""() => [...document.querySelectorAll('button:not(.dot), select, a, [tabindex="0"]')]
          .filter(e => e.checkVisibility()).map(e => (e.textContent + (e.getAttribute('aria-label') || '')).trim())""")
        assert names
        assert all(names)
        page.locator(".rule").nth(1).focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"  # not lost
        page.locator("#undo").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_have_text(re.compile("Taken back"))
        served.close()


def show(page: Page, served: Audit, item_id: str) -> None:
    """The document of that id under the rule on digits."""
    rules = json.loads(get(served, "api/all")[1])["rules"]
    items = next(rule["dropped"] for rule in rules if rule["reason"] == "digit_share_above_max")
    page.locator("#dots button").nth([item["id"] for item in items].index(item_id)).dispatch_event("click")
    expect(page.locator("#facts")).to_contain_text(item_id)
    loaded(page)


def test_hostile_texts_stay_text(run: Path, labels: Path, open_page: Opener) -> None:
    dropped = records(run, "--dropped=digit_share_above_max")
    with audit(run, "--labels", labels, "--per-rule", 1000) as served:
        page = loaded(open_page(served.url))
        choose(page, "digit_share_above_max")
        for text in HOSTILE:
            show(page, served, next(record["id"] for record in dropped if record["text"] == text))
            seen = page.locator("#text").text_content() or ""
            for hidden in HIDDEN:
                text = text.replace(hidden, f"U+{ord(hidden):04X}")
            assert seen == text
        assert "broken" not in page.title()
        assert page.locator("#text img, #text script").count() == 0
        assert page.locator("#text mark").count() > 0  # the digits
        served.close()


def test_endless_texts_are_cut_and_whole_on_demand(run: Path, labels: Path, open_page: Opener) -> None:
    longest = max(records(run, "--dropped=digit_share_above_max"), key=lambda record: len(record["text"]))
    with audit(run, "--labels", labels, "--per-rule", 1000) as served:
        page = loaded(open_page(served.url))
        choose(page, "digit_share_above_max")
        show(page, served, longest["id"])
        expect(page.locator("#note")).to_contain_text("of 3,600,000 bytes are shown")
        assert len(page.locator("#text").text_content() or "") < 40_000
        with page.context.expect_page() as opened:
            page.locator("#note a").click()
        whole = opened.value
        whole.wait_for_load_state()
        assert whole.evaluate("document.contentType") == "text/plain"
        assert whole.evaluate("document.body.textContent.length") == len(longest["text"]) == 1_600_000
        whole.close()
        press(page, "g", "1 of " + (decided(page).split(" of ")[1]))
        served.close()
    label = lines(labels)[0]
    assert label["cut"]
    assert longest["text"].startswith(label["text"])
    assert len(label["text"].encode()) > 1_000_000


def test_fits_a_phone(run: Path, labels: Path, open_page: Opener) -> None:
    with audit(run, "--labels", labels) as served:
        for locale, scheme in (("en-US", "light"), ("zh-CN", "dark")):
            page = loaded(open_page(served.url, width=400, height=800, locale=locale, color_scheme=scheme))
            assert page.evaluate("document.documentElement.scrollWidth") <= 400
            for button in ("garbage", "keep", "unsure", "undo", "previous", "next"):
                box = page.locator(f"#{button}").bounding_box()
                assert box is not None
                assert 0 <= box["x"] and box["x"] + box["width"] <= 400 and box["y"] + box["height"] <= 800
                assert box["height"] >= 36
            page.locator("#rule-select").select_option(index=1)
            loaded(page)
            page.locator("#garbage").click()
            expect(page.locator("#group-dropped .progress")).not_to_have_text(re.compile("^(0 |已判断 0)"))
        served.close()


def test_an_ended_audit_is_told(run: Path, labels: Path, open_page: Opener, browser: Any) -> None:
    with audit(run, "--labels", labels) as served:
        context = browser.new_context()
        page = context.new_page()  # its console will tell of the lost server
        page.goto(served.url)
        loaded(page)
        served.close()
        page.keyboard.press("g")
        expect(page.locator("#trouble")).to_contain_text("has ended")
        context.close()
    assert lines(labels) == []


def test_a_full_disk_is_told_and_nothing_is_half_written(run: Path, labels: Path, browser: Any) -> None:
    with audit(run, "--labels", labels, most_bytes=1500) as served:
        context = browser.new_context()
        page = context.new_page()  # its console will tell of the refused decision
        page.goto(served.url)
        choose(page, "code_points_below_min")
        saved = 0
        while not page.locator("#trouble").is_visible():
            page.keyboard.press("g")
            expect(page.locator("#trouble:visible, #group-dropped .progress:not(:text-is('"
                                f"{saved} of 30 decided'))").first).to_be_visible()
            saved += not page.locator("#trouble").is_visible()
        assert saved >= 1
        expect(page.locator("#trouble")).to_contain_text("Not saved: ")
        expect(page.locator("#trouble")).to_contain_text(str(labels))
        assert decided(page) == f"{saved} of 30 decided"
        assert len(lines(labels)) == saved
        assert labels.read_bytes().endswith(b"\n")
        context.close()
        summary = served.close()
    assert summary["decisions"] == saved
    assert "was not saved" in served.said


def test_ctrl_c_says_what_it_did(run: Path, labels: Path) -> None:
    with audit(run, "--labels", labels) as served:
        served.close()
    assert "the page is closed" in served.said
    assert "all was done" not in served.said


def test_a_run_that_dropped_nothing(corpus: Corpus, labels: Path, open_page: Opener) -> None:
    run = corpus.run("")
    with audit(run, "--labels", labels) as served:
        page = open_page(served.url)
        expect(page.locator("#trouble")).to_contain_text("nothing to audit")
        served.close()


def test_refusals(corpus: Corpus, run: Path, tmp_path: Path, labels: Path) -> None:
    command("audit", tmp_path / "none", exit_code=3)
    command("audit", run, "--per-rule", 0, exit_code=2)
    command("audit", run, "--labels", tmp_path / "no/such/labels", "--summary", exit_code=3)
    command("audit", run, "--labels", "/dev/full", exit_code=2)  # nothing would stay there
    command("audit", corpus.unfinished_run(), exit_code=2)
    with audit(run, "--labels", labels) as served:
        port = urllib.parse.urlsplit(served.url).port
        command("audit", run, "--labels", tmp_path / "other", "--port", port, exit_code=3)
        command("audit", run, "--labels", labels, exit_code=3)  # one writer at a time
        served.close()
    assert os.path.exists(labels)
