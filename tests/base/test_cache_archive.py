"""The cache on disk in a file: the same bytes for the same entries, and nothing from a file that is not the user's own."""

from __future__ import annotations

import os
import zlib

import pytest

from bunraku.base.cache_archive import MAGIC, BadArchive, archive_of, seal_of, take_over
from bunraku.base.cache_size import entries_in
from bunraku.base.disk_cache import DiskCache, forget_folders

KEY = b"k" * 64
PROGRAM = "f" * 128
START = MAGIC + PROGRAM.encode() + b"\n"
LIMIT = 1 << 20
NAMES = [f"{digit}" * 40 for digit in "0123"]


@pytest.fixture(autouse=True)
def _new_process():
    forget_folders()
    yield
    forget_folders()


def cache_with(path, number=4):
    cache = DiskCache(path)
    for name in NAMES[:number]:
        cache.write_data(name, (name, "x" * 3000))
    return cache


def archive(cache, *, limit=LIMIT, left_out=(), key=KEY, program=PROGRAM):
    folder = cache.opened(create=True)
    return archive_of(folder.handle, program, key, limit=limit, left_out=left_out)


def entries(path):
    folder = path / "code"
    return sorted(one.name for one in folder.iterdir()) if folder.exists() else []


def forged(content):
    """A file with the seal of the user around any content."""
    body = zlib.compress(content)
    return START + seal_of(START, body, KEY) + body


def refused(tmp_path, content, reason, limit=LIMIT):
    cache = DiskCache(tmp_path / "new")
    with pytest.raises(BadArchive, match=reason):
        take_over(cache, content, PROGRAM, KEY, limit)
    assert entries(tmp_path / "new") == []


def test_entries_reach_another_cache_and_give_the_same_bytes_again(tmp_path):
    number, content = archive(cache_with(tmp_path / "a"))
    assert number == 4
    other = DiskCache(tmp_path / "b")
    assert take_over(other, content, PROGRAM, KEY, LIMIT) == [4, 4]
    assert other.read_data(NAMES[2]) == (NAMES[2], "x" * 3000)
    assert archive(other) == (4, content)
    assert take_over(other, content, PROGRAM, KEY, LIMIT) == [4, 0]


def test_files_of_entries_are_private(tmp_path):
    _, content = archive(cache_with(tmp_path / "a"))
    other = DiskCache(tmp_path / "b")
    before = os.umask(0)
    try:
        take_over(other, content, PROGRAM, KEY, LIMIT)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "b").rglob("*.data")}
    assert modes == {0o600}


def test_entries_that_are_here_stay(tmp_path):
    _, content = archive(cache_with(tmp_path / "a"))
    other = DiskCache(tmp_path / "b")
    other.write_data(NAMES[0], "own")
    assert take_over(other, content, PROGRAM, KEY, LIMIT) == [4, 3]
    assert other.read_data(NAMES[0]) == "own"


def test_a_limit_leaves_out_what_was_not_used_for_the_longest(tmp_path):
    cache = cache_with(tmp_path / "a")
    for at, name in enumerate(NAMES):
        os.utime(tmp_path / "a" / "code" / f"{name}.data", (at, at))
    number, content = archive(cache, limit=2 * 4096)
    assert number == 2
    other = DiskCache(tmp_path / "b")
    take_over(other, content, PROGRAM, KEY, LIMIT)
    found = sorted(one[0] for one in entries_in(other.opened(create=False).handle))
    assert found == [f"{name}.data" for name in NAMES[2:]]


def test_an_entry_that_must_stay_is_not_in_the_file(tmp_path):
    number, _ = archive(cache_with(tmp_path / "a"), left_out={f"{NAMES[1]}.data"})
    assert number == 3


def test_links_and_other_files_in_the_folder_are_not_in_the_file(tmp_path):
    cache = cache_with(tmp_path / "a", 1)
    secret = tmp_path / "secret"
    secret.write_text("secret")
    folder = tmp_path / "a" / "code"
    (folder / f"{NAMES[1]}.data").symlink_to(secret)
    (folder / f"{NAMES[2]}.data").hardlink_to(secret)
    (folder / "notes").write_text("notes")
    assert archive(cache)[0] == 1


def test_a_file_with_any_other_byte_adds_nothing(tmp_path):
    _, content = archive(cache_with(tmp_path / "a"))
    for at in [*range(len(MAGIC), len(content), 7), len(content) - 1]:
        changed = bytearray(content)
        changed[at] ^= 1
        refused(tmp_path, bytes(changed), "damaged|another version")


def test_a_part_of_a_file_adds_nothing(tmp_path):
    _, content = archive(cache_with(tmp_path / "a"))
    for size in range(0, len(content), 11):
        refused(tmp_path, content[:size], "damaged|not a file|another version")
    refused(tmp_path, content + b"\0", "damaged")


def test_a_file_of_another_user_adds_nothing(tmp_path):
    _, content = archive(cache_with(tmp_path / "a"), key=b"o" * 64)
    refused(tmp_path, content, "another key")


def test_a_file_of_another_version_adds_nothing(tmp_path):
    cache = cache_with(tmp_path / "a")
    refused(tmp_path, archive(cache, program="0" * 128)[1], "another version of bunraku or Python")
    refused(tmp_path, archive(cache)[1].replace(MAGIC, b"bunraku cache 2\n"), "another version")
    refused(tmp_path, b"PK\3\4", "not a file that 'bunraku cache export' wrote")


@pytest.mark.parametrize(
    "content",
    [
        b"../../../etc/cron.d/x.data 1\nx",
        b"/etc/passwd 1\nx",
        b"%s.data 1\nx" % NAMES[0][:-1].encode(),
        b"%s.sh 1\nx" % NAMES[0].encode(),
        b"%s.data -1\nx" % NAMES[0].encode(),
        b"%s.data 1e1\n%s" % (NAMES[0].encode(), b"x" * 10),
        b"%s.data 2\nx" % NAMES[0].encode(),
        b"%s.data 99999999999\nx" % NAMES[0].encode(),
        b"%s.data" % NAMES[0].encode(),
        b"%b.data 1\nx%b.data 1\ny" % (NAMES[1].encode(), NAMES[0].encode()),
        b"%b.data 1\nx%b.data 1\ny" % (NAMES[0].encode(), NAMES[0].encode()),
        b"%b.data 1\nx%b.data 2\ny" % (NAMES[0].encode(), NAMES[1].encode()),
        b"\n",
    ],
)
def test_a_sealed_file_with_something_else_adds_nothing(tmp_path, content):
    refused(tmp_path, forged(content), "not an entry|incomplete")


def test_a_sealed_file_that_is_too_large_or_incomplete_adds_nothing(tmp_path):
    whole = b"%s.data %d\n" % (NAMES[0].encode(), LIMIT) + b"x" * LIMIT
    refused(tmp_path, forged(whole), "more bytes than the limit")
    for body in (zlib.compress(b"x" * 100)[:-6], zlib.compress(b"") + b"rest", b"no compression"):
        content = START + seal_of(START, body, KEY) + body
        refused(tmp_path, content, "incomplete|cannot be decompressed")
