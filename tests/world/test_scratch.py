"""Temporary directories and files: where they are made, and that they go."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bunraku.engine.git_tree import GitTree
from bunraku.world import scratch
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from support.files import largest_file

SRC = Path(scratch.__file__).parents[2]


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
    assert scratch.parent(fallbacks=()) == str(folders / "tmpdir")
    assert scratch.parent() == "/tmp"
    (folders / "tmpdir").chmod(0o1777)
    assert scratch.parent() == str(folders / "tmpdir")


def test_no_temporary_directory_is_an_error(monkeypatch, tmp_path):
    for name in scratch.VARIABLES:
        monkeypatch.setenv(name, str(tmp_path / "missing"))
    missing = [str(tmp_path / "absent")]
    with pytest.raises(FileNotFoundError, match="no directory for temporary files"):
        scratch.parent(missing)
    scratch.remove_leftovers(missing)  # there is none to look at


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


# -- directories ---------------------------------------------------------------------------------


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A directory for temporary files of its own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_a_scratch_directory_is_private_and_removed(temporary):
    before = os.umask(0)
    try:
        with scratch.scratch_directory() as path:
            assert os.stat(path).st_mode & 0o777 == 0o700
            Path(path, "file").touch()
    finally:
        os.umask(before)
    assert list(temporary.iterdir()) == []


HINDRANCES = {
    "a umask without rights of the owner": ("os.umask(0o777)", "0o700 []"),
    "too many open files": (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
        "Too many open files",
    ),
}


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_a_directory_is_made_once(hindrance):
    code, printed = HINDRANCES[hindrance]
    code = (
        # The other user may have no access to Python's own modules: all are imported before.
        "import os, resource, shutil, signal; from bunraku.world import scratch\n"
        "signal.alarm(5)  # a user other than root made directories without end\n"
        f"os.getuid() or (os.setgid(65534), os.setuid(65534))\n{code}\n"
        "try:\n"
        "    with scratch.scratch_directory() as path: print(oct(os.stat(path).st_mode & 0o7777), os.listdir(path))\n"
        "except OSError as error: print(error.strerror)"
    )
    with tempfile.TemporaryDirectory() as above:
        os.chmod(above, 0o1777)
        environment = {**os.environ, "PYTHONPATH": str(SRC), "TMPDIR": above}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == printed
        assert os.listdir(above) == []


def test_leftovers_of_killed_runs_are_removed_and_no_others(temporary):
    code = (
        "import time; from bunraku.world import scratch\n"
        "path, lock = scratch.make(); open(path + '/file', 'w').close(); print(path, flush=True); time.sleep(600)"
    )
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    killed, living = (
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    )
    try:
        old, kept = (Path(one.stdout.readline().decode().strip()) for one in (killed, living))
        foreign = temporary / f"{scratch.PREFIX}{os.getuid() + 1}-0"
        foreign.mkdir()
        killed.kill()
        killed.wait()
        scratch.remove_leftovers()
        assert not old.exists()
        assert kept.exists()
        assert foreign.exists()
    finally:
        for one in (killed, living):
            one.kill()
            one.wait()
            one.stdout.close()


def test_links_among_leftovers_are_not_followed(temporary):
    target = temporary / "precious"
    target.mkdir()
    (target / "file").touch()
    (temporary / f"{scratch.PREFIX}{os.getuid()}-0").symlink_to(target)
    scratch.remove_leftovers()
    assert (target / "file").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to give a directory to another user")
def test_directories_of_other_users_are_left_alone(temporary):
    foreign = temporary / f"{scratch.PREFIX}{os.getuid()}-0"
    foreign.mkdir()
    os.chown(foreign, 65534, 65534)
    scratch.remove_leftovers()
    assert foreign.exists()


def test_a_directory_in_use_is_no_leftover(temporary):
    path, lock = scratch.make()
    scratch.remove_leftovers()
    assert os.path.isdir(path)
    os.close(lock)
    scratch.remove_leftovers()
    assert not os.path.exists(path)
