"""Templates, files and keys of Hiera to complete."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.workbench.editor.completion.items import CompletionItem
from bunraku.workbench.editor.snapshot import Snapshot

FILE_URL = "puppet:///modules/"
TEMPLATE_SUFFIXES = {
    "epp": (".epp",),
    "template": (".erb",),
    "inline_epp": (),
    "inline_template": (),
}
MOST_FILES = 2_000


def module_files(
    snapshot: Snapshot, path: str, folder: str, suffixes: tuple[str, ...] = ("",)
) -> Iterator[str]:
    """Yield the files in a folder of each module, as MODULE/PATH."""
    count = 0
    for name, root in snapshot.project_of(path).modules.items():
        top = f"{root}/{folder}"
        for directory, folders, files in os.walk(top):
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for file in sorted(files):
                if file.endswith(suffixes):
                    yield f"{name}/{os.path.relpath(f'{directory}/{file}', top)}"
                    count += 1
            if count > MOST_FILES:
                return


def templates(snapshot: Snapshot, path: str, function: str) -> Iterator[CompletionItem]:
    """Yield the templates of modules for a function."""
    suffixes = TEMPLATE_SUFFIXES.get(function, ("",))
    for name in module_files(snapshot, path, "templates", suffixes) if suffixes else ():
        yield CompletionItem(name, "file")


def files(snapshot: Snapshot, path: str) -> Iterator[CompletionItem]:
    """Yield the files of modules for the function ``file``."""
    return (CompletionItem(name, "file") for name in module_files(snapshot, path, "files"))


def file_urls(snapshot: Snapshot, path: str) -> Iterator[CompletionItem]:
    """Yield the addresses of files of modules."""
    for name in module_files(snapshot, path, "files"):
        yield CompletionItem(f"{FILE_URL}{name}", "file")
