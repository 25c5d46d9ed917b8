"""Entries at the end of files: their texts are those that Augeas writes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from bunraku.providers.lens_append import Entries, EntryTexts, Nodes, appended, entries_at
from bunraku.world.augeas import LibraryTree, is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="libaugeas is not installed")
NODE = "/files/file"
WORDS = ("a", "10", "yes", "/usr/bin/x", "a-b", '"two words"', "'x'", "$HOME", "a=b", "é", "(a b)")


class Files:
    """A file that Augeas writes, beside the text that the appended entries give."""

    def __init__(self, root: Path, lens: str, text: str, *, free_labels: bool) -> None:
        self.path = root / "file"
        self.path.write_text(text)
        self.tree = LibraryTree(str(root), "", type_check=False, autoload=False)
        self.tree.set("/augeas/load/X/lens", lens)
        self.tree.set("/augeas/load/X/incl", "/file")
        self.tree.load()
        self.texts = EntryTexts(self.tree, lens, free_labels=free_labels)
        self.appended = 0

    def entries(self) -> Entries:
        """Return the entries of the file."""
        found = entries_at(self.tree, NODE)
        assert found is not None
        return found

    def add(self, nodes: Iterable[tuple[str, str]]) -> None:
        """Add an entry, let Augeas write it, and compare its text with ours if there is one."""
        old, before = self.entries(), self.path.read_text()
        for path, value in nodes:
            self.tree.set(f"{NODE}/{path}", value)
        new = self.entries()
        entry = appended(old, new)
        added = None if entry is None else self.texts.text(entry)
        is_read = added is not None and self.texts.reads_as(before + added, new)
        saved = self.tree.save()
        assert saved or not is_read
        if not saved:
            self.tree.remove(NODE)
            self.tree.remove("/augeas/files/file")
            self.tree.load()
        if is_read and added is not None:
            self.appended += 1
            assert self.path.read_text() == before + added


def test_shell_variables_are_those_of_augeas(tmp_path: Path) -> None:
    chosen = random.Random(40)
    files = Files(tmp_path, "Shellvars.lns", "# first\nA=1\n\n", free_labels=True)
    for number in range(60):
        files.add([(f"NAME{number}", chosen.choice(WORDS))])
    assert files.appended > 40


def test_settings_of_sshd_are_those_of_augeas(tmp_path: Path) -> None:
    chosen = random.Random(41)
    files = Files(tmp_path, "Sshd.lns", "Port 22\n", free_labels=False)
    for _ in range(10):
        files.add([("AcceptEnv[last()+1]/1", chosen.choice(WORDS)), ("AcceptEnv[last()]/2", "X")])
    for number in range(40):
        setting, value = chosen.choice(["X11Forwarding", "AllowUsers/1"]), chosen.choice(WORDS)
        condition = ("Match[last()+1]/Condition/Group", f"g{number}")
        files.add([condition, (f"Match[last()]/Settings/{setting}", value)])
    assert files.appended > 25


def test_a_setting_after_a_block_is_not_read_as_wanted(tmp_path: Path) -> None:
    text = 'Match Group "x"\n  X11Forwarding no\n'
    files = Files(tmp_path, "Sshd.lns", text, free_labels=False)
    files.texts.seen.add((("LogLevel", "x7310570"),))
    old = files.entries()
    files.tree.set(f"{NODE}/LogLevel", "INFO")
    new = files.entries()
    entry = appended(old, new)
    assert entry == (("LogLevel", "INFO"),)
    added = files.texts.text(entry)
    assert added == "LogLevel INFO\n"
    assert not files.texts.reads_as(text + added, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((("A", "1"),), (("A", "2"),)),
        ((("A", "1"),), (("A", "2"), ("B", "1"))),
        ((("A", "1"),), (("B", "1"), ("A", "1"))),
        ((("A", "1"),), ()),
        ((), (("A", "1"), ("B", "1"))),
    ],
)
def test_other_changes_are_not_appended(old: Nodes, new: Nodes) -> None:
    before, after = (Entries(tuple(name for name, _ in one), one) for one in (old, new))
    assert appended(before, after) is None
