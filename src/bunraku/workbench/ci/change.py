"""A change of a repository: its files, and the lines that it adds or replaces."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.paths import inner_path
from bunraku.engine.git_program import git

HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")

PLAIN = (
    *("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative"),
    "--ignore-submodules=all",  # otherwise git reads .gitmodules, which can be wrong
)
"""Options against a user's own settings of ``git diff``."""


class Change:
    """What differs between a commit and the working tree, below a directory.

    Files that git does not know and does not ignore are new as a whole. ``installed`` are the paths
    of installed modules, relative to the directory. Those without a file that git knows are left out.
    """

    def __init__(self, directory: str, commit: str, installed: Collection[str] = ()) -> None:
        self.directory = directory
        self.commit = commit
        self.top = os.path.realpath(git(directory, "rev-parse", "--show-toplevel"))
        names = git(directory, "diff", "--name-only", "-z", *PLAIN, commit, "--", ".").split("\0")
        text = git(directory, "diff", "--unified=0", *PLAIN, commit, "--", ".")
        self.lines = dict(zip(filter(None, names), hunks(text), strict=True))
        known = self.listed("--cached")
        left_out = self.without_files(installed, known)
        new = [name for name in self.listed("--others") if not lies_in_any(name, left_out)]
        self.new = set(new)
        self.tracked = {os.path.join(self.top, name) for name in (*known, *new)}
        """The paths of the files that git knows or does not ignore, without links.

        Modules that r10k has put in place are ignored: their mistakes are not those of the change.
        """
        self.renamed = self.new_names(commit) if self.lines else {}
        """The new names of files that the change renames, relative to the top of the repository."""

    def listed(self, which: str) -> list[str]:
        """Return the names of the files that ``git ls-files`` lists, relative to the top."""
        options = ("--exclude-standard", "--full-name", "-z", "--", ".")
        return [
            name for name in git(self.directory, "ls-files", which, *options).split("\0") if name
        ]

    def without_files(self, directories: Collection[str], known: list[str]) -> set[str]:
        """Return the names of the directories in which git knows no file."""
        inside = {self.name_of(os.path.join(self.directory, one)) for one in directories}
        return {one for one in inside if not any(name.startswith(f"{one}/") for name in known)}

    def new_names(self, commit: str) -> dict[str, str]:
        """Return the new names of renamed files."""
        options = [one for one in PLAIN if one != "--no-renames"]
        options += ["--find-renames", "--diff-filter=R", "--name-status", "-z"]
        words = git(self.directory, "diff", *options, commit, "--", ".").split("\0")
        return dict(zip(words[1::3], words[2::3], strict=True))

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not self.lines and not self.new

    def __contains__(self, finding: Diagnostic) -> bool:
        """Return whether a finding is on such a line, or is about such a file as a whole."""
        file, line, _ = finding.place.where
        if file is None:
            return True
        path = self.name_of(file)
        if path in self.new:
            return True
        found = self.lines.get(path)
        return found is not None and (line is None or any(line in one for one in found))

    def name_of(self, path: str) -> str:
        """Return the name of a file in the repository."""
        return inner_path(os.path.realpath(path), self.top)

    def old_text(self, name: str) -> str:
        """Return the text that a changed file, by its name, has in the commit; empty for one that it adds."""
        if not git(self.top, "ls-tree", "-z", self.commit, "--", name):
            return ""
        return git(self.top, "cat-file", "blob", f"{self.commit}:{name}")

    def touches(self, path: str) -> bool:
        """Return whether a file of the working tree is new or differs."""
        name = self.name_of(path)
        return name in self.new or name in self.lines

    def touches_old(self, name: str) -> bool:
        """Return whether a file of the commit, by its name, differs or is gone."""
        return name in self.lines

    def tracks(self, path: str) -> bool:
        """Return whether git knows a file, or does not ignore it."""
        return os.path.realpath(path) in self.tracked


def lies_in_any(name: str, directories: Collection[str]) -> bool:
    """Return whether a file is in one of some directories.

    >>> lies_in_any("modules/a/b.pp", {"modules/a"}), lies_in_any("modules/ab.pp", {"modules/a"})
    (True, False)
    """
    parts = name.split("/")
    return any("/".join(parts[:end]) in directories for end in range(1, len(parts)))


def hunks(text: str) -> Iterator[list[range]]:
    """Yield the ranges of new lines of each file in the output of ``git diff --unified=0``.

    >>> list(
    ...     hunks(
    ...         "diff --git a/x b/x\\n@@ -3,0 +4,2 @@ class x {\\n+diff --git\\n+b\\n@@ -9 +11 @@\\n"
    ...     )
    ... )
    [[range(4, 6), range(11, 12)]]
    """
    found: list[range] | None = None
    header = ""
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            if line == header:  # a file that becomes a link: its removal and its addition
                continue
            if found is not None:
                yield found
            found, header = [], line
        elif found is not None and (match := HUNK.match(line)):
            start, count = int(match[1]), int(match[2] or 1)
            if count:
                found.append(range(start, start + count))
    if found is not None:
        yield found


UPDATES = frozenset({"checkout", "merge", "none", "rebase"})
"""The values of ``submodule.NAME.update`` that git accepts in ``.gitmodules``: no commands."""


def refused_submodules(directory: str) -> str | None:
    """Return why git refuses the ``.gitmodules`` of a working tree; None if it does not."""
    top = git(directory, "rev-parse", "--show-toplevel")
    path = os.path.join(top, ".gitmodules")
    if not os.path.isfile(path):
        return None
    try:
        settings = git(top, "config", "-z", "--file", path, "--list").split("\0")
    except PuppetError as error:
        return str(error)
    for setting in settings:
        name, _, value = setting.partition("\n")
        if name.startswith("submodule.") and name.endswith(".update") and value not in UPDATES:
            return f"'{value}' is not a value of {name}"
    return None
