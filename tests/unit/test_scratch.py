"""Temporary directories and files: where they are made, and that they go."""

from __future__ import annotations

import os
import resource
import stat
from contextlib import contextmanager
from pathlib import Path

import pytest

from bunraku.git_tree import GitTree
from bunraku.overlay import Overlay
from bunraku.world import DictionaryWorld, Machine, scratch


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The directory of each variable: its name in small letters."""
    for name in scratch.VARIABLES:
        folder = tmp_path / name.lower()
        folder.mkdir(0o700)
        monkeypatch.setenv(name, str(folder))
    return tmp_path


def test_the_temporary_directory_is_chosen_as_ruby_does(folders, monkeypatch):
    assert scratch.parent() == str(folders / "tmpdir")
    monkeypatch.setenv("TMPDIR", str(folders / "missing"))
    assert scratch.parent() == str(folders / "tmp")
    (folders / "file").touch()
    monkeypatch.setenv("TMPDIR", str(folders / "file"))
    monkeypatch.setenv("TMP", "")
    assert scratch.parent() == str(folders / "temp")
    monkeypatch.delenv("TEMP")
    assert scratch.parent() == "/tmp"
    monkeypatch.chdir(folders)
    monkeypatch.setenv("TMPDIR", "tmp")
    assert scratch.parent() == str(folders / "tmp")


def test_a_directory_in_which_others_can_rename_files_is_the_last_resort(folders, monkeypatch):
    (folders / "tmpdir").chmod(0o777)
    assert scratch.parent() == str(folders / "tmp")
    monkeypatch.delenv("TMP")
    monkeypatch.delenv("TEMP")
    monkeypatch.setattr(scratch, "FALLBACKS", ())
    assert scratch.parent() == str(folders / "tmpdir")
    (folders / "tmpdir").chmod(0o1777)
    assert scratch.parent() == str(folders / "tmpdir")


def test_no_temporary_directory_is_an_error(monkeypatch):
    monkeypatch.setattr(scratch, "is_usable", lambda _: False)
    with pytest.raises(FileNotFoundError, match="no directory for temporary files"):
        scratch.parent()
    scratch.remove_leftovers()  # there is none to look at


def test_a_temporary_file_is_private_and_goes(folders):
    before = os.umask(0)
    try:
        with Machine().temporary_file(b"secret") as path:
            file = Path(path)
            assert file.is_relative_to(folders / "tmpdir")
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
            assert file.read_bytes() == b"secret"
    finally:
        os.umask(before)
    assert not list((folders / "tmpdir").iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_a_temporary_file_goes_after_an_error(folders, error):
    with pytest.raises(error), Machine().temporary_file(b"secret"):
        raise error
    assert not list((folders / "tmpdir").iterdir())


@contextmanager
def largest_file(size):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_temporary_file_on_a_full_disk_goes(folders):
    with (
        largest_file(10),
        pytest.raises(OSError, match="File too large"),
        Machine().temporary_file(b"x" * 100),
    ):
        pytest.fail("the file cannot be written")
    assert not list((folders / "tmpdir").iterdir())


def test_every_world_has_temporary_files(folders):
    dictionary = DictionaryWorld({"/a": b"1"})
    tree = GitTree(None, "", "/tree", dictionary)
    for world in (dictionary, Overlay(DictionaryWorld(), dictionary), tree):
        with world.temporary_file(b"content") as path:
            assert world.read(path) == b"content"
            assert world.read("/a") == b"1"
        with pytest.raises(FileNotFoundError):
            world.read(path)
