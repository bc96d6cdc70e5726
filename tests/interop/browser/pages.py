# SPDX-License-Identifier: Apache-2.0
"""What the browser tests and tools/screenshots.py share: the command, the audit as a process, chromium."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright


expect.set_options(timeout=20_000)  # a busy disk takes its time to say that a decision is on it


def command(*arguments: object, exit_code: int = 0) -> str:
    done = subprocess.run([os.environ["HEADRACE_COMMAND"], *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=300)
    assert done.returncode == exit_code, f"exit {done.returncode}, not {exit_code}: {done.stderr}"
    return done.stdout


def command_json(*arguments: object) -> Any:
    return json.loads(command(*arguments, "--json"))


class Audit:
    """`headrace audit --json` of a run, served until close(). `most_bytes` limits the files that it may write, as a full
    disk does."""

    def __init__(self, run: Path, *options: object, cwd: Path | None = None, most_bytes: int | None = None) -> None:
        def limit() -> None:
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        self.process = subprocess.Popen(
            [os.environ["HEADRACE_COMMAND"], "audit", str(run), "--json", "--by", "tester", *map(str, options)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, preexec_fn=limit)
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().strip()
        if not self.url.startswith("http://127.0.0.1:"):
            self.process.kill()
            raise RuntimeError(f"the audit did not start: {self.url} {self.process.stderr.read()}")

    def close(self) -> dict[str, Any]:
        """As Ctrl-C does. Returns the summary."""
        self.process.send_signal(signal.SIGINT)
        out, self.said = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, self.said
        result: dict[str, Any] = json.loads(out)
        return result


@contextmanager
def audit(run: Path, *options: object, cwd: Path | None = None, most_bytes: int | None = None) -> Iterator[Audit]:
    one = Audit(run, *options, cwd=cwd, most_bytes=most_bytes)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["HEADRACE_CHROMIUM"], headless=True,
                                             args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()


def loaded(page: Page) -> Page:
    """An audit page that shows a document, its text included."""
    expect(page.locator("#facts dd").last).to_have_text(re.compile(r"\d (bytes|字节)$"), timeout=20_000)
    return page
