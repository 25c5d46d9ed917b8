"""An index after changes answers as one that is made of the same files at once."""

from __future__ import annotations

import os
import random

import pytest

from bunraku.workbench.editor.index.files import indexed_files
from bunraku.workbench.editor.index.index import MOST_CHANGED, Index
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.index.tables import IndexTables
from bunraku.workbench.editor.places import TextRange

PLACE = TextRange(0, 1)
NAMES = ["ntp", "ntp::server", "web", "db"]
TEMPLATES = ["ntp/a.erb", "ntp/b.epp"]
PATHS = [f"/m/ntp/manifests/{letter}.pp" for letter in "abcdefgh"] + [
    "/m/ntp/templates/a.erb",
    "/n/ntp/templates/a.erb",
]
STEPS = 200


def made(path: str, numbers: random.Random) -> FileRecord:
    """Return a random record."""
    names = numbers.sample(NAMES, numbers.randint(0, 2))
    kinds = [numbers.choice(["class", "resource_type"]) for _ in names]
    definitions = tuple(
        IndexedDefinition(kind, name, name, path, PLACE, PLACE)
        for kind, name in zip(kinds, names, strict=True)
    )
    words = numbers.sample(NAMES, numbers.randint(0, len(NAMES)))
    renders = tuple((one, "ntp") for one in TEMPLATES if numbers.random() < 0.3)
    return FileRecord(path, definitions, "\n".join(["", *words, ""]), renders)


def answers(index: Index) -> dict[str, object]:
    """Return all that an index answers; the order of files is that in which they came."""
    return {
        "files": sorted(one.path for one in index.records()),
        "words": [index.files_with(name) for name in NAMES],
        "both": index.files_with("NTP", "web"),
        "names": sorted(index.names("class")),
        "definitions": [
            sorted(index.definitions(kind, name), key=lambda one: one.path)
            for kind in ("class", "resource_type")
            for name in NAMES
        ],
        "renderers": [index.renderers_of(one) for one in TEMPLATES],
        "templates": sorted(index.template_files("ntp/a.erb")),
    }


@pytest.mark.parametrize("most", [0, 3, MOST_CHANGED])
def test_changes_in_turn_are_the_files_at_once(most):
    numbers = random.Random(most)
    files = {path: made(path, numbers) for path in PATHS[:5]}
    index = Index(most_changed=most).replaced(files.values())
    for _ in range(STEPS):
        path = numbers.choice(PATHS)
        if numbers.random() < 0.3:
            files.pop(path, None)
            index = index.replaced([], [path])
        else:
            files[path] = made(path, numbers)
            index = index.replaced([files[path]])
        assert answers(index) == answers(Index().replaced(files.values()))


def test_an_earlier_index_does_not_change():
    numbers = random.Random(1)
    first = Index().replaced(made(path, numbers) for path in PATHS)
    before = answers(first)
    later = first
    for path in PATHS * 20:
        later = later.replaced([made(path, numbers)])
    assert answers(later) != before
    assert answers(first) == before


def test_a_definition_keeps_its_place_among_others():
    def record(path: str, words: str) -> FileRecord:
        return FileRecord(
            path, (IndexedDefinition("class", "ntp", "ntp", path, PLACE, PLACE),), words
        )

    index = Index().replaced([record("/b.pp", "\n"), record("/a.pp", "\n")])
    index = Index(index.new_tables())
    before = [one.path for one in index.definitions("class", "ntp")]
    later = index.replaced([record("/b.pp", "\nother\n")])
    assert [one.path for one in later.definitions("class", "ntp")] == before
    later = later.replaced([record("/c.pp", "\n")])
    assert [one.path for one in later.definitions("class", "ntp")] == [*before, "/c.pp"]


def test_a_record_that_is_as_before_is_no_change():
    record = FileRecord("/a.pp", (), "\nntp\n")
    index = Index().replaced([record])
    index = Index(index.new_tables())
    other = index.replaced([FileRecord("/a.pp", (), "\nweb\n")])
    assert list(other.changed) == ["/a.pp"]
    assert not other.replaced([FileRecord("/a.pp", (), "\nntp\n")]).changed


def test_words_of_files_wait_until_they_are_asked_for():
    tables = IndexTables()
    tables.add(FileRecord("/a.pp", words="\nntp\nweb\n"))
    tables.add(FileRecord("/b.pp", words="\nntp\n"))
    assert not tables.by_word
    tables.add_waiting_words()
    assert dict(tables.by_word) == {"ntp": ["/a.pp"], "web": ["/a.pp"]}
    index = Index(tables)
    assert index.replaced([FileRecord("/c.pp", words="\nntp\n")]).files_with("ntp") == [
        "/a.pp",
        "/b.pp",
        "/c.pp",
    ]
    assert not tables.waiting


def test_a_directory_behind_several_links_is_indexed_once(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m/a.pp").write_text("")
    (tmp_path / "m/loop").symlink_to(tmp_path)
    (tmp_path / "n").symlink_to("m")
    found = [path for path, _state in indexed_files([str(tmp_path), str(tmp_path / "n")])]
    assert [os.path.realpath(one) for one in found] == [f"{tmp_path}/m/a.pp"]


def test_words_are_read_after_definitions():
    read = []

    def words_of(path: str) -> str:
        read.append(path)
        return f"\n{path[1]}\nboth\n"

    tables = IndexTables(words_of=words_of)
    for path in ("/a.pp", "/b.pp", "/c.pp"):
        tables.add(FileRecord(path), has_words=path == "/c.pp")
    index = Index(tables)
    assert [one.path for one in index.records()] == ["/a.pp", "/b.pp", "/c.pp"]
    assert not read
    assert index.has_word("/b.pp", "b")
    assert read == ["/b.pp"]
    assert index.files_with("both") == ["/a.pp", "/b.pp"]
    assert index.files_with_prefix("a") == ["/a.pp"]
    assert read == ["/b.pp", "/a.pp"]
