"""The resource type archive: downloads that leave nothing half done, and secrets."""

from __future__ import annotations

import os
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.providers.archive.curl import ONE_STEP
from bunraku.providers.archive.extraction import extract_command
from bunraku.providers.errors import ResourceFailure
from bunraku.values.sensitive import Sensitive
from bunraku.world.linux import LinuxHost
from support.applying import Applied, apply
from support.host import Expected, MemoryHost, directory

SECRET = Sensitive("pass:word1")
BASIC = "Basic YW5uYTpwYXNzOndvcmQx"
CURL = "/usr/bin/curl"
SENT = ("X-Token", "Cookie", "Accept")
SECRET_PATHS = ("/moved", "/elsewhere", "/whole")


class Handler(BaseHTTPRequestHandler):
    """Answers by the path of the request."""

    def do_GET(self):
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        if self.path in SECRET_PATHS:
            self.server.sent[self.path] = {name: self.headers.get(name) for name in SENT}
        moved = {
            "/loop": "/loop",
            "/file": "file:///etc/passwd",
            "/moved": "/elsewhere",
            "/elsewhere": f"http://localhost:{self.server.server_address[1]}/whole",
        }
        if self.path in moved:
            self.send_response(308)
            self.send_header("Location", moved[self.path])
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", "9")
        self.end_headers()
        self.wfile.write(b"short" if self.path == "/short" else b"wholefile")

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.seen = []
    made.sent = {}
    threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def archive(host, path: str, **parameters: object) -> Applied:
    """Apply one archive."""
    resource = {"type": "Archive", "title": path, "parameters": parameters}
    return apply(host, Catalog({"name": "host", "resources": [resource]}))


def messages(done: Applied) -> list[str]:
    """Return the messages of the events."""
    return [event.message for event in done.report.events()]


def url(server: ThreadingHTTPServer, path: str) -> str:
    """Return a URL of the server."""
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/short", "ends early"),
        ("/loop", "Redirect limit exceeded"),
        ("/file", "A redirect to file:///etc/passwd is not followed"),
    ],
)
def test_nothing_is_left_of_a_download_that_fails(server, tmp_path: Path, path, reason) -> None:
    done = archive(LinuxHost(), f"{tmp_path}/new/a", source=url(server, path), provider="ruby")

    assert reason in messages(done)[0]
    assert os.listdir(tmp_path) == []


def test_a_wrong_checksum_removes_the_old_archive_too(server, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    done = archive(
        LinuxHost(), f"{tmp_path}/a", source=url(server, "/moved"), provider="ruby",
        checksum="0" * 32, checksum_type="md5",
    )  # fmt: skip

    assert "Download file checksum mismatch" in messages(done)[0]
    assert os.listdir(tmp_path) == []


def test_credentials_are_not_sent_to_another_host(server, tmp_path: Path) -> None:
    archive(
        LinuxHost(), f"{tmp_path}/a", source=url(server, "/moved"), provider="ruby",
        username="anna", password=SECRET,
    )  # fmt: skip

    assert server.seen == [("/moved", BASIC), ("/elsewhere", BASIC), ("/whole", None)]
    assert (tmp_path / "a").read_text() == "wholefile"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("provider", ["ruby", "curl", "wget"])
def test_another_server_gets_only_harmless_headers(server, tmp_path: Path, provider: str) -> None:
    if provider != "ruby" and shutil.which(provider) is None:
        pytest.skip(f"{provider} is not installed")
    done = archive(
        LinuxHost(), f"{tmp_path}/a", source=url(server, "/moved"), provider=provider,
        headers=["X-Token: t0ken", "Accept: text/plain"], cookie="a=b",
    )  # fmt: skip

    whole = {"X-Token": "t0ken", "Cookie": "a=b", "Accept": "text/plain"}
    harmless = {"X-Token": None, "Cookie": None, "Accept": "text/plain"}
    assert done.report.failures == 0
    assert server.sent == {"/moved": whole, "/elsewhere": whole, "/whole": harmless}
    assert (tmp_path / "a").read_text() == "wholefile"


@pytest.mark.parametrize("provider", ["curl", "wget"])
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/loop", "Redirect limit exceeded"),
        ("/file", "A redirect to file:///etc/passwd is not followed"),
    ],
)
def test_a_program_with_secrets_follows_no_other_redirect(
    server, tmp_path: Path, provider: str, path: str, reason: str
) -> None:
    if shutil.which(provider) is None:
        pytest.skip(f"{provider} is not installed")
    done = archive(
        LinuxHost(), f"{tmp_path}/a", source=url(server, path), provider=provider,
        headers=["X-Token: t0ken"],
    )  # fmt: skip

    assert reason in messages(done)[0]
    assert os.listdir(tmp_path) == []


def test_an_option_of_curl_trusts_all_servers(server, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    archive(
        LinuxHost(), f"{tmp_path}/a", source=url(server, "/moved"), provider="curl",
        headers=["X-Token: t0ken"], download_options=["--location-trusted"],
    )  # fmt: skip

    assert server.sent["/whole"]["X-Token"] == "t0ken"


def test_curl_gets_secrets_on_standard_input() -> None:
    fixed = ("-o", "/opt/.bunraku-1.new", "-fsSLg", "--max-redirs", "5", "--retry", "3")
    words = (CURL, "-K", "-", *fixed, *ONE_STEP)
    fails = Expected(words, code=22, errors="curl: (22) 404")
    host = MemoryHost({"/opt": directory()}, commands=[fails], installed=["curl"])

    done = archive(
        host, "/opt/a", source="https://u:pw1234@web/a", username="anna", password=SECRET,
        headers=["X-Token: t0ken"], download_options=["--retry", "3"],
    )  # fmt: skip

    assert host.ran[0].content.decode().splitlines() == [
        'url = "https://u:pw1234@web/a"',
        'header = "X-Token: t0ken"',
        'user = "anna:pass:word1"',
    ]
    shown = " ".join((CURL, "https://u:xxxxx@web/a", *fixed))
    reason = f"Execution of '{shown}' returned 22: curl: (22) 404"
    assert messages(done) == [f"change from 'absent' to 'present' failed: {reason}"]
    assert host.list_directory("/opt") == []


@pytest.mark.parametrize(
    ("path", "custom", "flags", "line"),
    [
        ("/a b.tar", None, None, r"tar xf /a\ b.tar"),
        ("/a.txz", None, {"tar": "xpf"}, "unxz  /a.txz | tar xpf -"),
        ("/a.tar.gz", None, "xzpf", "tar xzpf /a.tar.gz"),
        ("/a;b.zip", "unzip -q %s -d /x", None, r"unzip -q /a\;b.zip -d /x"),
        ("/a", "ar x", "v", "ar x v /a"),
    ],
)
def test_commands(path, custom, flags, line) -> None:
    assert extract_command(path, custom, flags) == line


@pytest.mark.parametrize(
    ("path", "custom", "flags"),
    [("/a.zst", None, None), ("/a.tar", None, ["x"]), ("/a", "x %s %s", None)],
)
def test_no_command(path, custom, flags) -> None:
    with pytest.raises(ResourceFailure):
        extract_command(path, custom, flags)


@pytest.mark.parametrize(
    "parameters",
    [
        {"source": ["http://a"]},
        {"checksum": 5},
        {"headers": {}},
        {"proxy_server": "10.0.0.1"},
        {"download_options": 1},
    ],
)
def test_wrong_values(parameters) -> None:
    with pytest.raises(PuppetError):
        archive(MemoryHost(), "/opt/a", **parameters)


def test_a_path_may_lead_through_a_directory_that_is_missing(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"content")
    title = f"{tmp_path}/missing/../copy"
    resource = {"type": "Archive", "title": title, "parameters": {"source": str(source)}}
    done = apply(LinuxHost(), Catalog({"name": "node", "resources": [resource], "edges": []}))
    assert done.report.failures == 0
    assert (tmp_path / "copy").read_bytes() == b"content"
