"""Exports and imports."""

from __future__ import annotations

import io
import json
import os
import random
import tarfile
import tracemalloc
from collections import Counter
from functools import partial

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.archive import VERSIONS, archived_commands, exported_pieces, import_archive
from bunraku.puppetdb.commands.process import Command, prepare, process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.world.whole_files import write_whole
from support.puppetdb import RECEIVED, load
from support.puppetdb_commands import facts, report, time_of


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    database = SqliteDatabase(str(tmp_path_factory.mktemp("puppetdb") / "site.db"))
    load(database)
    content = b"".join(exported_pieces(database))
    database.close()
    return content


def documents(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as found:
        return {
            member.name: json.loads(found.extractfile(member).read())
            for member in found
            if member.isfile()
        }


def test_an_export_has_the_metadata_first(archive):
    with tarfile.open(fileobj=io.BytesIO(archive)) as found:
        first = found.next()
        assert first.name == "puppetdb-bak/export-metadata.json"
        metadata = json.loads(found.extractfile(first).read())
    assert metadata["command_versions"] == VERSIONS


def test_an_import_of_an_export_gives_the_same_export(archive, tmp_path):
    database = SqliteDatabase(str(tmp_path / "site.db"))
    found = import_archive(io.BytesIO(archive), RECEIVED, partial(process, database))
    again = documents(b"".join(exported_pieces(database)))
    database.close()
    before = documents(archive)
    for one in (before, again):
        del one["puppetdb-bak/export-metadata.json"]
    assert found.errors == ()
    assert found.stored == len(before) > 100
    assert again.keys() == before.keys()
    assert [name for name in before if normal(again[name]) != normal(before[name])] == []


def normal(value):
    """Return a document without the order of what has none."""
    if isinstance(value, dict):
        return {key: normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((normal(item) for item in value), key=json.dumps)
    return value


def test_an_archive_says_whose_facts_never_expire(database, tmp_path):
    payload = {"certname": "a", "expire": {"facts": False}, "producer_timestamp": time_of(1)}
    content = json.dumps(payload).encode()
    process(database, Command("configure expiration", 1, "a", content, RECEIVED))
    process(database, Command("replace facts", 5, "a", json.dumps(facts("a")).encode(), RECEIVED))
    found = documents(b"".join(exported_pieces(database)))
    folders = [name.split("/")[1] for name in found]
    assert folders == ["export-metadata.json", "configure_expiration", "facts"]
    again = SqliteDatabase(str(tmp_path / "again.db"))
    archive = io.BytesIO(b"".join(exported_pieces(database)))
    assert import_archive(archive, RECEIVED, partial(process, again)).errors == ()
    query = Statement("SELECT expires_facts, expires_facts_updated FROM nodes")
    both = [[(bool(row[0]), row[1]) for row in one.rows(query, 60)] for one in (database, again)]
    again.close()
    assert both[0] == both[1] == [(False, both[0][0][1])]


MEGABYTE = 1 << 20
LOG = {
    "file": None,
    "line": None,
    "level": "notice",
    "source": "Puppet",
    "tags": [],
    "time": time_of(1),
}


def test_large_archives_need_little_memory(tmp_path):
    """1,500 reports, 10 MB of documents in all, pass through three megabytes."""
    database = SqliteDatabase(str(tmp_path / "site.db"))
    source = random.Random(15)
    with database.transaction() as connection:
        for number in range(1500):
            logs = [{**LOG, "message": source.randbytes(3_000).hex()}]
            found = report("a", 1, configuration_version=str(number), logs=logs)
            command = Command("store report", 8, "a", json.dumps(found).encode(), RECEIVED)
            prepare(command)(connection)
    path = str(tmp_path / "site.tgz")
    tracemalloc.start()
    write_whole(path, exported_pieces(database))
    exported = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    with open(path, "rb") as file:
        counts = Counter(command.name for command in archived_commands(file, RECEIVED))
    imported = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    database.close()
    assert counts == {"store report": 1500}
    assert exported < 3 * MEGABYTE
    assert imported < 3 * MEGABYTE


def test_an_error_in_the_middle_leaves_no_archive(tmp_path):
    def pieces():
        yield b"begin"
        raise ZeroDivisionError

    path = tmp_path / "site.tgz"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError):
        write_whole(str(path), pieces())
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["site.tgz"]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x1f\x8b\x08\x00"])
def test_other_files_are_refused(content):
    with pytest.raises(PuppetError, match="Cannot read the archive"):
        import_archive(io.BytesIO(content), RECEIVED, lambda _: None)
