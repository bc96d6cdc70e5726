# SPDX-License-Identifier: Apache-2.0
"""Servers on loopback for these tests: each stops what it started, by its process id."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ACCESS = "testkey"
SECRET = "testsecretNEVERSHOWN"


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def answers(port: int, path: str) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False


class Gateway:
    """SeaweedFS as one S3 server."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder = folder
        identity = {"name": "test", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}],
                    "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        config = folder / "s3.json"
        config.write_text(json.dumps({"identities": [identity]}), encoding="utf-8")
        (folder / "data").mkdir()
        self.port, *ports = free_ports(8)
        # Every port is named: the gRPC ports would else be the others plus 10000.
        master, master_grpc, volume, volume_grpc, filer, filer_grpc, s3_grpc = ports
        self.log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [program, "-logtostderr=true", "server", f"-dir={folder / 'data'}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
             f"-master.port={master}", f"-master.port.grpc={master_grpc}", "-master.volumeSizeLimitMB=1024",
             "-master.telemetry=false", f"-volume.port={volume}", f"-volume.port.grpc={volume_grpc}", "-volume.max=16",
             "-volume.minFreeSpace=1", "-filer", f"-filer.port={filer}", f"-filer.port.grpc={filer_grpc}", "-s3",
             f"-s3.port={self.port}", f"-s3.port.grpc={s3_grpc}", f"-s3.config={config}", "-s3.iam=false",
             "-s3.port.iceberg=0", "-s3.port.lance=0"],
            stdout=self.log, stderr=subprocess.STDOUT, env={**os.environ, "HOME": str(folder)})
        self.address = f"127.0.0.1:{self.port}"
        end = time.monotonic() + 120
        while not answers(self.port, "/healthz"):
            if self.process.poll() is not None or time.monotonic() > end:
                self.close()
                raise RuntimeError(f"the gateway did not start; its log: {self.tail()}")
            time.sleep(0.1)

    def tail(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:]

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(3)  # what it would still flush is thrown away
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class RangeHandler(BaseHTTPRequestHandler):
    """Files of server.folder with ranges; below /norange/ without. /to/ leads to the file itself."""

    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.server.seen.append(self.path)
        path = self.path.split("?")[0]
        if path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", path.removeprefix("/to"))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        file = self.server.folder / path.removeprefix("/norange").lstrip("/")
        if not file.is_file():
            self.send_error(404)
            return
        body = file.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        total = len(body)
        if wanted and not path.startswith("/norange/"):
            first, last = int(wanted[1]), min(int(wanted[2]), total - 1)
            if first >= total:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{total}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body = body[first : last + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
        else:
            self.send_response(200)
        self.send_header("ETag", f'"{total:x}"')
        self.send_header("Last-Modified", self.date_time_string(int(file.stat().st_mtime)))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # the client had enough


class RangeServer:
    """The standard library's server with ranges; with a certificate, over TLS."""

    def __init__(self, folder: Path, certificate: Path | None = None) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), RangeHandler)
        self.server.daemon_threads = True
        self.server.folder = folder  # type: ignore[attr-defined]
        self.seen: list[str] = []
        self.server.seen = self.seen  # type: ignore[attr-defined]
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, certificate.with_suffix(".key"))
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def make_certificate(folder: Path) -> Path | None:
    """Of 127.0.0.1, signed by itself; nothing without openssl."""
    if shutil.which("openssl") is None:
        return None
    path = folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", str(path.with_suffix(".key")), "-out", str(path)],
        check=True, capture_output=True)
    return path


class Nginx:
    def __init__(self, state: Path, folder: Path) -> None:
        (self.port,) = free_ports(1)
        self.address = f"127.0.0.1:{self.port}"
        temporary = "".join(f"{name}_temp_path {state}/{name};" for name in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        (state / "nginx.conf").write_text(
            f"worker_processes 1; daemon off; pid {state}/pid; error_log {state}/log; user {user};\n"
            f"events {{ worker_connections 512; }}\n"
            f"http {{ access_log off; types {{ }} default_type application/octet-stream; {temporary}\n"
            f"  server {{ listen {self.address}; root {folder};\n"
            f"    location /norange/ {{ alias {folder}/; max_ranges 0; }} }} }}\n", encoding="utf-8")
        self.process = subprocess.Popen(["nginx", "-p", str(state), "-e", f"{state}/log", "-c", f"{state}/nginx.conf"])
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.close()
                    raise RuntimeError("nginx did not start") from None
                time.sleep(0.05)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
