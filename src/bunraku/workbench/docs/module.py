"""All documented things of a module: which files have them, and in which order they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse
from bunraku.syntax.rules import DEFAULTS
from bunraku.workbench.docs.extents import recorded_text, tree_text
from bunraku.workbench.docs.manifests import things_of
from bunraku.workbench.docs.model import ModuleDocs
from bunraku.world.protocol import World

FOLDERS = (
    ("manifests", ".pp", True),
    ("functions", ".pp", True),
    ("types", ".pp", True),
    ("lib", ".rb", True),
    ("tasks", ".json", False),
    ("plans", ".pp", True),
)
"""A folder, the ending of its files, and whether folders below it count, in Puppet Strings' order."""
OF_PLANS = replace(DEFAULTS, tasks=True)
"""The syntax of plans, which have words of their own; all other manifests have that of Puppet 8."""


def read_module(world: World, root: str, *, is_newer: bool = False) -> ModuleDocs:
    """Return the things of the module in a directory; paths are relative to it.

    ``is_newer`` is whether types and defaults are those of Puppet Strings since release 3.
    """
    docs = ModuleDocs(is_newer=is_newer)
    for path in documented_files(world, root):
        try:
            content = world.read(f"{root}/{path}")
        except OSError as error:  # a link to nothing, or a file without the right to read it
            docs.broken.append((path, 0, f"cannot be read: {error.strerror or error}"))
            continue
        text = content.decode("utf-8", "surrogateescape")
        docs.sources[path] = Source(text, path, on_disk=True)
        READERS[path.rpartition(".")[2]](docs, text, path)
    docs.join_providers()
    return docs


def is_module(world: World, directory: str) -> bool:
    """Return whether a directory is a module and not a control repository: it has documented files."""
    if world.is_file(f"{directory}/environment.conf"):
        return False
    if world.is_file(f"{directory}/metadata.json"):
        return True
    is_repository = world.is_file(f"{directory}/Puppetfile") or world.is_file(
        f"{directory}/manifests/site.pp"
    )
    return not is_repository and next(documented_files(world, directory), None) is not None


def documented_files(world: World, root: str) -> Iterator[str]:
    """Yield the paths of the files that are read, in the order in which Puppet Strings reads them."""
    for folder, ending, deep in FOLDERS:
        paths = names_below(world, root, folder, deep=deep)
        yield from sorted(
            (path for path in paths if path.endswith(ending)), key=lambda path: (len(path), path)
        )


def names_below(world: World, root: str, folder: str, *, deep: bool) -> Iterator[str]:
    """Yield the files below a folder; hidden ones do not count."""
    try:
        names = world.list_directory(f"{root}/{folder}")
    except OSError:
        return
    for name in names:
        path = f"{folder}/{name}"
        if name.startswith("."):
            continue
        if world.is_directory(f"{root}/{path}"):
            if deep:
                yield from names_below(world, root, path, deep=True)
        else:
            yield path


def read_manifest(docs: ModuleDocs, text: str, path: str) -> None:
    """Add the definitions of a manifest; one with an error in its syntax has none."""
    is_plan = path.startswith("plans") or "/plans/" in path
    source = docs.sources[path]
    if text.startswith("\ufeff"):
        source = Source(text[1:], path, on_disk=True)
    result = parse(source, OF_PLANS if is_plan else DEFAULTS)
    errors = [one for one in result.diagnostics if one.severity == "error"]
    if errors:
        docs.broken.append((path, errors[0].line or 1, errors[0].message))
        return
    for thing in things_of(result.program, path, tree_text if docs.is_newer else recorded_text):
        docs.add(thing)


def read_metadata(docs: ModuleDocs, text: str, path: str) -> None:
    """Add the task of a metadata file."""
    from bunraku.workbench.docs.tasks import read_task

    try:
        task = read_task(text, path)
    except ValueError as error:
        docs.broken.append((path, getattr(error, "lineno", 1), str(error)))
        return
    if task is not None:
        docs.add(task)


def read_ruby(docs: ModuleDocs, text: str, path: str) -> None:
    """Add what a file of Ruby code defines."""
    from bunraku.workbench.docs.ruby.read import read_ruby_file

    read_ruby_file(docs, text, path)


READERS: dict[str, Callable[[ModuleDocs, str, str], None]] = {
    "pp": read_manifest,
    "rb": read_ruby,
    "json": read_metadata,
}
