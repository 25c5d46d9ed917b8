"""The files of modules that code names: templates, files, and the directories of modules."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.workbench.editor.mentions import Kind, PuppetSymbol
from bunraku.workbench.editor.snapshot import Snapshot

FOLDERS: dict[Kind, str] = {"template": "templates", "file": "files"}
"""The kinds of names that stand for a file, with the folder of the module."""


def files_named(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[str]:
    """Return the paths of the file of a module that a name stands for; a path of the machine is itself.

    ``path`` is the file that uses the name.
    """
    if symbol.name.startswith("/"):
        from bunraku.workbench.editor.languages.configuration import named_files

        return list(named_files(symbol.name))
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
