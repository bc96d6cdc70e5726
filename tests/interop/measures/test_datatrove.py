# SPDX-License-Identifier: Apache-2.0
"""datatrove's filters, unchanged, and our columns.

A filter says keep or drop, not the value. So it is asked twice, with a bound just above our value and one just below:
it must keep, then drop. Where a definition differs on purpose, one test shows on which input it does.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from conftest import Values, measure, plain_words
from datatrove.data import Document
from datatrove.pipeline.filters import (
    C4ParagraphFilter,
    C4QualityFilter,
    FineWebQualityFilter,
    GopherQualityFilter,
    GopherRepetitionFilter,
)
from datatrove.pipeline.filters import gopher_quality_filter as quality
from datatrove.pipeline.filters import gopher_repetition_filter as repetition
from datatrove.pipeline.filters.gopher_repetition_filter import find_duplicates

Pages = list[tuple[str, Values]]
TINY = 1e-9
PIECE_WORDS = 16_384  # longer texts are measured in pieces of as many words


@pytest.fixture(autouse=True)
def words_between_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    """spaCy's and nltk's models are downloads. Texts of plain words have the same words without them."""
    for module in (quality, repetition):
        monkeypatch.setattr(module, "split_into_words", lambda text, _: text.split())


def drops(made: GopherQualityFilter | GopherRepetitionFilter, text: str) -> str | None:
    verdict = made.filter(Document(text=text, id="0"))
    return None if verdict is True else verdict[1]


def assert_value(make: Callable[[float], object], text: str, value: float) -> None:
    """The filter that `make` makes with a bound, above which it drops, sees `value` in the text."""
    assert drops(make(value + TINY), text) is None
    if value > 2 * TINY:
        assert drops(make(value - TINY), text) is not None


def only_repetition(**bounds: object) -> GopherRepetitionFilter:
    nothing = {"dup_line_frac": None, "dup_para_frac": None, "dup_line_char_frac": None, "dup_para_char_frac": None}
    return GopherRepetitionFilter(**(nothing | {"top_n_grams": (), "dup_n_grams": ()} | bounds))


def only_quality(**bounds: object) -> GopherQualityFilter:
    names = ("min_doc_words", "max_doc_words", "min_avg_word_length", "max_avg_word_length", "max_symbol_word_ratio",
             "max_bullet_lines_ratio", "max_ellipsis_lines_ratio", "max_non_alpha_words_ratio", "min_stop_words")
    return GopherQualityFilter(**(dict.fromkeys(names) | bounds))


def without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line)


@pytest.mark.parametrize(
    ("bound", "column"),
    [
        ("dup_line_frac", "repeated_line_share"),
        ("dup_line_char_frac", "repeated_line_char_share"),
        ("dup_para_frac", "repeated_paragraph_share"),
        ("dup_para_char_frac", "repeated_paragraph_char_share"),
    ],
)
def test_repeated_lines_and_paragraphs(pages: Pages, bound: str, column: str) -> None:
    for text, ours in pages:
        assert_value(lambda value: only_repetition(**{bound: value}), text, ours[column])
    if column.startswith("repeated_line"):
        assert sum(ours[column] > 0 for _, ours in pages) >= 10


def test_paragraphs_that_repeat() -> None:
    text = "One.\nTwo.\n\nThree.\n\nOne.\nTwo.\n\n\nThree.\n\nFour."
    (ours,) = measure([text])
    assert ours["repeated_paragraph_share"] == 2 / 5
    assert_value(lambda value: only_repetition(dup_para_frac=value), text, 2 / 5)
    assert_value(lambda value: only_repetition(dup_para_char_frac=value), text, ours["repeated_paragraph_char_share"])


def test_lines_differ_by_the_white_space_around_them() -> None:
    text = " a\na\n\t\n\t\nb\n"
    (ours,) = measure([text])
    assert ours["repeated_line_share"] == 1 / 3
    # " a" and "a" differ there, two lines of a tab are a repeat, and the last newline ends in an empty line.
    assert_value(lambda value: only_repetition(dup_line_frac=value), text, 1 / 6)


def test_white_space_between_paragraphs_parts_them() -> None:
    text = "a\n \na"
    (ours,) = measure([text])
    assert ours["repeated_paragraph_share"] == 1 / 2
    assert_value(lambda value: only_repetition(dup_para_frac=value), text, 0)


def test_fineweb_lines(pages: Pages) -> None:
    made = FineWebQualityFilter()
    for text, ours in pages:
        lines = [line for line in text.split("\n") if line]
        assert ours["line_count"] == len(lines)
        assert ours["short_line_share"] == sum(len(line) <= made.short_line_length for line in lines) / len(lines)
        assert round(ours["repeated_line_char_share"] * len(text)) == find_duplicates(lines)[1]
        if ours["words"]:
            assert round(ours["newlines_per_word"] * ours["words"]) == text.count("\n")


def test_fineweb_filter_itself(pages: Pages) -> None:
    """The verdict of the whole filter, for the rule that comes before the words."""
    for text, ours in pages:
        above, below = (FineWebQualityFilter(line_punct_thr=0, short_line_thr=ours["short_line_share"] + d) for d in
                        (TINY, -TINY))
        made = Document(text=text, id="0")
        for each in (above, below):
            each.char_duplicates_ratio = -1  # the rule behind: drops whatever this one keeps
        assert above.filter(made)[1] == "char_dup_ratio"
        assert below.filter(made)[1] == "short_line_ratio"


def without_closers(line: str) -> str:
    while len(line) > 1 and (line[-1] in "\"'" or unicodedata.category(line[-1]) in ("Pe", "Pf")):
        line = line[:-1]
    return line


def test_end_marks(pages: Pages) -> None:
    """Equal where lines end in none of the characters that differ; with these differences made up for, everywhere."""
    stops = set(FineWebQualityFilter().stop_chars)
    same = 0
    for text, ours in pages:
        lines = [line for line in text.split("\n") if line]
        theirs = sum(line.endswith(tuple(stops)) for line in lines)
        if all(without_closers(line) == line and line[-1] not in "…；" for line in lines):
            assert ours["end_mark_line_share"] == theirs / len(lines)
            same += 1
        ends = stops | set("…；")
        assert ours["end_mark_line_share"] == sum(without_closers(line)[-1] in ends for line in lines) / len(lines)
    assert same > 20


def test_end_marks_differ_behind_closers_and_for_the_ellipsis() -> None:
    stops = FineWebQualityFilter().stop_chars
    for line, ours in (("他说：“走。”", 1), ("“Go.”", 1), ("等等……", 1), ("第一；", 1)):
        assert measure([line])[0]["end_mark_line_share"] == ours
        assert not line.endswith(stops)
    assert measure(["走了．"])[0]["end_mark_line_share"] == 1 and "走了．".endswith(stops)


@pytest.mark.parametrize(
    ("bound", "column"), [("max_bullet_lines_ratio", "bullet_line_share"), ("max_ellipsis_lines_ratio", "ellipsis_line_share")]
)
def test_bullets_and_ellipses(pages: Pages, bound: str, column: str) -> None:
    """It counts blank lines too: here are none."""
    kept = [without_blank_lines(text) for text, _ in pages]
    seen = 0
    for text, ours in zip(kept, measure(kept), strict=True):
        if column == "bullet_line_share" and any(line[0] in "*‣⁃·●○◦▪▫■□◆◇★☆▶►➢" for line in text.split("\n")):
            continue
        assert_value(lambda value: only_quality(**{bound: value}), text, ours[column])
        seen += 1
    assert seen > len(kept) / 2


def test_bullets_differ_in_signs_and_blank_lines() -> None:
    text = "• a\n\n* b\n● c\n"
    (ours,) = measure([text])
    assert ours["bullet_line_share"] == 1
    assert_value(lambda value: only_quality(max_bullet_lines_ratio=value), text, 1 / 4)


def c4(**options: object) -> C4QualityFilter:
    return C4QualityFilter(min_num_sentences=-1, filter_lorem_ipsum=False, filter_curly_bracket=False, **options)


def keeps_line(made: C4QualityFilter, line: str) -> bool:
    document = Document(text=line, id="0")
    made.filter(document)
    return document.text != ""


def has_han(line: str) -> bool:
    return any("CJK" in unicodedata.name(c, "") and unicodedata.category(c) == "Lo" or c in "々〇" for c in line)


def test_c4_keeps_the_same_lines(pages: Pages) -> None:
    made = c4(remove_citations=False)
    lines = sorted({line for text, _ in pages for line in text.split("\n") if line and line[-1].isascii()})
    lines = [line for line in lines if not has_han(line)]
    kept = 0
    for line, ours in zip(lines, measure(lines), strict=True):
        theirs = keeps_line(made, line)
        assert ours["c4_line_share"] == theirs, line
        kept += theirs
    assert kept > 0 or len(lines) < 100


def test_c4_differs_for_chinese_and_for_citations() -> None:
    for line in ("今天天气很好，我们去爬山吧！", "他说：“我们现在走吧。”", "It ends in a dash and “quotes”"):
        assert measure([line])[0]["c4_line_share"] == 1
        assert not keeps_line(c4(), line)
    for line in ("As was shown before.[1]",):
        assert measure([line])[0]["c4_line_share"] == 0
        assert keeps_line(c4(), line)
    for line in ("请看我们的隐私政策 privacy here.", "本站的服务条款 is here for you."):
        assert measure([line])[0]["c4_line_share"] == 0
        assert keeps_line(c4(), line)


def test_c4_paragraphs(pages: Pages) -> None:
    made = C4ParagraphFilter()
    for text, ours in pages:
        assert (ours["long_lines"] >= made.min_paragraphs) == made.paragraph_filter(text)


def test_words_are_the_same_in_plain_text(word_pages: Pages) -> None:
    for text, ours in word_pages:
        assert ours["words"] == len(text.split())
        assert ours["code_points"] == len(text)


def of_one_piece(word_pages: Pages) -> Pages:
    kept = [(text, ours) for text, ours in word_pages if ours["words"] <= PIECE_WORDS]
    assert len(kept) > 0.9 * len(word_pages)
    return kept


@pytest.mark.parametrize("n", [2, 3, 4])
def test_top_ngrams(word_pages: Pages, n: int) -> None:
    for text, ours in of_one_piece(word_pages):
        value = ours[f"top_word_{n}gram_share"]
        if len(text.split()) < n:
            assert value is None
            continue
        assert_value(lambda bound: only_repetition(top_n_grams=((n, bound),)), text, value)  # noqa: B023


@pytest.mark.parametrize("n", range(5, 11))
def test_duplicate_ngrams(word_pages: Pages, n: int) -> None:
    """Its n-grams are joined without blanks, so "1 11" is "11 1": a few texts of numbers have a little more there."""
    joined_differently = 0
    for text, ours in of_one_piece(word_pages):
        value = ours[f"dup_word_{n}gram_share"]
        words = text.split()
        if len(words) < n:
            assert value is None
            continue
        grams = {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}
        if len({"".join(gram) for gram in grams}) < len(grams):
            joined_differently += 1
            continue
        assert_value(lambda bound: only_repetition(dup_n_grams=((n, bound),)), text, value)  # noqa: B023
    assert joined_differently < len(word_pages) / 20


def test_duplicate_ngrams_differ_where_the_join_lies() -> None:
    text = "1 11 a b c 11 1 a b c"
    (ours,) = measure([text])
    assert ours["dup_word_5gram_share"] == 0
    assert_value(lambda value: only_repetition(dup_n_grams=((5, value),)), text, 6 / len(text))


def test_a_copy_in_another_piece_counts_there_only() -> None:
    words = " ".join(f"w{i}" for i in range(PIECE_WORDS))
    (once, twice) = measure([words, f"{words} {words}"])
    assert once["dup_word_5gram_share"] == twice["dup_word_5gram_share"] == 0
    assert drops(only_repetition(dup_n_grams=((5, 0.4),)), f"{words} {words}") is not None


def test_words_of_gopher(word_pages: Pages) -> None:
    for i, (text, ours) in enumerate(word_pages):
        assert_value(lambda value: only_quality(max_avg_word_length=value), text, ours["mean_word_length"])
        share = ours["alphabetic_word_share"]  # a minimum, whatever its name says
        assert drops(only_quality(max_non_alpha_words_ratio=share - TINY), text) is None
        if i % 10 == 0:
            assert drops(only_quality(max_non_alpha_words_ratio=share + TINY), text) is not None
        marked = f"# {text} ... {text}… #b"
        (ours_marked,) = measure([marked])
        words = len(plain_words(marked).split())
        assert ours_marked["hash_per_word"] * words == pytest.approx(2)
        assert ours_marked["ellipsis_per_word"] * words == pytest.approx(2)
