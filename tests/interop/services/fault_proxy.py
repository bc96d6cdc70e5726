# SPDX-License-Identifier: Apache-2.0
"""An HTTP proxy on loopback that spoils answers by rules.

Requests are passed on as they are, the Host header too, so that the signature of an S3 request stays valid. Rules are
set in this process; the first that matches a request is applied. One thread, one event loop.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

BLOCK = 1 << 18


@dataclass
class Rule:
    """What happens to requests whose "METHOD target" matches."""

    match: str
    status: int = 0  # answer with it instead of asking the server
    retry_after: int = 0
    truncate: int = -1  # end the connection after so many bytes of the body
    reset: int = -1  # the same by a TCP reset
    latency: float = 0  # seconds before anything happens; with nothing else, the request is then served
    each: int = 1 << 60  # times that the same request (with the same range) is hit
    hits: int = field(default=0, init=False)
    of_request: Counter[str] = field(default_factory=Counter, init=False)

    def takes(self, line: str, byte_range: str) -> bool:
        if re.search(self.match, line) is None or self.of_request[line + byte_range] >= self.each:
            return False
        self.of_request[line + byte_range] += 1
        self.hits += 1
        return True


def header(head: bytes, name: str) -> str:
    found = re.search(rb"(?im)^" + name.encode() + rb":\s*(.*?)\s*$", head)
    return found.group(1).decode("latin-1") if found else ""


class Cut(Exception):
    """The connection to the client ends here."""


class FaultProxy:
    def __init__(self, upstream: str) -> None:
        host, port = upstream.removeprefix("http://").rsplit(":", 1)
        self.upstream = (host, int(port))
        self.rules: list[Rule] = []
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self._serve, args=(started,), daemon=True)
        self.thread.start()
        started.wait()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def _serve(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._client, "127.0.0.1", 0))
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        started.set()
        self.loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                upstream = upstream or await asyncio.open_connection(*self.upstream)
                await self._one(head, reader, writer, *upstream)
        except (Cut, ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            if upstream is not None:
                upstream[1].close()

    def _rule(self, line: str, head: bytes) -> Rule:
        byte_range = header(head, "Range")
        return next((rule for rule in self.rules if rule.takes(line, byte_range)), Rule(match=""))

    async def _one(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                   server: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        line = head.split(b" HTTP/", 1)[0].decode("latin-1")
        rule = self._rule(line, head)
        if rule.latency > 0:
            await asyncio.sleep(rule.latency)
        expects = header(head, "Expect").lower() == "100-continue"
        if rule.status:
            if not expects:
                await self._body(head, reader, None)
            self._refuse(rule, line, writer)
            await writer.drain()
            raise Cut
        to_server.write(head)
        if expects:
            answer = await server.readuntil(b"\r\n\r\n")
            writer.write(answer)
            if b" 100 " in answer.split(b"\r\n", 1)[0] + b" ":
                await self._body(head, reader, to_server)
                answer = await server.readuntil(b"\r\n\r\n")
                writer.write(answer)
        else:
            await self._body(head, reader, to_server)
            answer = await server.readuntil(b"\r\n\r\n")
            writer.write(answer)
        status = int(answer.split(b" ", 2)[1])
        if not line.startswith("HEAD ") and status not in (204, 304):
            await self._body(answer, server, writer, rule)
        await writer.drain()
        if "close" in header(head, "Connection").lower() + header(answer, "Connection").lower():
            raise Cut

    @staticmethod
    def _refuse(rule: Rule, line: str, writer: asyncio.StreamWriter) -> None:
        code = {503: "SlowDown", 500: "InternalError", 429: "TooManyRequests"}.get(rule.status, "Error")
        body = f"<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>injected</Message></Error>".encode()
        after = f"Retry-After: {rule.retry_after}\r\n" if rule.retry_after else ""
        writer.write(f"HTTP/1.1 {rule.status} Injected\r\nContent-Type: application/xml\r\nConnection: close\r\n"
                     f"{after}Content-Length: {len(body)}\r\n\r\n".encode())
        if not line.startswith("HEAD "):
            writer.write(body)

    async def _body(self, head: bytes, source: asyncio.StreamReader, target: asyncio.StreamWriter | None,
                    rule: Rule | None = None) -> None:
        sent = 0
        cut = max(rule.truncate, rule.reset) if rule else -1
        async for data, payload in self._chunks(head, source):
            if target is None:
                continue
            if payload and 0 <= cut < sent + len(data):
                target.write(data[: cut - sent])
                await target.drain()
                if rule is not None and rule.reset >= 0:
                    linger = struct.pack("ii", 1, 0)  # a close then sends a reset
                    target.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                raise Cut
            sent += len(data) if payload else 0
            target.write(data)
            await target.drain()

    @staticmethod
    async def _chunks(head: bytes, source: asyncio.StreamReader) -> AsyncIterator[tuple[bytes, bool]]:
        """Pairs: bytes to pass on, and whether they are of the body itself."""
        if "chunked" in header(head, "Transfer-Encoding").lower():
            while True:
                size = await source.readline()
                yield size, False
                length = int(size.split(b";")[0], 16)
                if length == 0:
                    while True:
                        trailer = await source.readline()
                        yield trailer, False
                        if trailer in (b"\r\n", b""):
                            return
                yield await source.readexactly(length), True
                yield await source.readexactly(2), False
        left = int(header(head, "Content-Length") or 0)
        while left:
            data = await source.read(min(left, BLOCK))
            if not data:
                raise Cut
            left -= len(data)
            yield data, True
