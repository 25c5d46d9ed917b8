"""Stand-ins for code that a site uses and that is not public, derived from the errors of Puppet.

A class or a defined type is empty and has the parameters that the site sets. A function returns undef, an alias of a type
accepts everything, and a resource that others name is declared beside the class of a node. Both programs compile them.
Parameters that the release of a public module lacks are not added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rigs.sites.copies import FUNCTION, FUNCTIONS, write
from rigs.sites.environment import Environment

CLASS = re.compile(r"Could not find (?:declared )?class (?:::)?([a-z][\w:]*)")
DEFINE = re.compile(r"Unknown resource type: '(?:::)?([\w:]+)'")
UNKNOWN_FUNCTION = re.compile(r"Unknown function: '(?:::)?([\w:]+)'")
TYPE = re.compile(r"Resource type not found: ([A-Z]\w*(?:::[A-Z]\w*)*)")
PARAMETERS = re.compile(r"([A-Z][\w:]*)\[([^\]]*)\]:((?:\s+has no parameter named '\w+')+)")
NAME = re.compile(r"named '(\w+)'")
RESOURCE = re.compile(
    r"Could not find resource '([A-Z][\w:]*)\[(.+?)\]' (?:in parameter|for relationship)"
)


class StandIns:
    """The stand-ins of a site: files in its environment, and statements of its nodes."""

    def __init__(self, environment: Environment, owner: Mapping[str, Any]) -> None:
        self.environment = environment
        self.modules = environment.module_folder(owner)
        self.files: dict[str, str] = {}
        self.statements: dict[str, list[str]] = {}
        self.parameters: dict[tuple[str, str], list[str]] = {}
        self.names: list[str] = []
        self.remove_old()

    @property
    def listed(self) -> Path:
        """The list of the files of an earlier run, which are not part of the site."""
        return self.environment.place / "stand_ins.json"

    def remove_old(self) -> None:
        """Remove the files of an earlier run."""
        if self.listed.exists():
            for name in json.loads(self.listed.read_text("utf-8")):
                path = self.environment.root / name
                path.unlink(missing_ok=True)
                remove_empty(path.parent)
            self.listed.unlink()

    def key(self, node: str) -> dict[str, Any]:
        """Return the part of a question that tells apart answers with other stand-ins."""
        found: dict[str, Any] = {"stand_ins": self.files} if self.files else {}
        if node in self.statements:
            found["statements"] = self.statements[node]
        return found

    def code(self, node: str, code: str) -> str:
        """Return a generated node definition, on one line, with the resources that its class needs."""
        return "; ".join([code.removesuffix(" }"), *self.statements.get(node, [])]) + " }"

    def supply(self, error: str, node: str) -> bool:
        """Generate what an error says is missing; False where it says nothing, or nothing else."""
        before = len(self.names)
        for name in CLASS.findall(error):
            self.define("class", name.rstrip(":").lower())
        for name in DEFINE.findall(error):
            self.define("define", name)
        for name in UNKNOWN_FUNCTION.findall(error):
            self.add_function(name)
        for name in TYPE.findall(error):
            self.add_type(name)
        for kind, title, names in PARAMETERS.findall(error):
            self.add_parameters(kind, title, NAME.findall(names))
        for kind, title in RESOURCE.findall(error):
            self.declare(kind, title, node)
        return len(self.names) > before

    def add_type(self, name: str) -> None:
        """Generate a defined type where the site declares or collects such resources, else an alias."""
        used = re.compile(rf"\b{name.lower()}\s*\{{|\b{name}\s*<\|")
        if any(used.search(text) for text in self.manifests()):
            self.define("define", name.lower())
        elif "::" in name:
            self.add_file(path_of(name, "types"), f"type {name} = Any\n", f"type {name}")

    def manifests(self) -> Iterator[str]:
        """Yield the texts of the manifests of all modules."""
        for folder in self.environment.site.modules().values():
            for path in (folder / "manifests").rglob("*.pp"):
                yield path.read_text("utf-8", "replace")

    def define(self, kind: str, name: str) -> None:
        """Generate a class or a defined type without parameters."""
        if (kind, name) not in self.parameters:
            self.parameters[kind, name] = []
            self.write_definition(kind, name)
            self.names.append(f"{kind} {name}")

    def write_definition(self, kind: str, name: str) -> None:
        """Write the file of a class or defined type, unless the site has it."""
        listed = ", ".join(f"Any ${one} = undef" for one in self.parameters[kind, name])
        self.add_file(path_of(name, "manifests"), f"{kind} {name}({listed}) {{ }}\n", "")

    def add_parameters(self, kind: str, title: str, names: list[str]) -> None:
        """Add parameters to a stand-in; the definition of a module does not change."""
        key = ("class", title.lower()) if kind == "Class" else ("define", kind.lower())
        known = self.parameters.get(key)
        fresh = [one for one in names if known is not None and one not in known]
        if known is None or not fresh:
            return
        known += fresh
        self.write_definition(*key)
        self.names += [f"{key[0]} {key[1]}, parameter {one}" for one in fresh]

    def add_function(self, name: str) -> None:
        """Generate a function that returns undef."""
        module, separator, rest = name.partition("::")
        path = f"{FUNCTIONS}/{name.replace('::', '/')}.rb"
        text = FUNCTION.format(name=name, value="nil")
        place = self.folder(module) if separator and rest else self.environment.root
        self.put(place / path, text, f"function {name}")

    def add_file(self, path: tuple[str, str], text: str, what: str) -> None:
        """Generate a file of a module."""
        module, below = path
        self.put(self.folder(module) / below, text, what)

    def put(self, path: Path, text: str, what: str) -> None:
        """Write a file, unless the site has it."""
        name = str(path.relative_to(self.environment.root))
        if name not in self.files and path.exists():
            return
        if what and name not in self.files:
            self.names.append(what)
        self.files[name] = text
        self.listed.write_text(json.dumps(sorted(self.files)), "utf-8")
        write(path, text)

    def folder(self, module: str) -> Path:
        """Return the directory of a module: that of the site, or a new one."""
        return self.environment.site.modules().get(module, self.modules / module)

    def declare(self, kind: str, title: str, node: str) -> None:
        """Declare a resource of a node that others name."""
        statement = f"include {title.lower()}"
        if kind != "Class":
            command = " command => '/bin/true'" if kind == "Exec" else ""
            quoted = title.replace("\\", "\\\\").replace("'", "\\'")
            statement = f"{kind.lower()} {{ '{quoted}':{command} }}"
        found = self.statements.setdefault(node, [])
        if statement not in found:
            found.append(statement)
            self.names.append(f"resource {kind}[{title}] of {node}")


def path_of(name: str, folder: str) -> tuple[str, str]:
    """Return the module of a definition, and the file in it.

    >>> path_of("apt", "manifests"), path_of("Stdlib::Compat::Array", "types")
    (('apt', 'manifests/init.pp'), ('stdlib', 'types/compat/array.pp'))
    """
    module, *rest = name.lower().split("::")
    return module, f"{folder}/{'/'.join(rest) or 'init'}.pp"


def remove_empty(folder: Path) -> None:
    """Remove a directory and those above it, as far as they are empty."""
    while folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def summarised(names: list[str]) -> Iterator[str]:
    """Yield the stand-ins, the parameters of a definition together.

    >>> list(summarised(["class a", "class a, parameter x", "function f", "class a, parameter y"]))
    ['class a (x, y)', 'function f']
    """
    parameters: dict[str, list[str]] = {}
    for name in names:
        what, separator, parameter = name.partition(", parameter ")
        parameters.setdefault(what, []).extend([parameter] if separator else [])
    for what, listed in parameters.items():
        yield f"{what} ({', '.join(listed)})" if listed else what
