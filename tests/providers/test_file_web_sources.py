"""Sources of files on web servers, beside the real Puppet where it is installed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import threading
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bunraku.apply.transaction import Options
from bunraku.modules.settings import resolve
from bunraku.providers.file.web_request import web_request
from bunraku.providers.file.web_sources import checksum_in
from bunraku.world.linux import LinuxHost
from support.applying import apply

MODIFIED = "Thu, 01 Jan 2015 00:00:00 GMT"
BODY = b"hello\n"
MD5 = b64encode(hashlib.md5(BODY, usedforsecurity=False).digest()).decode()
SHA256 = hashlib.sha256(BODY).hexdigest()
HEADERS = {
    "md5": {"content-md5": MD5, "last-modified": MODIFIED},
    "sha256": {"x-checksum-sha256": SHA256, "content-md5": MD5},
    "wrong": {"x-checksum-sha256": SHA256.replace("5", "6")},
    "time": {"last-modified": MODIFIED},
    "both": {"x-checksum-md5": hashlib.md5(BODY, usedforsecurity=False).hexdigest()},
}


class Handler(BaseHTTPRequestHandler):
    """Serves the same content with the headers of the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.removeprefix("/")
        range_ = self.headers.get("range")
        self.server.seen.append((self.command, name, range_))
        if name in ("gone", "nohead/gone") or (name.startswith("auth") and not self.allowed()):
            return self.reply(404, b"not here\n")
        if name == "moved":
            return self.reply(302, b"", {"location": "/md5"})
        if name == "bad" and self.command == "GET":
            return self.reply(500, b"broken")
        if name.startswith("nohead"):
            if self.command == "HEAD":
                return self.reply(405, b"")
            if range_:
                return self.reply(206, BODY[:1], {"x-checksum-sha256": SHA256})
        return self.reply(200, BODY, HEADERS.get(name, {}))

    do_HEAD = do_GET

    def allowed(self):
        wanted = "Basic " + b64encode(b"anna:secret").decode()
        return self.headers.get("authorization") == wanted

    def reply(self, status, body, headers=None):
        self.send_response(status)
        for name, value in {**(headers or {}), "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_arguments):
        """Print nothing."""


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as found:
        found.seen, found.daemon_threads = [], True
        found.base = f"http://127.0.0.1:{found.server_address[1]}"
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


@pytest.fixture
def run(tmp_path, server):
    """Return a function that applies a file with a source below the server."""
    host = LinuxHost()
    values = resolve({"confdir": str(tmp_path / "etc"), "ssldir": str(tmp_path / "ssl")}, "web1")
    options = Options(web=web_request(values, host, "8.0.0"))

    def call(name, more="", base=None):
        code = f"file {{ '{tmp_path}/x': source => '{base or server.base}/{name}', {more} }}"
        found = apply(host, code, options=options)
        return [line.replace(f"File[{tmp_path}/x]/", "") for line in found.changes]

    call.path = tmp_path / "x"
    return call


@pytest.mark.parametrize(
    ("name", "checksum"),
    [
        ("md5", "{md5}b1946ac92492d2347c6235b4d2611184"),
        ("both", "{md5}b1946ac92492d2347c6235b4d2611184"),
        ("sha256", "{sha256}" + SHA256),
        ("moved", "{md5}b1946ac92492d2347c6235b4d2611184"),
        ("nohead", "{sha256}" + SHA256),
        ("time", "{mtime}2015-01-01 00:00:00 UTC"),
    ],
)
def test_a_file_is_copied_once(run, server, name, checksum):
    assert run(name) == [f"ensure: defined content as '{checksum}'"]
    assert run.path.read_bytes() == BODY
    server.seen.clear()
    assert run(name) == []
    assert ("GET", name, None) not in server.seen
    if name != "time":
        run.path.write_text("changed\n")
        assert len(run(name)) == 1
        assert run.path.read_bytes() == BODY


def test_an_older_file_is_replaced(run):
    run("time")
    run.path.write_text("old\n")
    os.utime(run.path, (0, 0))
    assert run("time") == [
        (
            "content: content changed '{mtime}1970-01-01 00:00:00 +0000' to "
            "'{mtime}2015-01-01 00:00:00 UTC'"
        )
    ]
    assert run.path.read_bytes() == BODY


def test_a_file_without_a_checksum_or_a_time_is_copied_each_time(run):
    assert len(run("plain")) == 1
    os.utime(run.path, (0, 0))
    assert len(run("plain")) == 1


def test_the_requested_kind_of_checksum_comes_first(run):
    assert run("sha256", "checksum => md5") == [
        "ensure: defined content as '{md5}b1946ac92492d2347c6235b4d2611184'"
    ]


def test_a_given_checksum_needs_no_headers(run, server):
    more = f"ensure => file, checksum => sha256, checksum_value => '{SHA256}'"
    assert len(run("plain", more)) == 1
    server.seen.clear()
    assert run("plain", more) == []
    assert server.seen == []
    wrong = more.replace(SHA256, "0" * 64)
    run.path.unlink()
    assert "did not match desired checksum; discarding changes" in run("plain", wrong)[0]
    assert not run.path.exists()


def test_the_credentials_of_the_url_are_used_and_hidden(run, server):
    base = server.base.replace("//", "//anna:secret@")
    assert len(run("auth", base=base)) == 1
    found = run("auth2", base=base.replace("secret", "other"))[0]
    assert "anna:xxxxx@127.0.0.1" in found
    assert "other" not in found


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("gone", "", "Could not retrieve information from environment production source(s) BASE/gone"),
        ("nohead/gone", "", "Could not retrieve information from environment production source(s)"),
        ("bad", "", "Could not set 'file' on ensure: Error 500 on SERVER: broken"),
        ("wrong", "", "File written to disk did not match desired checksum; discarding changes"),
        ("md5", "source_permissions => use", "Got nil value for"),
        ("a b", "", 'bad URI(is not URI?): "BASE/a b"'),
    ],
)  # fmt: skip
def test_failures(run, server, name, more, message):
    found = run(name, more)
    assert len(found) == 1
    assert message.replace("BASE", server.base) in found[0]
    assert not run.path.exists()


def test_a_server_that_is_gone_is_a_failure(run):
    assert (
        "Could not retrieve file metadata for http://127.0.0.1:1/x: Connection refused"
        in (run("x", base="http://127.0.0.1:1")[0])
    )


def test_the_next_source_is_used_if_the_first_does_not_exist(run, server, tmp_path):
    sources = f"['{server.base}/gone', '{server.base}/md5']"
    apply(
        LinuxHost(),
        f"file {{ '{tmp_path}/x': source => {sources} }}",
        options=Options(),
    )
    assert run.path.read_bytes() == BODY


@pytest.mark.parametrize(
    "headers", [{"content-md5": "no base64!"}, {"last-modified": "once upon a time"}]
)
def test_malformed_headers_are_errors(headers):
    with pytest.raises(ValueError, match=r"."):
        checksum_in(headers, "sha256", 0.0)


# -- beside Puppet ---------------------------------------------------------------------------------

CASES = {
    "md5": "",
    "sha256": "",
    "both": "checksum => md5",
    "time": "",
    "nohead": "",
    "moved": "",
    "wrong": "",
    "gone": "",
    "valued": f"ensure => file, checksum => sha256, checksum_value => '{SHA256}'",
    "bad": "",
}


def manifest(folder, base):
    return "".join(
        f"file {{ '{folder}/{name}': source => '{base}/{name}', {more} }}\n"
        for name, more in CASES.items()
    )


def normal(text, folder, base):
    """Return the lines about files, without places and without what differs by design."""
    lines = text.replace(str(folder), "DIR").replace(base, "BASE").splitlines()
    return [re.sub(r" \((file: .*|line: \d+)\)$", "", line) for line in lines if "File[" in line]


def test_messages_and_exit_codes_are_those_of_puppet(server, tmp_path):
    if shutil.which("puppet") is None:
        pytest.skip("Puppet is not installed")
    commands = {
        "puppet": ["puppet", "apply", "--color=false"],
        "bunraku": [sys.executable, "-m", "bunraku", "apply", "--no-project"],
    }
    found = {}
    for name, command in commands.items():
        folder = tmp_path / name
        folder.mkdir()
        places = [f"--vardir={folder}/var"]
        if name == "puppet":
            kinds = ("conf", "code", "ssl", "public", "run", "log")
            places += [f"--{kind}dir={folder}/{kind}" for kind in kinds]
        code = manifest(folder, server.base)
        for turn in ("first", "second"):
            done = subprocess.run(
                [*command, "--detailed-exitcodes", *places, "-e", code],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
            )
            lines = normal(done.stdout + done.stderr, folder, server.base)
            found[name, turn] = done.returncode, sorted(lines)
    for turn in ("first", "second"):
        assert "\n".join(found["bunraku", turn][1]) == "\n".join(found["puppet", turn][1])
        assert found["bunraku", turn][0] == found["puppet", turn][0]
