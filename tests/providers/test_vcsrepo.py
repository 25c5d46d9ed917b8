"""The resource type vcsrepo: few commands, nothing half done, secrets."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bunraku.apply.report_format import report_yaml
from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.providers.vcsrepo.git_references import References
from bunraku.world.host import Command, Finished
from bunraku.world.linux import LinuxHost
from support.applying import Applied, apply
from support.host import MemoryHost

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
VARIABLES = {
    **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


class Watched(LinuxHost):
    """This machine, with the commands that ran."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[Command] = []

    def execute(self, command: Command) -> Finished:
        """Note a command and run it."""
        self.ran.append(command)
        return super().execute(command)


def repository(host, path: Path | str, **parameters: object) -> Applied:
    """Apply one repository of Git."""
    values = {"provider": "git", "ensure": "present", **parameters}
    resource = {"type": "Vcsrepo", "title": str(path), "parameters": values}
    return apply(host, Catalog({"name": "host", "resources": [resource]}), level="debug")


def messages(done: Applied) -> list[str]:
    """Return the messages of the events."""
    return [event.message for event in done.report.events()]


def all_texts(done: Applied) -> str:
    """Return the log and the report of a run."""
    return "\n".join([*done.lines, report_yaml(done.report)])


def git(*words: str, at: Path) -> str:
    """Run Git in a directory and return its output."""
    environment = {**os.environ, **VARIABLES}
    done = subprocess.run(
        ["git", *words], cwd=at, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Return a repository with one commit on the branch ``main``."""
    path = tmp_path / "origin"
    path.mkdir()
    git("init", "-q", "-b", "main", at=path)
    (path / "file").write_text("one\n")
    git("add", "file", at=path)
    git("commit", "-qm", "one", at=path)
    return path


@needs_git
def test_a_copy_that_is_right_takes_few_commands(origin: Path, tmp_path: Path) -> None:
    copy, host = tmp_path / "copy", Watched()
    assert messages(repository(host, copy, source=str(origin))) == ["created"]

    host.ran.clear()
    assert messages(repository(host, copy, source=str(origin))) == []
    assert [one.words[1] for one in host.ran] == ["config"]

    host.ran.clear()
    wanted = {"revision": "main", "ensure": "latest"}
    assert messages(repository(host, copy, source=str(origin), **wanted)) == []
    assert len(host.ran) <= 5


@needs_git
def test_a_failed_copy_leaves_nothing_and_the_old_files(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy/old").write_text("old")
    host = LinuxHost()

    done = repository(host, tmp_path / "copy", source="/nonexistent", force=True)
    repository(host, tmp_path / "new", source="/nonexistent")

    assert "returned 128" in messages(done)[0]
    assert ".bunraku" not in messages(done)[0]
    assert sorted(os.listdir(tmp_path)) == ["copy"]
    assert os.listdir(tmp_path / "copy") == ["old"]


@needs_git
def test_what_a_killed_run_left_is_removed(origin: Path, tmp_path: Path) -> None:
    host = LinuxHost()
    repository(host, tmp_path / "copy", source=str(origin))
    shutil.rmtree(tmp_path / "copy")
    from bunraku.providers.vcsrepo.repository import beside

    left = Path(beside(str(tmp_path / "copy"), "new"))
    left.mkdir()
    (left / "part").write_text("part")

    assert messages(repository(host, tmp_path / "copy", source=str(origin))) == ["created"]
    assert sorted(os.listdir(tmp_path)) == ["copy", "origin"]
    assert sorted(os.listdir(tmp_path / "copy")) == [".git", "file"]


@needs_git
def test_noop_makes_no_copy(origin: Path, tmp_path: Path) -> None:
    host = LinuxHost()
    repository(host, tmp_path / "copy", source=str(origin))
    (tmp_path / "copy/local").write_text("local")

    values = {"ensure": "latest", "force": True, "source": str(origin), "noop": True}
    assert messages(repository(host, tmp_path / "copy", **values)) == []
    assert (tmp_path / "copy/local").exists()


@needs_git
def test_the_password_of_a_proxy_is_in_the_environment(origin: Path, tmp_path: Path) -> None:
    host = Watched()
    proxy = "http://anna:s3cret@127.0.0.1:3128"
    repository(host, tmp_path / "copy", source=str(origin), http_proxy=proxy)

    assert not any("s3cret" in word for one in host.ran for word in one.words)
    clone = next(one for one in host.ran if one.words[1] == "clone")
    assert clone.environment["GIT_CONFIG_PARAMETERS"] == f"'http.proxy={proxy}'"


def test_references() -> None:
    text = (
        "1 HEAD\n1 refs/heads/main\n2 refs/remotes/origin/dev\n3 refs/tags/v1\n4 refs/tags/v1^{}\n"
    )
    found = References.read(text, b"ref: refs/heads/main\n")

    assert found.branch == "main"
    assert [found.wanted(one, "origin") for one in ("v1", "main", "dev", "none")] == [
        "4",
        "1",
        "2",
        None,
    ]
    assert References.read(text, b"0123\n").branch is None


@pytest.mark.parametrize(
    "parameters",
    [
        {"revision": "a b"},
        {"umask": 18},
        {"ensure": "newest"},
        {"http_proxy": "proxy"},
        {"force": 1},
    ],
)
def test_wrong_values(parameters) -> None:
    with pytest.raises(PuppetError):
        repository(MemoryHost(), "/srv/a", **parameters)


class Guarded(SimpleHTTPRequestHandler):
    """Serves files to one user for each directory; the password is the name of the directory."""

    def do_GET(self) -> None:
        """Answer a request."""
        user = f"anna:{self.path.split('/')[1]}:PW@1"
        if self.headers.get("Authorization") == f"Basic {b64encode(user.encode()).decode()}":
            super().do_GET()
            return
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="a"')
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Print nothing."""


@pytest.fixture
def guarded(origin: Path, tmp_path: Path) -> Iterator[str]:
    """Return the start of the URLs of two repositories, ``one`` with the submodule ``two``."""
    for name in ("one", "two"):
        shutil.copytree(origin, tmp_path / "web" / name)
    top = tmp_path / "web/one"
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../two", "part", at=top)
    git("commit", "-qm", "part", at=top)
    for name in ("one", "two"):
        git("update-server-info", at=tmp_path / "web" / name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Guarded, directory=tmp_path / "web"))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@needs_git
def test_passwords_of_sources_are_no_arguments(
    guarded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git's trace has the arguments of all its processes; the configuration has the password."""
    trace, copy = tmp_path / "trace", tmp_path / "copy"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    one, two = (f"http://anna:{name}%3APW%401@{guarded}/{name}/.git" for name in ("one", "two"))
    host = Watched()
    runs = [
        repository(host, copy, source=one, submodules=False),
        repository(host, copy, source={"origin": one, "second": two}, submodules=False),
        repository(host, copy, source={"origin": one, "second": two}, ensure="latest"),
        repository(host, copy, source=two, force=True, ensure="latest"),
        repository(host, copy, source=one.replace("PW", "wrong"), force=True),
    ]
    shown = [messages(done) for done in runs]
    assert shown[0] == ["created"]
    start = f"http://anna:[redacted]@{guarded}"
    change = f"source changed '{start}/one/.git' to {{\n  'origin' => '{start}/one/.git'"
    assert shown[1] == [f"{change},\n  'second' => '{start}/two/.git'\n}}"]
    assert "Authentication failed" in shown[4][0]
    assert git("config", "remote.origin.url", at=copy) == two
    texts = "\n".join(
        [trace.read_text(), *(" ".join(one.words) for one in host.ran), *map(all_texts, runs)]
    )
    for secret in ("PW", "wrong"):
        assert not [line for line in texts.splitlines() if secret in line]
