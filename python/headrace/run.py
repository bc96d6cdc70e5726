# SPDX-License-Identifier: Apache-2.0
"""The offline half: a recipe becomes a run directory, and what can be asked of one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from headrace import _core
from headrace.errors import Corrupt, InvalidArgument

Path = str | os.PathLike[str]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class Run:
    """A run directory, made by `run` or opened: `Run("runs/x")`.

    Args:
        directory: What `run` made, finished or not.

    Attributes:
        directory: Where it is.
        shards: Folder of the manifest, for `Feed`; None when there are no shards (yet).
        validation_shards: The same of the documents that are held out for validation; None when there are none.
        report: Path of the HTML report.
        seconds: How long `run` took; None for one that was opened.
        plan: What was known before the start, by `run`; None for one that was opened.
    """

    def __init__(self, directory: Path) -> None:
        if not isinstance(directory, (str, os.PathLike)):
            raise InvalidArgument(f"headrace.Run takes the path of a run directory, not {type(directory).__name__}; "
                                  "headrace.run(recipe) makes one")
        self._take(_core.open_run(directory))

    def _take(self, found: dict[str, Any]) -> Run:
        self.directory: str = found["run"]
        self.shards: str | None = found["shards"] or None
        self.validation_shards: str | None = found["validation_shards"] or None
        self.report: str = found["report"]
        self.seconds: float | None = found.get("seconds")
        self.plan: dict[str, Any] | None = found.get("plan")
        self._projection: dict[str, Any] | None = found.get("projection")
        return self

    @classmethod
    def open(cls, directory: Path) -> Run:
        """The same as `Run(directory)`."""
        return cls(directory)

    @property
    def books(self) -> dict[str, Any]:
        """Where every record went: in = kept + dropped + quarantined, by stage, domain and source."""
        return _core.books(self.directory)

    @property
    def projection(self) -> dict[str, Any] | None:
        """What a run on a sample says of the run on everything; None for a run on everything.

        Keys: records, sampled, confidence, reasons, and as {"value", "low", "high"} kept_documents, kept_bytes, tokens,
        disk_bytes and seconds; seconds is None but in what `headrace.run` returns for a sample that it did whole.
        """
        return self._projection or _core.projection(self.directory)

    def documents(self, kept: bool = True, *, reason: str | None = None, quarantined: bool = False,
                  limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Iterates over the records in the order of their ids, read ahead by a thread; the memory stays bounded.

        Args:
            kept: False gives the dropped.
            reason: Of the dropped, only those with this reason.
            quarantined: Those that could not be decoded, in place of the others.
            limit: At most so many.

        Yields:
            Dicts with id, domain, source, offset, line (None where there are no lines), text, meta (the other fields),
            scores ({name: {"value", "label"}} of the models that the document came to; a value is None where there is none),
            for what was not kept reason, value (what the rule saw) and detail (each None where there is none), and
            split: "training" or "validation", None for a recipe without `mix.validation`.
        """
        if reason is not None and (kept or quarantined):
            raise InvalidArgument("documents: reason goes with kept=False: only dropped documents have one")
        what = "quarantined" if quarantined else "kept" if kept else "dropped"
        for record in _core.RecordStream(self.directory, what, reason or "", limit):
            record["meta"] = json.loads(record["meta"]) if record["meta"] else {}
            record["value"] = _number(record["value"])
            for key in ("line", "reason", "detail"):
                record[key] = record[key] or None
            yield record

    def judge(self, recipe: Path | None = None, *, threads: int = 0) -> dict[str, Any]:
        """Judges again by the kept columns, with the thresholds of another recipe; no text is read."""
        return _core.judge_run(self.directory, recipe, threads)

    def explain(self, id: str) -> dict[str, Any]:
        """One document's story: source, text before and after, measures, verdict with the rules it breaks, duplicates."""
        story = _core.explain(self.directory, id)
        story["meta"] = json.loads(story["meta"]) if story["meta"] else {}
        return story

    def __repr__(self) -> str:
        return f"headrace.Run({self.directory!r})"


def run(recipe: Path, *, output: Path | None = None, sample: float | None = None, replace: bool = False, threads: int = 0,
        dry_run: bool = False, progress: bool = False) -> Run:
    """Does what a recipe says. Run again, it resumes: only what has no valid commit is done.

    Ctrl-C stops it between two records; what was committed stays valid.

    Args:
        recipe: The recipe file.
        output: The run directory; None takes the recipe's.
        sample: Share of the documents, (0, 1], keyed by the recipe's seed.
        replace: A run of other sources, or of another sample, that stands in `output` may be replaced.
        threads: 0 takes the recipe's limit, else all CPUs. Speed only.
        dry_run: Checks all that can be known at the start and writes nothing; see `Run.plan`.
        progress: Shows it on standard error.

    Raises:
        InvalidArgument: The recipe is wrong; all faults at once.
        Corrupt: The books do not balance: records were lost. `Run.open(output).books` shows where.
    """
    result = _core.run(recipe, output or "", sample, replace, threads, dry_run, progress)
    if not dry_run and not result["books"]["balanced"]:
        raise Corrupt(f"run {result['run']}: the books do not balance: in is not kept + dropped + quarantined; "
                      f"look at headrace.Run.open({result['run']!r}).books")
    return Run.__new__(Run)._take(result)
