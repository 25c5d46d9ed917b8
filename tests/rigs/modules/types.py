"""Resource types of modules as Puppet has them after loading them, and as bunraku reads them.

bunraku reads each type three times: fresh, from the cache in another process, and after a change of each
file that the type's file requires.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.base.disk_cache import DiskCache
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.modules.files import FileTable
from bunraku.ruby.schema.cache import resource_types
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.schema import own_library
from bunraku.world.machine import Machine
from rigs.modules.corpus import Library, Module

DRIVER = Path(__file__).with_name("types.rb")
TESTS = Path(__file__).parents[2]
FACTS = (
    *("parameters", "properties", "namevars", "title_patterns"),
    *("isomorphic", "applies_to", "features", "providers"),
)
"""What is compared; parameters, features and providers without their order."""
Description = Mapping[str, Any]


def questions(library: Library, modules: Iterable[Module]) -> Iterator[dict[str, Any]]:
    """Yield what to ask about the types of each module that has some."""
    for module in modules:
        files = sorted(module.folder.glob("lib/puppet/type/*.rb"))
        if files:
            folder, chosen = library.environment(module)
            yield {
                "label": module.label,
                "modulepath": str(folder.resolve()),
                "folders": [f"{folder.resolve()}/{one.name}/lib" for one in chosen],
                "name": module.name,
                "types": [path.stem for path in files],
            }


def puppets(asked: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Description]]:
    """Yield Puppet's descriptions of the types of each module."""
    for line in answers(["ruby", str(DRIVER)], asked):
        yield {one["asked"]: one for one in json.loads(line).get("types", ())}


def ours(
    asked: Sequence[Mapping[str, Any]], cache: Path | None
) -> Iterator[dict[str, Description]]:
    """Yield bunraku's descriptions, read in another process with a folder for the cache, or without."""
    command = [sys.executable, "-m", "rigs.modules.types", "" if cache is None else str(cache)]
    yield from map(json.loads, answers(command, asked))


def answers(command: Sequence[str], asked: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield the lines that a program answers to lines of JSON."""
    with tempfile.TemporaryFile() as file:
        file.write("".join(json.dumps(one) + "\n" for one in asked).encode())
        file.seek(0)
        with subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, cwd=TESTS) as process:
            assert process.stdout is not None
            yield from process.stdout
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")


class Changed(Machine):
    """A machine on which one file has other content."""

    def __init__(self, path: str, content: bytes) -> None:
        super().__init__()
        self.path = path
        self.content = content

    def read(self, path: str) -> bytes:
        """Return the content of a file."""
        return self.content if path == self.path else super().read(path)


def describe(question: Mapping[str, Any], name: str, cache: DiskCache | None) -> Description:
    """Return bunraku's description of a type."""
    path = f"{question['modulepath']}/{question['name']}/lib/puppet/type/{name}.rb"
    world = Machine()
    content = world.read(path)
    libraries = Libraries(FileTable(world), question["folders"], own_library(path))
    found = described(resource_types(content, path, libraries, cache), name)
    for file in libraries.contents if cache is not None else ():
        for changed in (libraries.contents[file] + b"\n# changed\n", b""):
            again = [
                Libraries(FileTable(Changed(file, changed)), question["folders"], own_library(path))
                for _ in range(2)
            ]
            cached = described(resource_types(content, path, again[0], cache), name)
            if cached != described(resource_types(content, path, again[1], None), name):
                return {"error": f"the cache has another answer after a change of {file}"}
        described(resource_types(content, path, libraries, cache), name)
    return found


def described(schemas: Iterable[ResourceTypeSchema], name: str) -> Description:
    """Return what is compared of a type."""
    schema = next((one for one in schemas if one.name == name), None)
    if schema is None:
        return {"missing": True}
    patterns: Any = [
        [text, flags, list(names)] for text, flags, names, _ in schema.title_patterns or ()
    ]
    if schema.title_patterns is None:
        patterns = [["(.*)", "m", list(schema.namevars[:1])]] if schema.titles_known else "unknown"
    return {
        **{key: getattr(schema, key) for key in FACTS},
        "title_patterns": patterns,
        "open": schema.open,
    }


@dataclass
class TypeFigures:
    """How many types both sides describe alike, fresh and from the cache."""

    modules: int = 0
    types: int = 0
    alike: int = 0
    alike_from_cache: int = 0
    refused: int = 0
    """Types that Puppet cannot load: something is missing on this machine, or their code is wrong."""
    refusals: dict[str, int] = field(default_factory=dict)
    differences: list[list[str]] = field(default_factory=list)


def compare_types(asked: Sequence[Mapping[str, Any]], cache: Path) -> TypeFigures:
    """Compare the types of modules on both sides; the cache must be empty."""
    figures = TypeFigures(len(asked))
    fresh = list(ours(asked, cache))
    cached = list(ours(asked, cache))
    for question, theirs, one, other in zip(asked, puppets(asked), fresh, cached, strict=True):
        for name in question["types"]:
            label = f"{question['label']} {name}"
            compare_type(
                label, theirs.get(name, {"missing": True}), one[name], other[name], figures
            )
    return figures


def compare_type(
    label: str, theirs: Description, fresh: Description, cached: Description, figures: TypeFigures
) -> None:
    """Add a type to the figures."""
    figures.types += 1
    if "error" in theirs:
        figures.refused += 1
        reason = theirs["error"].rpartition(": ")[2]
        figures.refusals[reason] = figures.refusals.get(reason, 0) + 1
        return
    found = list(differences(theirs, fresh))
    figures.alike += not found
    figures.alike_from_cache += not found and fresh == cached
    figures.differences += [[label, *one] for one in found]
    if fresh != cached:
        figures.differences.append([label, "cache", json.dumps(fresh), json.dumps(cached)])


def differences(theirs: Description, own: Description) -> Iterator[list[str]]:
    """Yield what differs: its name, Puppet's value, bunraku's value."""
    if "missing" in theirs or "missing" in own or "error" in own:
        if theirs.get("missing") != own.get("missing") or "error" in own:
            yield ["type", json.dumps(theirs), json.dumps(own)]
        return
    if own["open"]:
        yield ["open", "", own["open"]]
    for key in FACTS:
        left, right = comparable(key, theirs[key]), comparable(key, own[key])
        if left != right:
            yield [key, json.dumps(theirs[key]), json.dumps(own[key])]


def comparable(key: str, value: Any) -> Any:
    """Return a value without an order that means nothing."""
    if key in ("parameters", "features", "providers"):
        return Counter(value)
    return list(value) if isinstance(value, (list, tuple)) else value


def main() -> None:
    """Answer the questions on standard input; the argument is the folder of the cache."""
    cache = DiskCache(sys.argv[1]) if sys.argv[1] else None
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({name: describe(question, name, cache) for name in question["types"]}))


if __name__ == "__main__":
    main()
