"""Files are written whole, or not at all."""

from __future__ import annotations

import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from bunraku.world.whole_files import (
    CATALOG_MODE,
    KEY_MODE,
    NewFile,
    edit_whole,
    remove_abandoned,
    write_whole,
)
from support.files import largest_file

OLD, NEW = b"old\n", b"new " * 50_000


@contextmanager
def umask(value):
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "out.json"
    path.write_bytes(OLD)
    return path


def test_a_file_is_made_and_replaced(tmp_path):
    path = tmp_path / "out.json"
    write_whole(str(path), b"1")
    write_whole(str(path), b"")
    assert path.read_bytes() == b""
    write_whole(str(path), NEW)
    assert path.read_bytes() == NEW
    assert [one.name for one in tmp_path.iterdir()] == ["out.json"]


def test_a_reader_of_the_old_file_keeps_it(target):
    with target.open("rb") as file:
        write_whole(str(target), NEW)
        assert file.read() == OLD


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o777])
def test_a_given_mode_holds_whatever_the_umask_is(tmp_path, mask):
    with umask(mask):
        write_whole(str(tmp_path / "catalog"), b"x", mode=CATALOG_MODE)
        write_whole(str(tmp_path / "key"), b"x", mode=KEY_MODE)
    assert mode_of(tmp_path / "catalog") == 0o640
    assert mode_of(tmp_path / "key") == 0o600


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_other_files_follow_the_umask(tmp_path, mask):
    with umask(mask):
        write_whole(str(tmp_path / "page.html"), b"x")
    assert mode_of(tmp_path / "page.html") == 0o666 & ~mask


def test_nobody_else_can_read_a_secret_while_it_is_written(tmp_path, monkeypatch):
    seen = []
    write = os.write

    def watched(handle, data):
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return write(handle, data)

    monkeypatch.setattr(os, "write", watched)
    with umask(0):
        write_whole(str(tmp_path / "catalog"), b"x", mode=CATALOG_MODE)
    assert seen == [0o600]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("write", OSError(errno.ENOSPC, "No space left on device")),
        ("write", OSError(errno.EDQUOT, "Disk quota exceeded")),
        ("write", KeyboardInterrupt()),
        ("fsync", OSError(errno.EIO, "Input/output error")),
        ("fchmod", PermissionError(errno.EPERM, "Operation not permitted")),
        ("replace", PermissionError(errno.EPERM, "Operation not permitted")),
        ("replace", KeyboardInterrupt()),
        ("replace", SystemExit(143)),
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path, monkeypatch, name, error, there
):
    path = tmp_path / "out.json"
    if there:
        path.write_bytes(OLD)

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(os, name, fail)
    with pytest.raises(type(error)) as caught:
        write_whole(str(path), NEW, mode=CATALOG_MODE)
    monkeypatch.undo()
    assert [one.read_bytes() for one in tmp_path.iterdir()] == ([OLD] if there else [])
    if isinstance(error, OSError):
        assert caught.value.filename == str(path)


def test_an_interrupt_right_after_the_file_was_made_leaves_nothing(tmp_path, monkeypatch):
    made = os.open

    def interrupted(*arguments):
        os.close(made(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(tmp_path / "out"), NEW)
    assert not list(tmp_path.iterdir())


def test_a_file_over_the_limit_is_not_written(target):
    with largest_file(1000), pytest.raises(OSError, match="File too large") as caught:
        write_whole(str(target), NEW)
    assert caught.value.errno == errno.EFBIG
    assert caught.value.filename == str(target)
    assert [one.read_bytes() for one in target.parent.iterdir()] == [OLD]


def test_a_full_disk_leaves_the_old_files(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        path = disk / "out.json"
        path.write_bytes(OLD)
        with pytest.raises(OSError, match="No space left on device"):
            write_whole(str(path), b"x" * 300_000)
        assert [one.read_bytes() for one in disk.iterdir()] == [OLD]
        write_whole(str(path), NEW)  # the space is free again
        assert path.read_bytes() == NEW
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_link_is_replaced_and_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(OLD)
    for name, leads_to in (("link", victim), ("dangling", tmp_path / "missing"), ("own", "own")):
        link = tmp_path / name
        link.symlink_to(leads_to)
        write_whole(str(link), NEW, mode=CATALOG_MODE)
        assert not link.is_symlink()
        assert link.read_bytes() == NEW
    assert victim.read_bytes() == OLD
    assert not (tmp_path / "missing").exists()


def test_a_directory_or_special_file_is_refused(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    for name, reason in (
        ("folder", "it is a directory"),
        ("fifo", "it is not a regular file"),
        ("socket", "it is not a regular file"),
    ):
        path = str(tmp_path / name)
        with pytest.raises(OSError, match=reason) as caught:
            write_whole(path, NEW)
        assert caught.value.filename == path
        with pytest.raises(OSError, match=reason) as caught:
            edit_whole({path: NEW})
        assert caught.value.filename == path
    assert sorted(one.name for one in tmp_path.iterdir()) == ["fifo", "folder", "socket"]


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    path = str(tmp_path / "none" / "out.json")
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(path, NEW)
    assert caught.value.strerror == f"the directory {tmp_path / 'none'} does not exist"
    assert caught.value.filename == path


def test_a_path_without_a_directory_is_in_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_whole("out", OLD)
    assert (tmp_path / "out").read_bytes() == OLD


# -- streams ---------------------------------------------------------------------------------------


def in_a_shell(tmp_path, redirection, path):
    """Write ``2`` to a path in a process that is started by a shell with redirections."""
    code = f"from bunraku.world.whole_files import write_whole; write_whole({path!r}, b'2')"
    return subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "$1" {redirection}', sys.executable, code],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )


def test_standard_streams_are_written_to(tmp_path):
    assert in_a_shell(tmp_path, "", "/dev/stdout").stdout == b"2"
    assert in_a_shell(tmp_path, "", "/dev/stderr").stderr == b"2"
    assert in_a_shell(tmp_path, "", "/dev/fd/1").stdout == b"2"
    assert in_a_shell(tmp_path, "", "/proc/self/fd/1").stdout == b"2"
    assert in_a_shell(tmp_path, "7>&1", "/dev/fd/7").stdout == b"2"


def test_a_redirected_stream_is_continued_and_not_begun_again(tmp_path):
    (tmp_path / "log").write_text("1")
    assert in_a_shell(tmp_path, ">>log", "/dev/stdout").returncode == 0
    assert (tmp_path / "log").read_text() == "12"


def test_a_closed_stream_is_an_error():
    with pytest.raises(OSError, match="Bad file descriptor") as caught:
        write_whole("/dev/fd/999", b"x")
    assert caught.value.filename == "/dev/fd/999"


def test_devices_are_written_to_and_stay():
    write_whole("/dev/null", NEW, mode=0o600)
    with pytest.raises(OSError, match="No space left on device"):
        write_whole("/dev/full", NEW)
    for device in ("/dev/null", "/dev/full"):
        assert stat.S_ISCHR(os.stat(device).st_mode)


def test_a_pipe_that_is_full_for_the_moment_gets_everything(tmp_path):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with open(tmp_path / "copy", "wb") as copy:
        cat = subprocess.Popen(["cat"], stdin=reader, stdout=copy)
        os.close(reader)
        write_whole(f"/dev/fd/{writer}", NEW * 10)
        os.close(writer)
        assert cat.wait() == 0
    assert (tmp_path / "copy").read_bytes() == NEW * 10


# -- editing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o444])
def test_an_edited_file_keeps_its_mode(target, mode):
    target.chmod(mode)
    with umask(0o077):
        edit_whole({str(target): NEW})
    assert target.read_bytes() == NEW
    assert mode_of(target) == mode


def test_an_edit_follows_a_link_to_the_file(target, tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "link"
    link.symlink_to("../out.json")
    edit_whole({str(link): NEW})
    assert link.is_symlink()
    assert target.read_bytes() == NEW
    assert [one.name for one in link.parent.iterdir()] == ["link"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_an_edited_file_keeps_its_owner_and_group(target):
    os.chown(target, 65534, 65534)
    target.chmod(0o2640)
    edit_whole({str(target): NEW})
    found = target.stat()
    assert (found.st_uid, found.st_gid, mode_of(target)) == (65534, 65534, 0o2640)


def test_an_edited_file_that_cannot_keep_its_owner_keeps_no_special_bits(target, monkeypatch):
    target.chmod(0o2755)

    def refused(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refused)
    edit_whole({str(target): NEW})
    assert mode_of(target) == 0o755


def test_an_edit_of_a_missing_file_makes_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        edit_whole({str(tmp_path / "none"): NEW})
    assert not list(tmp_path.iterdir())


def test_of_several_files_all_are_edited_or_none(tmp_path):
    paths = [tmp_path / name for name in "abc"]
    for path in paths:
        path.write_bytes(OLD)
    with largest_file(1000), pytest.raises(OSError, match="File too large") as caught:
        edit_whole({str(paths[0]): b"1", str(paths[1]): NEW, str(paths[2]): b"3"})
    assert caught.value.filename == str(paths[1])
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [OLD] * 3
    edit_whole({str(path): NEW for path in paths})
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [NEW] * 3


def test_extended_attributes_stay(target):
    try:
        os.setxattr(target, "user.note", b"1")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    edit_whole({str(target): NEW})
    assert os.getxattr(target, "user.note") == b"1"


# -- temporary files -------------------------------------------------------------------------------


def abandoned(folder, name, age):
    path = folder / name
    path.write_bytes(OLD)
    then = time.time() - age
    os.utime(path, (then, then))
    return path


WRITES = {
    "write_whole": "from bunraku.world.whole_files import write_whole; write_whole(path, b'new')",
    "edit_whole": "from bunraku.world.whole_files import edit_whole; edit_whole({path: b'new'})",
    "a resource": "from bunraku.world.linux import LinuxHost; "
    "LinuxHost().replace_file(path, [b'new'], mode=0o644)",
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_killed_process_leaves_a_file_that_a_later_one_removes(tmp_path, write):
    code = (
        "import os, signal, sys\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"path = sys.argv[1]; {write}"
    )
    path = tmp_path / "out"
    path.write_bytes(OLD)
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    left = [one for one in tmp_path.iterdir() if one != path]
    assert len(left) == 1
    assert path.read_bytes() == OLD
    write_whole(str(path), b"newer")
    assert list(tmp_path.iterdir()) == [path]


def test_only_temporary_files_of_ours_that_are_not_used_are_removed(tmp_path):
    name = "0123456789abcdef" * 2
    link_left = tmp_path / f".bunraku-{name[4:]}0000.new"
    link_left.symlink_to("nowhere")
    os.utime(link_left, (0, 0), follow_symlinks=False)
    gone = [
        abandoned(tmp_path, f".bunraku-{name}.new", 0),
        abandoned(tmp_path, f".bunraku-{name}.free.new", 3700),
        link_left,
    ]
    used = NewFile(str(tmp_path))
    used.write(b"", 0o600)
    link = tmp_path / f".bunraku-{name[3:]}000.new"
    link.symlink_to("nowhere")
    stay = [
        abandoned(tmp_path, os.path.basename(used.path), 9999),
        abandoned(tmp_path, f".bunraku-{name[1:]}0.free.new", 3500),
        abandoned(tmp_path, ".bunraku-mine.new", 9999),
        abandoned(tmp_path, f".bunraku-{name}.new.json", 9999),
    ]
    folder = tmp_path / f".bunraku-{name[2:]}00.new"
    folder.mkdir()
    os.utime(folder, (0, 0))
    remove_abandoned(str(tmp_path))
    assert not any(os.path.lexists(path) for path in gone)
    assert all(path.exists() for path in [*stay, folder])
    assert link.is_symlink()
    used.release()


def test_a_file_that_another_process_removed_is_made_again(tmp_path):
    """A search for abandoned files may come between the creation of a file and its lock."""
    new = NewFile(str(tmp_path))
    first = os.open(tmp_path / "x", os.O_WRONLY | os.O_CREAT)
    new.path = str(tmp_path / "x")
    os.unlink(new.path)
    assert not new.hold(first)
    os.close(first)
    new.write(b"content", 0o600)
    assert (tmp_path / os.path.basename(new.path)).read_bytes() == b"content"
    new.release()


def test_a_change_of_more_files_than_a_process_may_open(tmp_path):
    code = (
        "import resource, sys; from bunraku.world.whole_files import edit_whole\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
        "edit_whole({path: b'new' for path in sys.argv[1:]})"
    )
    paths = [tmp_path / str(number) for number in range(400)]
    for path in paths:
        path.write_bytes(OLD)
    subprocess.run([sys.executable, "-c", code, *map(str, paths)], check=True)
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"new"}


def test_a_new_file_can_be_run_while_it_is_held(tmp_path):
    new = NewFile(str(tmp_path))
    new.write(b"#!/bin/sh\nexit 3\n", 0o700)
    assert subprocess.run([new.path], check=False).returncode == 3
    new.release()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_temporary_files_of_others_stay(tmp_path):
    path = abandoned(tmp_path, f".bunraku-{'0' * 32}.new", 9999)
    os.chown(path, 65534, 65534)
    remove_abandoned(str(tmp_path))
    assert path.exists()


@pytest.mark.parametrize("content", [b"x", [b"x", b"y"]])
def test_the_text_of_an_error_has_one_path(tmp_path, content):
    with pytest.raises(OSError, match=r"^[^>]*$"):
        write_whole(str(tmp_path / "absent" / "file"), content)
