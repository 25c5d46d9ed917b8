"""Snapshots of catalogs: the whole catalog as text in a file beside the test, which reviewers read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import unified_diff
from urllib.parse import quote

from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.catalog.text import stable_text
from bunraku.workbench.testing.catalog import CatalogUnderTest
from bunraku.workbench.testing.match import Match
from bunraku.world.whole_files import write_whole

FOLDER = "snapshots"
EXTENSION = ".pp"
UPDATE = "--bunraku-update"
"""The option that accepts the catalogs of a run."""
CONTEXT = 2
"""Lines around a change in a message."""


def snapshot_file(test_file: str, test: str, number: int) -> str:
    """Return the path of the snapshot of a test; a test can have several.

    >>> snapshot_file("/m/spec/test_ntp.py", "test_all[debian-12-x86_64]", 1)
    '/m/spec/snapshots/test_ntp/test_all[debian-12-x86_64].pp'
    >>> snapshot_file("/m/spec/test_ntp.py", "test_all", 2)
    '/m/spec/snapshots/test_ntp/test_all.2.pp'
    """
    directory, name = os.path.split(test_file)
    part = "" if number == 1 else f".{number}"
    file = f"{quote(test, safe='[] ')}{part}{EXTENSION}"
    return os.path.join(directory, FOLDER, os.path.splitext(name)[0], file)


@record(slots=False)
class Snapshots:
    """The snapshots of one test; the fixture ``snapshot``.

    ``update`` writes them instead of comparing. ``matches`` collects the answers for explanations.
    """

    test_file: str
    test: str
    update: bool
    matches: list[Match]
    count: int = 0

    def __call__(self, catalog: CatalogUnderTest) -> Match:
        """Return whether a catalog is as in its snapshot; the next call is for the next snapshot.

        Places in manifests, tags and the order of resources do not count. Values of Sensitive are not
        in the text, so other secrets make no difference.
        """
        self.count += 1
        path = snapshot_file(self.test_file, self.test, self.count)
        text = stable_text(catalog.to_data()["resources"])
        match = Match(None, f"the catalog of {catalog.name}")
        self.matches.append(match)
        if self.update:
            write_snapshot(path, text)
            return match
        name = os.path.relpath(path)
        if not os.path.exists(path):
            return match.add(
                f"there is no snapshot {name}", lambda: f"  accept this catalog with {UPDATE}"
            )
        kept = read_whole(path).decode("utf-8", "surrogateescape")
        if kept != text:
            match.add(
                f"the catalog differs from {name}",
                lambda: changes(kept.splitlines(), text.splitlines()),
            )
        return match


def write_snapshot(path: str, text: str) -> None:
    """Write a snapshot if it differs from the file."""
    content = text.encode("utf-8", "surrogateescape")
    if os.path.exists(path) and read_whole(path) == content:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, content)


def changes(old: Sequence[str], new: Sequence[str]) -> str:
    """Return the changed lines with some around them, and how to accept them.

    >>> print(changes(["file { '/a':", "  mode => '0644',", "}"], ["file { '/a':", "}"]))
      file { '/a':
    -   mode => '0644',
      }
      accept this catalog with --bunraku-update
    """
    found: list[str] = []
    for line in unified_diff(old, new, n=CONTEXT, lineterm=""):
        if line.startswith(("---", "+++")) and len(line) == len("--- "):
            continue
        if line.startswith("@@"):
            found += ["  …"] if found else []
        else:
            found.append(f"{line[0]} {line[1:]}")
    return "\n".join([*found, f"  accept this catalog with {UPDATE}"])
