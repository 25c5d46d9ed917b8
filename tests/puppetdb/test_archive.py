"""Exports and imports."""

from __future__ import annotations

import io
import json
import tarfile
from functools import partial

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.archive import VERSIONS, exported_pieces, import_archive
from bunraku.puppetdb.commands.process import process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from support.puppetdb import RECEIVED, load


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


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x1f\x8b\x08\x00"])
def test_other_files_are_refused(content):
    with pytest.raises(PuppetError, match="Cannot read the archive"):
        import_archive(io.BytesIO(content), RECEIVED, lambda _: None)
