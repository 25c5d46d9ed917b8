"""Git remotes are asked once, safely, and without showing credentials."""

import os
import stat
import time

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.git_cache import GitCache, RemoteAccess, check_remote
from support.git_remotes import VARIABLES, Remote


@pytest.fixture
def remote(tmp_path, monkeypatch):
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    found = Remote(tmp_path, "alpha", {"a.txt": "one\n"})
    found.tag("v1", "-a", "-m", "first")
    return found


@pytest.fixture
def cache(tmp_path):
    return lambda **more: GitCache(str(tmp_path / "git"), **more)


def test_branches_tags_and_commits_are_resolved(remote, cache):
    first = remote.git("rev-parse", "HEAD")
    second = remote.commit({"b.txt": "two\n"})
    found = cache()
    assert found.resolve(remote.url, "main") == second
    assert found.resolve(remote.url, "v1") == first
    assert found.resolve(remote.url, first[:8]) == first
    assert found.resolve(remote.url, "HEAD") == second
    assert found.resolve(remote.url, "main~1") == first
    assert found.resolve(remote.url, "nosuch") is None
    assert found.near(remote.url, "mian") == " (did you mean 'main'?)"


def test_a_relative_remote_is_that_of_the_working_directory(remote, cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cache().resolve("remotes/alpha.git", "v1") == remote.git("rev-parse", "HEAD")
    assert cache().directory("remotes/alpha.git") == cache().directory(remote.url)


def test_a_tag_goes_before_a_branch_of_the_same_name_as_in_git(remote, cache):
    tagged = remote.git("rev-parse", "HEAD")
    remote.tag("both")
    remote.branch("both", {"c": "x"})
    assert cache().resolve(remote.url, "refs/tags/both") == tagged
    assert cache().resolve(remote.url, "both") == tagged


def test_a_known_tag_needs_no_remote_and_a_branch_does(remote, cache, tmp_path):
    commit = cache().resolve(remote.url, "v1")
    (tmp_path / "remotes").rename(tmp_path / "gone")
    assert cache().resolve(remote.url, "v1") == commit
    with pytest.raises(PuppetError) as caught:
        cache().resolve(remote.url, "main")
    assert caught.value.code == "REMOTE_FAILED"


def test_offline_uses_what_was_fetched(remote, cache, tmp_path):
    commit = cache().resolve(remote.url, "main")
    remote.commit({"b": "x"})
    assert cache(offline=True).resolve(remote.url, "main") == commit
    with pytest.raises(PuppetError) as caught:
        cache(offline=True).resolve(str(tmp_path / "other.git"), "main")
    assert caught.value.code == "OFFLINE"


def test_a_moved_tag_is_noted(remote, cache):
    cache().resolve(remote.url, "v1")
    remote.commit({"b": "x"})
    remote.tag("v1", "-f")
    found = cache()
    found.resolve(remote.url, "main")
    assert found.moved_tags == [(remote.url, "v1")]


def test_a_commit_is_checked_out_with_its_attributes_and_without_hooks(remote, cache, tmp_path):
    remote.commit(
        {".gitattributes": "*.ps1 eol=crlf\nsecret export-ignore\n", "x.ps1": "a\n", "secret": "s"}
    )
    found = cache()
    commit = found.resolve(remote.url, "main")
    hooks = f"{found.directory(remote.url)}/hooks"
    os.makedirs(hooks)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        with open(f"{hooks}/{name}", "w") as file:
            file.write(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\n")
        os.chmod(f"{hooks}/{name}", stat.S_IRWXU)
    target = tmp_path / "out"
    target.mkdir()
    assert found.check_out(remote.url, commit, str(target)) == {}
    assert (target / "x.ps1").read_bytes() == b"a\r\n"
    assert (target / "secret").exists()
    assert not (tmp_path / "hook-ran").exists()
    assert not (tmp_path / "out.index").exists()


def test_submodules_are_listed(remote, cache, tmp_path):
    inner = Remote(tmp_path, "inner", {"i": "x"})
    remote.git("submodule", "--quiet", "add", inner.url, "vendored")
    remote.commit({})
    found = cache()
    target = tmp_path / "out"
    target.mkdir()
    listed = found.check_out(remote.url, found.resolve(remote.url, "main"), str(target))
    assert listed == {"vendored": (inner.url, inner.git("rev-parse", "HEAD"))}


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "-uploadpack=touch /tmp/x",
        "--upload-pack=x",
        "ext::sh -c 'touch x'",
        "fd::17",
        "https://example.com/a\nb",
        "ftp://example.com/a.git",
        "ssh://-oProxyCommand=x/a",
        "-oProxyCommand=x:a",
    ],
)
def test_remotes_that_do_more_than_fetch_are_refused(bad):
    with pytest.raises(PuppetError) as caught:
        check_remote(bad)
    assert caught.value.code == "BAD_REMOTE"


@pytest.mark.parametrize(
    "good",
    [
        "https://example.com/a.git",
        "git@example.com:a/b.git",
        "ssh://git@example.com:22/a",
        "/srv/a.git",
        "../a.git",
        "file:///srv/a",
    ],
)
def test_usual_remotes_are_accepted(good):
    check_remote(good)


@pytest.mark.parametrize("ref", ["-x", "--upload-pack=touch x", "a b", "", "a\nb"])
def test_refs_that_are_options_are_refused(remote, cache, ref):
    with pytest.raises(PuppetError) as caught:
        cache().resolve(remote.url, ref)
    assert caught.value.code == "BAD_REF"


def test_credentials_are_in_no_message_name_or_command_line(tmp_path, cache):
    remote = "https://user:sesame@127.0.0.1:1/a.git"
    found = cache()
    with pytest.raises(PuppetError) as caught:
        found.resolve(remote, "main")
    assert "sesame" not in str(caught.value)
    assert "sesame" not in found.directory(remote)
    address, variables = found.address(remote)
    assert "sesame" not in address
    assert "Basic dXNlcjpzZXNhbWU=" in str(variables)
    assert without_credentials(remote) == "https://127.0.0.1:1/a.git"


def test_a_token_is_sent_to_its_remote_only(cache):
    access = {"https://a.example.com/x.git": RemoteAccess(token="sesame")}
    found = cache(access=access)
    _address, variables = found.address("https://a.example.com/x.git")
    key = next(name for name, value in variables.items() if "extraHeader" in value)
    assert variables[key] == "http.https://a.example.com/.extraHeader"
    assert "sesame" not in str(found.address("https://b.example.com/x.git"))
    assert "sesame" not in repr(access)


def test_a_remote_that_does_not_answer_ends(tmp_path, cache, monkeypatch):
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    start = time.monotonic()
    with pytest.raises(PuppetError) as caught:
        cache(seconds=0.5).resolve("https://example.com/a.git", "main")
    assert caught.value.code == "REMOTE_TIMEOUT"
    assert time.monotonic() - start < 10
