"""A job that meets a named pipe where it expects a file does not wait for a writer."""

from __future__ import annotations

import os

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.deployment.r10k_file import read_settings_file
from bunraku.jobs.module_graph import read_metadata
from bunraku.jobs.plan_conditions import approved
from bunraku.jobs.serving.configuration import access_of
from bunraku.jobs.serving.options import ServerOptions

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path):
    """Return the path of a named pipe, whose name is that of the metadata of a module."""
    os.mkfifo(tmp_path / "metadata.json")
    return str(tmp_path / "metadata.json")


def test_metadata(pipe):
    assert read_metadata(os.path.dirname(pipe)) == {}


def test_approvals(pipe):
    with pytest.raises(UsageError, match=r"it is a named pipe \(FIFO\), not a regular file"):
        approved(pipe)


def test_approvals_of_a_file(tmp_path):
    path = tmp_path / "approvals"
    path.write_bytes(b"sha256:1 me\r\n\n  sha256:2\n")
    assert approved(str(path)) == {"sha256:1", "sha256:2"}
    assert approved(str(tmp_path / "gone")) == set()


def test_settings_of_r10k(pipe):
    with pytest.raises(PuppetError, match="named pipe"):
        read_settings_file(pipe)


def test_rules_of_access(pipe):
    with pytest.raises(UsageError, match="named pipe"):
        access_of(ServerOptions({}, auth_conf=pipe))
