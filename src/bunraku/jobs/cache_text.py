"""What the caches have, and what became of them, as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bunraku.base.disk_cache import MIB
from bunraku.base.excerpt import visible

Data = Mapping[str, Any]


def shown_lines(data: Data, _file: str) -> Iterator[str]:
    """Yield the state of the caches."""
    reason, modules = data["reason"], data["modules"]
    yield f"folder:  {visible(data['folder'] or 'none')}"
    yield f"used:    {'yes' if reason is None else f'no: {visible(reason)}'}"
    if data["entries"] is not None:
        yield f"entries: {data['entries']}"
        yield f"size:    {size_text(data['bytes'])}"
    if data["limit"] is not None:
        yield f"limit:   {size_text(data['limit'])}"
    if modules["exists"]:
        yield f"modules: {visible(modules['folder'])}"
        yield f"  {store_text(modules)}"
        yield f"  used by {number_with_noun(modules['bases'], 'base directory', 'base directories')}"


def cleared_lines(data: Data, _file: str) -> Iterator[str]:
    """Yield what was removed from the cache of code."""
    count = number_with_noun(data["entries"], "entry", "entries")
    yield f"removed {count} ({size_text(data['bytes'])}) from {visible(data['folder'])}"


def pruned_lines(data: Data, _file: str) -> Iterator[str]:
    """Yield what was removed from the store of modules."""
    yield f"removed from {visible(data['folder'])}: {store_text(data)}"


def verified_lines(data: Data, _file: str) -> Iterator[str]:
    """Yield what was damaged."""
    for path in data["damaged"]:
        yield f"damaged, removed: {visible(path)}"
    yield f"{data['checked']} checked, {len(data['damaged'])} damaged"


def exported_lines(data: Data, file: str) -> Iterator[str]:
    """Yield what was written."""
    count = number_with_noun(data["entries"], "entry", "entries")
    yield f"exported {count} to {visible(file)} ({size_text(data['bytes'])})"


def imported_lines(data: Data, file: str) -> Iterator[str]:
    """Yield what was added."""
    count = number_with_noun(data["entries"], "entry", "entries")
    yield f"imported {count} from {visible(file)}: {data['new']} of them new"


def store_text(data: Data) -> str:
    """Return what a store has, or what was removed from it."""
    files = number_with_noun(data["files"], "file", "files")
    trees = number_with_noun(data["trees"], "tree", "trees")
    remotes = number_with_noun(data["remotes"], "git remote", "git remotes")
    downloads = size_text(data["cache_bytes"])
    return f"{files} ({size_text(data['bytes'])}), {trees}, {remotes} and downloads ({downloads})"


def number_with_noun(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"


def size_text(size: int) -> str:
    """Return a number of bytes in KiB or MiB.

    >>> size_text(0), size_text(12288), size_text(5 * MIB // 2), size_text(512 * MIB)
    ('0 KiB', '12 KiB', '2.5 MiB', '512 MiB')
    """
    value, unit = (size / 1024, "KiB") if size < MIB else (size / MIB, "MiB")
    return f"{f'{value:.1f}'.removesuffix('.0')} {unit}"


LINES: Mapping[str, Callable[[Data, str], Iterator[str]]] = {
    "show": shown_lines,
    "clear": cleared_lines,
    "prune": pruned_lines,
    "verify": verified_lines,
    "export": exported_lines,
    "import": imported_lines,
}
