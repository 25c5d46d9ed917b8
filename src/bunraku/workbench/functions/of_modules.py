"""The functions that the modules of an environment bring, for people: ``bunraku functions``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.modules.autoload import FUNCTION_FOLDERS
from bunraku.modules.environment import Environment
from bunraku.runtime.issues import UNREADABLE_FILE
from bunraku.syntax.nodes import FunctionDefinition
from bunraku.workbench.functions.listing import FunctionEntry
from bunraku.workbench.functions.ruby_signatures import old_signature, ruby_signatures
from bunraku.world.protocol import World

KINDS = {
    "puppet": "function in the Puppet language",
    "python": "Python function",
    "ruby": "Ruby function",
    "ruby3": "Ruby function of the 3.x kind",
}
TAG = lazy_pattern(r"^\s*@\w+")
DEFINITION = lazy_pattern(
    r"Puppet::Functions\.create_function|newfunction\b|^@function", re.MULTILINE
)


def module_functions(environment: Environment) -> list[FunctionEntry]:
    """Return the functions of an environment's modules and of the environment itself, by name.

    A function is the module's whose file is found first.
    """
    places = [(name, path) for name, path in environment.module_paths]
    if environment.path is not None:
        places.append(("environment", environment.path))
    found: dict[str, FunctionEntry] = {}
    for module, root in places:
        for kind, folder, suffix in FUNCTION_FOLDERS:
            for below in names_of_files(environment.world, f"{root}/{folder}", suffix):
                name = below.replace("/", "::")
                if kind == "puppet":
                    name = f"{module}::{name}"
                if name not in found:
                    path = f"{root}/{folder}/{below}{suffix}"
                    found[name] = entry(environment.world, name, module, kind, path)
    return [found[name] for name in sorted(found)]


def names_of_files(world: World, directory: str, suffix: str) -> Iterator[str]:
    """Yield the files below a directory that have an extension, without it."""
    try:
        names = world.list_directory(directory)
    except OSError:
        return
    for name in names:
        if world.is_directory(f"{directory}/{name}"):
            yield from (
                f"{name}/{one}" for one in names_of_files(world, f"{directory}/{name}", suffix)
            )
        elif name.endswith(suffix):
            yield name.removesuffix(suffix)


def entry(world: World, name: str, module: str, kind: str, path: str) -> FunctionEntry:
    """Return the description of a function of a module; PuppetError if it cannot be read."""
    try:
        text = world.read(path).decode("utf-8", "replace")
    except OSError as error:
        raise UNREADABLE_FILE(path=path, reason=error.strerror or error) from None
    if kind == "puppet":
        signature, start = puppet_signature(text, path, name)
        signatures = [signature]
    else:
        found = DEFINITION.search(text)
        signatures, start = declared_signatures(name, kind, text), found.start() if found else 0
    documentation = comment_before(text, start) or f"{KINDS[kind]} of the module {module}."
    status = f"{KINDS[kind]} in {path}"
    return FunctionEntry(name, module, "", None, (), status, tuple(signatures), documentation, ())


def declared_signatures(name: str, kind: str, text: str) -> list[str]:
    """Return the signatures of a function in Ruby or Python, with dots if its file does not show them."""
    found: list[str] = []
    if kind == "ruby":
        found = ruby_signatures(name, text)
    elif kind == "ruby3" and (old := old_signature(name, text)):
        found = [old]
    return found or [f"{name}(…)"]


def puppet_signature(text: str, path: str, name: str) -> tuple[str, int]:
    """Return the head of a function in the Puppet language, and where it begins."""
    source = Source(text, path, on_disk=True)
    for node in PUPPET_8.parse(source).program.definitions:
        if isinstance(node, FunctionDefinition) and node.name.lower() == name:
            head = text[node.start : node.body.start].rstrip().removesuffix("{")
            if "{" in head:  # an empty body begins behind its brace
                head = head.rpartition("{")[0]
            joined = " ".join(head.removeprefix("function").split())
            return re.sub(r",? \)", ")", joined).replace("( ", "("), node.start
    return f"{name}(…)", 0


def comment_before(text: str, end: int) -> str:
    """Return the comment that ends before an offset, without the tags of Puppet Strings.

    >>> comment_before("# Adds.\\n# @param a one\\n#   more\\nfunction x", 32)
    'Adds.'
    """
    lines: list[str] = []
    before = text[:end].rstrip(" \t").removesuffix("\n").split("\n")
    while before and before[-1].lstrip().startswith("#"):
        lines.insert(0, before.pop().lstrip().removeprefix("#").removeprefix(" "))
    kept: list[str] = []
    tagged = False
    for line in lines:
        summary = line.removeprefix("@summary").lstrip() if line.startswith("@summary") else None
        tagged = summary is None and bool(TAG.match(line) or (tagged and line.startswith(" ")))
        if not tagged:
            kept.append(line if summary is None else summary)
    return "\n".join(kept).strip()
