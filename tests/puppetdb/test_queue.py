"""The durable queue: what is accepted stays until it is processed, in order; nothing half stays."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import stat
import threading
from uuid import uuid4

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.folders import SharedSync
from bunraku.puppetdb.commands.metadata import Metadata, file_part, read_file_name
from bunraku.puppetdb.commands.queue import REST_SECONDS, SMALL, Attempt, Queue
from bunraku.puppetdb.commands.segments import HEAD, MOST_BYTES


@pytest.fixture
def folders(tmp_path):
    return str(tmp_path / "site.queue"), str(tmp_path / "site.discarded")


@pytest.fixture
def queue(folders):
    found = Queue(*folders)
    yield found
    found.close()


def metadata(command="replace facts", certname="a", time=None, encoding="", received=1000):
    node = file_part(certname)
    return Metadata(command, 5, node, time, received, encoding, str(uuid4()))


def put(queue, content=b"{}", **other):
    upload = queue.receive(metadata(**other))
    upload.write(content)
    return upload.commit()


def uuids(entries):
    return [entry.metadata.uuid for entry in entries]


def names(folder):
    return sorted(os.listdir(folder))


LARGE = b" " * (SMALL + 1)


def rest(queue):
    """Wait until the queue has removed the file of small commands."""
    assert queue.take(1, seconds=REST_SECONDS * 1.5) == []


def test_commands_come_in_order_of_arrival(queue):
    sent = [put(queue, certname=f"node{number}") for number in range(5)]
    assert uuids(queue.take(3)) == sent[:3]
    assert uuids(queue.take(3)) == sent[3:]
    assert queue.depth == 5


@pytest.mark.parametrize("large", [b"", LARGE])
def test_a_payload_in_pieces_is_in_one_file_that_only_its_owner_can_read(queue, folders, large):
    upload = queue.receive(metadata())
    for piece in (b'{"a"', b": ", large, b"1}"):
        upload.write(piece)
    upload.commit()
    (entry,) = queue.take(1)
    (name,) = names(folders[0])
    assert queue.read(entry) == b'{"a": ' + large + b"1}"
    assert stat.S_IMODE(os.stat(os.path.join(folders[0], name)).st_mode) == 0o600
    assert {stat.S_IMODE(os.stat(folder).st_mode) for folder in folders} == {0o700}
    queue.finish(entry)
    rest(queue)
    assert names(folders[0]) == []
    assert queue.depth == 0


def test_large_commands_have_files_and_small_ones_share_them(queue, folders):
    sent = [put(queue, content) for content in (b"1", LARGE, b"3", b"4")]
    own, shared = sorted(names(folders[0]), key=lambda name: name.endswith(".commands"))
    assert read_file_name(own)[1].uuid == sent[1]
    assert shared == "0000000000000001.commands"
    entries = queue.take(9)
    assert uuids(entries) == sent
    assert [queue.read(entry) for entry in entries] == [b"1", LARGE, b"3", b"4"]


def test_a_full_file_of_small_commands_is_removed_with_its_last_one(queue, folders):
    count = MOST_BYTES // SMALL
    for _ in range(count + 1):
        put(queue, LARGE[1:])
    first, second = names(folders[0])
    entries = queue.take(count + 1)
    for entry in entries[1:]:
        queue.finish(entry)
    assert names(folders[0]) == [first, second]
    queue.finish(entries[0])
    assert names(folders[0]) == [second]


def test_folders_that_others_can_read_become_private(folders):
    os.mkdir(folders[0], 0o755)
    Queue(*folders).close()
    assert stat.S_IMODE(os.stat(folders[0]).st_mode) == 0o700


def test_an_aborted_upload_leaves_nothing(queue, folders):
    upload = queue.receive(metadata())
    upload.write(b"x")
    upload.abort()
    assert names(folders[0]) == []
    assert queue.depth == 0


@pytest.mark.parametrize(
    "certname",
    ["../../etc/passwd", "a/b", "Grüße 日本", "a_b", "", ".", "x" * 5000, "\ud800", "%2f"],
)
def test_any_certname_is_safe(queue, folders, certname):
    put(queue, LARGE, certname=certname, time=1 << 52)
    (name,) = names(folders[0])
    assert len(name) < 240
    assert read_file_name(name)[1].node == file_part(certname)
    assert "/" not in name


def test_different_long_certnames_have_different_names():
    assert file_part("x" * 500 + "1") != file_part("x" * 500 + "2")


def test_a_restart_replays_what_is_left_and_removes_unfinished_uploads(folders):
    queue = Queue(*folders)
    contents = [b"0", b"1", LARGE, b"3"]
    sent = [put(queue, content, certname=f"n{at}") for at, content in enumerate(contents)]
    queue.finish(queue.take(1)[0])
    half = queue.receive(metadata())
    half.write(LARGE)
    half.file.close()
    queue.close()
    assert any(name.endswith(".part") for name in names(folders[0]))
    again = Queue(*folders)
    assert not any(name.endswith(".part") for name in names(folders[0]))
    late = put(again)
    entries = again.take(10)
    assert uuids(entries) == [*sent[1:], late]
    assert [again.read(entry) for entry in entries] == [*contents[1:], b"{}"]
    for entry in entries:
        again.finish(entry)
    again.close()
    assert names(folders[0]) == []


def test_a_restart_removes_a_file_without_waiting_commands(folders):
    queue = Queue(*folders)
    put(queue)
    queue.finish(queue.take(1)[0])
    os.close(queue.descriptor)  # as a process that is killed
    assert names(folders[0]) == ["0000000000000001.commands"]
    again = Queue(*folders)
    assert (names(folders[0]), again.depth) == ([], 0)
    again.close()


def test_a_broken_end_of_a_file_is_ignored(folders):
    queue = Queue(*folders)
    for number in range(3):
        put(queue, str(number).encode() * 100)
    queue.close()
    (name,) = names(folders[0])
    path = os.path.join(folders[0], name)
    with open(path, "rb") as file:
        whole = file.read()
    last = len(whole) // 3 * 2
    for end in range(last, len(whole)):
        os.truncate(path, 0)
        with open(path, "wb") as file:
            file.write(whole[:end])
        queue = Queue(*folders)
        assert [queue.read(entry) for entry in queue.take(9)] == [b"0" * 100, b"1" * 100]
        queue.close()
    for end in (last, last + HEAD.size, len(whole) - 1):
        with open(path, "wb") as file:
            file.write(whole[:end].ljust(len(whole), b"\0"))
        queue = Queue(*folders)
        assert queue.depth == 2
        queue.close()
    with open(path, "wb") as file:  # the end reached the disk before the middle
        file.write(whole[: last // 2 + HEAD.size].ljust(last, b"\0") + whole[last:])
    queue = Queue(*folders)
    assert [queue.read(entry) for entry in queue.take(9)] == [b"0" * 100, b"2" * 100]
    queue.close()


def test_metadata_survive_a_restart(folders):
    queue = Queue(*folders)
    sent = metadata("store report", "web_1", 999, "gzip")
    upload = queue.receive(sent)
    upload.write(gzip.compress(b"{}"))
    upload.commit()
    queue.close()
    again = Queue(*folders)
    (entry,) = again.take(1)
    assert entry.metadata == sent
    assert entry.metadata.certname == "web_1"
    assert again.read(entry) == b"{}"
    again.close()


def test_a_second_process_is_refused(queue, folders):
    with pytest.raises(PuppetError, match="Another process uses the queue"):
        Queue(*folders)


def test_other_files_in_the_folder_stay(folders):
    os.mkdir(folders[0])
    for name in ("README", "0000000000000001_1_unknown_1_x_y.json"):
        with open(os.path.join(folders[0], name), "w") as file:
            file.write("mine")
    Queue(*folders).close()
    assert len(names(folders[0])) == 2


@pytest.mark.parametrize(
    ("times", "obsolete"),
    [
        ([1, 2, 3], [True, True, False]),
        ([3, 1, 2], [False, True, True]),
        ([2, 2], [False, True]),
        ([None, 1, None], [False, False, False]),
    ],
)
@pytest.mark.parametrize("command", ["replace facts", "replace catalog"])
def test_a_newer_command_makes_older_ones_of_its_node_obsolete(queue, command, times, obsolete):
    for time in times:
        put(queue, command=command, time=time)
    put(queue, command=command, certname="other", time=0)
    assert [entry.obsolete for entry in queue.take(10)] == [*obsolete, False]


def test_reports_never_become_obsolete(queue):
    for time in (1, 2):
        put(queue, command="store report", time=time)
    assert [entry.obsolete for entry in queue.take(10)] == [False, False]


def test_a_taken_command_makes_no_other_obsolete(queue):
    put(queue, time=5)
    queue.take(1)
    put(queue, time=1)
    assert not queue.take(1)[0].obsolete


def test_a_discarded_command_is_kept_with_its_reason(queue, folders):
    uuid = put(queue, b"not json", certname="web01")
    (entry,) = queue.take(1)
    entry.attempts.append(Attempt(0, "Cannot read JSON"))
    queue.discard(entry)
    rest(queue)
    assert names(folders[0]) == []
    payload, reason = names(folders[1])
    with open(os.path.join(folders[1], payload), "rb") as file:
        assert file.read() == b"not json"
    with open(os.path.join(folders[1], reason)) as file:
        found = json.load(file)
    assert found["uuid"] == uuid
    assert found["certname"] == "web01"
    assert found["attempts"] == [{"time": "1970-01-01T00:00:00.000Z", "error": "Cannot read JSON"}]
    assert stat.S_IMODE(os.stat(os.path.join(folders[1], reason)).st_mode) == 0o600
    assert queue.depth == 0


def test_a_delayed_command_comes_later(queue):
    first, second = put(queue, certname="a"), put(queue, certname="b")
    queue.put_back(queue.take(1)[0], 0.05)
    assert uuids(queue.take(10)) == [second]
    assert queue.awaiting_retry == 1
    assert uuids(queue.take(10)) == [first], "take waits until the time of the next one"


def test_take_ends_at_the_time_limit_and_at_a_stop(queue):
    assert queue.take(1, seconds=0.01) == []
    threading.Timer(0.05, queue.wake).start()
    assert queue.take(1) == []


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(b"{}" * 500, mtime=0)[:-9]])
def test_broken_gzip_is_an_error(queue, content):
    put(queue, content, encoding="gzip")
    with pytest.raises(PuppetError, match="Cannot decompress"):
        queue.read(queue.take(1)[0])


def test_a_payload_that_is_too_large_unpacked_is_an_error(queue):
    put(queue, gzip.compress(bytes(10_000_000)), encoding="gzip", certname="a")
    put(queue, b"x" * 2000, certname="b")
    for entry in queue.take(2):
        with pytest.raises(PuppetError, match="more than 1000 bytes"):
            queue.read(entry, 1000)


def test_a_file_that_disappeared_is_none(queue, folders):
    put(queue, LARGE)
    (entry,) = queue.take(1)
    os.unlink(os.path.join(folders[0], entry.name))
    assert queue.read(entry) is None
    queue.finish(entry)


def test_commits_at_the_same_time(queue):
    threads = [
        threading.Thread(target=lambda: [put(queue, command="store report") for _ in range(20)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({entry.number for entry in queue.take(1000)}) == 160


def full(*_arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("function", "content"),
    [
        ("fdatasync", b"{}"),
        ("pwrite", b"{}"),
        ("fsync", b"{}"),
        ("fdatasync", LARGE),
        ("rename", LARGE),
        ("fsync", LARGE),
    ],
)
def test_a_full_disk_at_the_commit_leaves_nothing(queue, folders, monkeypatch, function, content):
    upload = queue.receive(metadata())
    upload.write(content)
    with monkeypatch.context() as patched:
        for name in ("fsync", "fdatasync") if function.endswith("sync") else (function,):
            patched.setattr(os, name, full)
        if function == "fdatasync" and content == b"{}":
            patched.setattr(os, "pwrite", full_after_a_write(os.pwrite))
        with pytest.raises(PuppetError, match="No space left on device"):
            upload.commit()
    assert names(folders[0]) == []
    assert queue.depth == 0
    assert put(queue)


def test_a_file_that_grows_has_zeros_ahead_which_a_restart_ignores(queue, folders, tmp_path):
    sent = [put(queue, b"x" * 1000, certname=f"node{number}") for number in range(40)]
    segment = queue.segments.current
    assert segment.size < os.stat(segment.path).st_size <= 2 * segment.size
    for entry in queue.take(10):
        queue.finish(entry)
    shutil.copytree(folders[0], tmp_path / "copy")
    after = Queue(str(tmp_path / "copy"), folders[1])
    entries = after.take(50)
    assert uuids(entries) == sent[10:]
    assert {after.read(entry) for entry in entries} == {b"x" * 1000}
    after.close()


def written(queue, **other):
    """Write a command that is not on disk yet."""
    upload = queue.receive(metadata(**other))
    upload.write(b"{}")
    upload.finish()
    return upload


def test_commands_that_were_written_together_share_the_wait_for_the_disk(queue):
    put(queue, certname="first")
    queue.take(1)
    facts, catalog = (written(queue, command=f"replace {name}") for name in ("facts", "catalog"))
    assert queue.take(1, seconds=0) == []
    sync = queue.segments.current.sync
    before = sync.finished
    catalog.settle()
    assert uuids(queue.take(2)) == [catalog.metadata.uuid]
    facts.settle()
    assert sync.finished == before + 1
    assert uuids(queue.take(2)) == [facts.metadata.uuid]


def test_commands_that_were_written_together_fail_together(queue, folders, monkeypatch):
    both = [written(queue, certname=name) for name in ("a", "b")]
    with monkeypatch.context() as patched:
        for name in ("fsync", "fdatasync"):
            patched.setattr(os, name, full)
        with pytest.raises(PuppetError, match="No space left on device"):
            both[0].settle()
    with pytest.raises(PuppetError, match="No space left on device"):
        both[1].settle()
    assert names(folders[0]) == []
    assert queue.depth == 0
    assert put(queue)


def full_after_a_write(write):
    """Return a function that can write once."""
    calls = iter([write])

    def limited(*arguments):
        return next(calls, full)(*arguments)

    return limited


def test_a_full_disk_does_not_touch_the_commands_before(queue, monkeypatch, folders):
    before = put(queue, b"before")
    real = os.pwrite

    def half(descriptor, content, place):
        if len(content) < 20:
            full()
        return real(descriptor, content[: len(content) // 2], place)

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", half)
        with pytest.raises(PuppetError, match="No space left on device"):
            put(queue, b"too much" * 100)
    after = put(queue, b"after")
    queue.close()
    again = Queue(*folders)
    assert uuids(again.take(9)) == [before, after]
    again.close()


def test_a_failure_of_the_disk_is_that_of_all_who_waited(monkeypatch):
    begun, proceed, failures = threading.Event(), threading.Event(), []

    def fail_once(_descriptor):
        if not begun.is_set():
            begun.set()
        elif not failures:
            proceed.wait(10)
            failures.append(1)
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail_once)
    sync = SharedSync(-1)
    sync.wait()
    refused = []

    def wait():
        try:
            sync.wait()
        except OSError as error:
            refused.append(error.errno)

    first = threading.Thread(target=wait)
    first.start()
    while not sync.running:
        pass
    proceed.set()
    first.join()
    assert refused == [errno.EIO]
    sync.wait()


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_folder_that_cannot_be_written(queue, folders):
    os.chmod(folders[0], 0o500)
    for content in (b"{}", LARGE):
        with pytest.raises(PuppetError, match="Permission denied"):
            put(queue, content)


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PuppetError, match="Cannot use the queue"):
        Queue(str(tmp_path / "file"), str(tmp_path / "discarded"))
