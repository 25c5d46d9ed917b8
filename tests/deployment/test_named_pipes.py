"""A deployment that meets a named pipe where it expects a file does not wait for a writer."""

from __future__ import annotations

import json
import os
import re

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli.main import main
from bunraku.deployment.archives import ArchiveLimits, members_of
from bunraku.deployment.deployed import is_same_info
from bunraku.deployment.deployment_info import DEPLOYMENT_INFO, kept_info
from bunraku.deployment.forge import file_digest
from bunraku.deployment.git_cache import read_refs
from bunraku.deployment.github_app import GithubApp
from bunraku.deployment.live_trees import read_code
from bunraku.deployment.lock_file import read_lock_file
from bunraku.deployment.r10k_settings import RepositorySettings
from bunraku.deployment.site_contents import access_of
from bunraku.deployment.store import stored_content
from bunraku.deployment.store_care import is_sound
from bunraku.deployment.tarballs import fetch

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
PIPE = r"it is a named pipe \(FIFO\), not a regular file"


@pytest.fixture
def pipe(tmp_path):
    """Return the path of a named pipe, whose name is that of the record of a deployment."""
    os.mkfifo(tmp_path / DEPLOYMENT_INFO)
    return str(tmp_path / DEPLOYMENT_INFO)


@pytest.mark.parametrize("read", [read_code, read_refs, is_same_info])
def test_records_that_are_no_files_do_not_count(pipe, read):
    more = {read_code: [1], is_same_info: [{}]}.get(read, [])
    assert not read(pipe, *more)


@pytest.mark.parametrize(
    "read",
    [
        stored_content,
        is_sound,
        lambda path: file_digest(path, "sha256"),
        lambda path: members_of(path, ArchiveLimits()).__enter__(),
        lambda path: fetch(path, f"{path}.target"),
        lambda path: kept_info(os.path.dirname(path)),
    ],
    ids=["stored", "sound", "digest", "archive", "tarball", "record"],
)
def test_content_that_is_no_file_is_an_error_of_the_system(pipe, read):
    with pytest.raises(OSError, match=PIPE):
        read(pipe)


def test_lock_file(pipe):
    with pytest.raises(PuppetError, match=PIPE) as caught:
        read_lock_file(pipe)
    assert caught.value.code == "LOCK_NOT_READ"


def test_key_of_an_app(pipe):
    pytest.importorskip("cryptography")
    with pytest.raises(PuppetError, match=PIPE):
        GithubApp("1", pipe, "60").signature(b"x")


def test_token(pipe):
    with pytest.raises(PuppetError, match=PIPE) as caught:
        access_of(RepositorySettings(oauth_token=pipe), "", {})
    assert caught.value.code == "NO_TOKEN"


def test_token_that_is_no_text(tmp_path):
    (tmp_path / "token").write_bytes(b"\xff")
    with pytest.raises(PuppetError, match="it is not UTF-8"):
        access_of(RepositorySettings(oauth_token=str(tmp_path / "token")), "", {})


def test_puppetfile(tmp_path, capfd):
    (tmp_path / "env/one").mkdir(parents=True)
    os.mkfifo(tmp_path / "env/one/Puppetfile")
    (tmp_path / "environments.json").write_text('{"one": {"type": "bare"}}')
    source = {
        "type": "yaml",
        "basedir": str(tmp_path / "env"),
        "config": str(tmp_path / "environments.json"),
    }
    settings = {"cachedir": str(tmp_path / "cache"), "sources": {"main": source}}
    (tmp_path / "r10k.yaml").write_text(json.dumps(settings))
    words = ["deploy", "environment", "-m", "-c", str(tmp_path / "r10k.yaml")]
    assert main(["r10k", *words]) == 1
    assert re.search(f"Puppetfile: {PIPE}", capfd.readouterr().err)
