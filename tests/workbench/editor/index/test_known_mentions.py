"""Names that were read once answer as files that are parsed again, and a file that has changed is read again."""

from __future__ import annotations

import os
import random
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.jobs.editor import Projects
from bunraku.workbench.editor.host import EditorHost
from bunraku.workbench.editor.index.known_mentions import mentions_in_file
from bunraku.workbench.editor.index.packed_mentions import packed, unpacked
from bunraku.workbench.editor.index.store import PARTS
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.references import ALL, symbol_places
from support.editor import Workspace

MODULES = Path("/usr/share/puppet/modules.available")
LONG_AGO = 1_600_000_000
"""A time of files that have not changed a moment ago."""
NAMES = 100


def aged(root: Path) -> None:
    """Give all files a time long ago."""
    for path in root.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))


def read_all(host: EditorHost) -> None:
    """Read the index and all names, as the server does in the background."""
    assert host.snapshot().index
    while host.index_step():
        pass
    for step in host.mention_steps():
        step()


@pytest.mark.skipif(not MODULES.is_dir(), reason="needs Debian's modules")
def test_random_names_have_the_places_of_a_whole_parse(tmp_path):
    for module in sorted(MODULES.iterdir())[::8]:
        shutil.copytree(module, tmp_path / module.name)
    host = EditorHost(Projects([].append))
    host.set_folders([str(tmp_path)])
    read_all(host)
    snapshot, places = host.snapshot(), defaultdict(set)
    used = []
    for record in host.index.records():
        source = host.source(record.path)
        assert source is not None
        found = mentions_in_file(source, host.project_of(record.path).dialect)
        assert snapshot.mentions(record.path) == found
        for one in found:
            for symbol in snapshot.symbols(one):
                places[symbol].add(FilePlace(record.path, one.range))
                used.append((symbol, record.path))
    assert len(used) > 5_000
    for symbol, path in random.Random(1).sample(used, NAMES):
        found = list(symbol_places(snapshot, symbol, path, ALL))
        assert len(set(found)) == len(found)
        assert set(found) == places[symbol], symbol


def test_an_answer_reads_no_file_that_has_not_changed(workspace):
    made = workspace(
        {
            "manifests/init.pp": "class ntp {\n  include ntp::ser^ver\n}\n",
            "manifests/server.pp": "class ntp::server {}\n",
            "manifests/other.pp": "class ntp::other {\n  include ntp::server\n}\n",
        }
    )
    aged(made.root)
    read_all(made.host)
    before = places_of_cursor(made)
    assert len(before) == 3
    empty_unnoticed(made.root)
    assert places_of_cursor(made) == before


def empty_unnoticed(root: Path) -> None:
    """Replace the content of all manifests by blanks; their sizes and times stay."""
    for path in root.rglob("*.pp"):
        path.write_text(" " * path.stat().st_size)
    aged(root)


def places_of_cursor(made: Workspace) -> list[FilePlace]:
    """Return the places of the name at the cursor."""
    snapshot, path, offset = made.cursor
    mention = snapshot.mention_at(path, offset)
    assert mention is not None
    return list(symbol_places(snapshot, snapshot.symbol(mention), path, ALL))


def test_a_changed_file_is_read_again_and_a_new_one_is_read(workspace):
    made = workspace(
        {
            "manifests/init.pp": "class ntp {\n  include ntp::ser^ver\n}\n",
            "manifests/server.pp": "class ntp::server {}\n",
        }
    )
    aged(made.root)
    read_all(made.host)
    later = made.root / "manifests/server.pp"
    later.write_text("\n\nclass ntp::server {}\n")
    for name in ("manifests/new.pp", "manifests/server.pp"):
        (made.root / name).write_text("\n\nclass ntp::server {}\n")
        made.host.note_change(str(made.root / name))
    assert sorted(map(made.shown, places_of_cursor(made))) == [
        "manifests/init.pp:2 ntp::server",
        "manifests/new.pp:3 ntp::server",
        "manifests/server.pp:3 ntp::server",
    ]


def test_the_next_server_reads_what_is_stored(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = workspace(
        {
            "manifests/init.pp": "class ntp {\n  include ntp::ser^ver\n}\n",
            "manifests/server.pp": "class ntp::server {}\n",
            "data/common.yaml": "ntp::server::port: 3\n",
        }
    )
    aged(made.root)
    read_all(made.host)
    before = places_of_cursor(made)
    assert len(before) == 2
    text = made.host.documents[made.path].text
    (made.root / "data/common.yaml").unlink()
    empty_unnoticed(made.root)
    made.host = EditorHost(Projects(made.notes.append))
    made.host.set_folders([str(made.root)])
    read_all(made.host)
    known = made.host.known_mentions
    kept = [path for number in range(PARTS) for path in known.part(number)]
    assert {Path(path).name for path in kept} == {"init.pp", "server.pp", "metadata.json"}
    made.host.change(made.path, text)
    assert places_of_cursor(made) == before


def test_names_at_one_place_keep_their_order():
    text = "class a {\n  class { 'b': c => 1 }\n  b { 'b': }\n  $x = epp('a/b', { 'b' => $b })\n}\n"
    source = Source(text, "/m/a/manifests/init.pp")
    found = mentions_in_file(source, dialect_named("8"))
    assert len(found) > 8
    again = [*found, found[3], found[0]]
    assert unpacked(packed(again)) == again


@pytest.mark.parametrize(
    ("text", "starts"),
    [("class a {\n}\n", [0, 10, 12]), ("", [0]), ("# é\n", None), ("a\r\nb\r", None)],
)
def test_lines_are_known_where_all_encodings_count_alike(workspace, text, starts):
    made = workspace({"manifests/init.pp": text, "manifests/other.pp": text})
    aged(made.root)
    read_all(made.host)
    path = str(made.root / "manifests/init.pp")
    found = made.snapshot.line_starts(path)
    assert (found if found is None else list(found)) == starts
    made.host.change(path, text)
    assert made.snapshot.line_starts(path) is None


def test_what_is_stored_is_not_the_unsaved_text(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = workspace({"manifests/init.pp": "class ntp {}\n"})
    aged(made.root)
    path = str(made.root / "manifests/init.pp")
    made.host.change(path, "class unsaved {}\n")
    read_all(made.host)
    assert made.host.index.definitions("class", "unsaved")
    other = EditorHost(Projects([].append))
    other.set_folders([str(made.root)])
    read_all(other)
    assert other.index.definitions("class", "ntp")
    assert other.index.files_with("ntp") == [path, str(made.root / "metadata.json")]
    assert not other.index.definitions("class", "unsaved")
    assert other.index.files_with("unsaved") == []
