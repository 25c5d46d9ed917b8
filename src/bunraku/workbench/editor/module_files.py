"""The files of modules that code names: templates, files, and the directories of modules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob

from bunraku.checks.files import with_folders_above
from bunraku.workbench.editor.mentions import Kind, PuppetSymbol
from bunraku.workbench.editor.snapshot import Snapshot

FOLDERS: dict[Kind, str] = {"template": "templates", "file": "files"}
"""The kinds of names that stand for a file, with the folder of the module."""
MOST_FILES = 50


def files_named(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[str]:
    """Return the paths of the file of a module that a name stands for; a path of the machine is itself.

    ``path`` is the file that uses the name.
    """
    if symbol.name.startswith("/"):
        return list(named_files(symbol.name)) or list(
            named_files(path_here(snapshot, symbol.name, path))
        )
    module, _, name = symbol.name.partition("/")
    found = (f"{one}/{FOLDERS[symbol.kind]}/{name}" for one in directories(snapshot, module, path))
    return [one for one in found if os.path.exists(one)]


def directories(snapshot: Snapshot, module: str, path: str) -> Iterator[str]:
    """Yield the directories of the modules of a name: those of the project, then others of the workspace."""
    seen = set()
    for one in snapshot.project_of(path).module_directories:
        if os.path.basename(one) == module or os.path.basename(one).endswith(f"-{module}"):
            seen.add(one)
            yield one
    for found in snapshot.index.definitions("module", module):
        directory = os.path.dirname(found.path)
        if directory not in seen:
            yield directory


def path_here(snapshot: Snapshot, named: str, path: str) -> str:
    """Return where a path of a server is in the project of the file that names it, if one of its directories is there."""
    resolved = snapshot.project_of(path).resolved
    if resolved is None:
        return named
    for directory in with_folders_above(named):
        here = resolved.environment.path_here(directory)
        if here != directory:
            return f"{here}{named[len(directory) :]}"
    return named


def named_files(path: str) -> Iterator[str]:
    """Yield the files that an absolute path means: itself, what fits a pattern, the files in a directory, or its modules."""
    found = sorted(glob(path))
    for one in found[:MOST_FILES]:
        if os.path.isfile(one):
            yield one
        else:
            inner = sorted(glob(f"{one}/*.*")) or sorted(glob(f"{one}/*/metadata.json"))
            yield from [each for each in inner if os.path.isfile(each)][:MOST_FILES]
