# SPDX-License-Identifier: Apache-2.0
"""dolma's Gopher attributes (gopher_v2: lines that are not empty) and C4 attributes, unchanged, and our columns."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import Values, measure
from dolma.taggers.c4 import get_attributes as c4_attributes
from dolma.taggers.gopher import get_attributes

Pages = list[tuple[str, Values]]


def test_lines(pages: Pages) -> None:
    bullets = ellipses = 0
    for text, ours in pages:
        theirs = get_attributes(text, ignore_empty_lines=True)
        lines = [line for line in text.split("\n") if line]
        assert ours["code_points"] == theirs.character_count or theirs.character_count == 0
        if not any(line[0] in "•‣⁃·●○◦▪▫■□◆◇★☆▶►➢" for line in lines):
            assert ours["bullet_line_share"] == theirs.fraction_of_lines_starting_with_bullet_point
            bullets += 1
        if not any(line.endswith("...") for line in lines):
            assert ours["ellipsis_line_share"] == theirs.fraction_of_lines_ending_with_ellipsis
            ellipses += 1
    assert min(bullets, ellipses) > len(pages) / 4


def test_repeated_lines_leave_out_the_first(pages: Pages) -> None:
    """dolma counts all lines of a group of equal ones, we its copies: the difference is one a group."""
    for text, ours in pages:
        lines = Counter(line for line in text.split("\n") if line)
        total = sum(lines.values())
        theirs = get_attributes(text, ignore_empty_lines=True).fraction_of_duplicate_lines
        groups = sum(count > 1 for count in lines.values())
        assert round(theirs * total) == round(ours["repeated_line_share"] * total) + groups


def test_repeated_lines_differ() -> None:
    text = "a\na\nb"
    assert measure([text])[0]["repeated_line_share"] == 1 / 3
    theirs = get_attributes(text, ignore_empty_lines=True)
    assert theirs.fraction_of_duplicate_lines == 2 / 3
    # Characters: ours per code point of the text, theirs per code point that is not white space.
    assert measure([text])[0]["repeated_line_char_share"] == 1 / 5
    assert theirs.fraction_of_characters_in_duplicate_lines == 2 / 3


def test_ellipses_differ() -> None:
    text = "And so...\nAnd on…"
    assert measure([text])[0]["ellipsis_line_share"] == 1
    assert get_attributes(text).fraction_of_lines_ending_with_ellipsis == 1 / 2


def test_words(word_pages: Pages) -> None:
    for text, ours in word_pages:
        theirs = get_attributes(text)
        assert ours["words"] == theirs.word_count
        assert ours["median_word_length"] == theirs.median_word_length
        assert ours["alphabetic_word_share"] == theirs.fraction_of_words_with_alpha_character


def test_c4_lines(pages: Pages) -> None:
    """Its two line rules together keep the lines that ours keeps, but for an ellipsis, a phrase, and the mark '."""
    lines = sorted({line for text, _ in pages for line in text.split("\n") if line})
    lines = [line for line in lines if line.isascii()]
    same = 0
    for line, ours in zip(lines, measure(lines), strict=True):
        theirs = c4_attributes(line)
        kept = not theirs.lines_with_no_ending_punctuation and not theirs.lines_with_too_few_words
        if ours["c4_line_share"] and not line.endswith("'"):
            assert kept, line
        if kept and not ours["c4_line_share"]:
            words = ("javascript", "terms of use", "privacy policy", "cookie policy", "cookies")
            assert line.endswith("...") or any(word in line.lower() for word in words), line
        same += kept == bool(ours["c4_line_share"])
    assert same >= 0.7 * len(lines)


@pytest.mark.parametrize(("line", "ours"), [("今天天气很好，我们去爬山吧！", 1), ("To be continued, he said...", 0)])
def test_c4_lines_differ(line: str, ours: int) -> None:
    assert measure([line])[0]["c4_line_share"] == ours
    theirs = c4_attributes(line)
    assert bool(theirs.lines_with_no_ending_punctuation) == bool(ours)
