"""Why a resource is not in a catalog: a similar one, and the way by which it should have come.

The sources of the modules involved are searched for its declaration. The chain of classes from the
catalog to the declaration shows where the way ends: at a condition that was false, or at a class that
nothing includes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.base.suggestions import closest
from bunraku.catalog.catalog import Catalog
from bunraku.engine.compile import in_top_scope
from bunraku.engine.manifests import main_paths
from bunraku.engine.programs import parse_program
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.modules.files import manifests_below
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Scope
from bunraku.syntax.nodes import Program
from bunraku.workbench.testing.declarations import (
    Condition,
    Declaration,
    Owner,
    Path,
    declarations_of,
)
from bunraku.workbench.testing.subject import plain_reference
from bunraku.workbench.testing.values import shown

MOST_DECLARATIONS = 2
"""Declarations of one resource that are explained."""
EVERYWHERE = frozenset({"facts", "trusted", "server_facts", "environment"})
"""Variables that no definition can have itself."""
FORMS = {"virtual": "it is virtual, and nothing realizes it", "exported": "it is only exported"}


class Missing:
    """Explains resources that are not in a catalog; ``root`` is the directory of the code under test."""

    def __init__(self, catalog: Catalog, request: Request, root: str) -> None:
        self.catalog = catalog
        self.request = request
        self.root = root

    def explanation(self, reference: str) -> str:
        """Return lines that say why a resource is not in the catalog."""
        kind, title = plain_reference(reference)
        lines: list[str] = []
        found = [
            one
            for one in self.declarations_for(kind)
            if one.type == kind and one.fits(title, self.text_of)
        ]
        for one in found[:MOST_DECLARATIONS]:
            lines += self.way_to(one)
        if not found:
            lines += self.similar(reference, kind)
            lines.append(f"  {self.searched(kind, title)} declares it")
        return "\n".join(lines)

    def similar(self, reference: str, kind: str) -> Iterator[str]:
        """Yield the question whether a similar resource is meant, first one of the same type."""
        same = [one.reference for one in self.catalog.by_type(kind)]
        near = closest(reference, same) or closest(
            reference, [one.reference for one in self.catalog.resources]
        )
        if near:
            yield f"  did you mean {near[0]}?"

    # -- the way to a declaration ----------------------------------------------------------------

    def way_to(self, one: Declaration) -> Iterator[str]:
        """Yield lines about one declaration of the resource."""
        where = f"{one.owner} {one.how} it at {self.place(one)}"
        if self.is_running(one.owner):
            yield f"  {where}"
            yield from self.obstacles(one)
            return
        yield f"  {where}, but is not in the catalog"
        chain = self.chain_to(one.owner)
        if chain:
            yield f"  the way there: {' -> '.join([step.owner.name for step in chain] + [one.owner.name])}"
            for step in chain:
                there = " (in the catalog)" if step is chain[0] else ""
                yield f"    {step.owner}{there} {step.how} {declared_name(step)} at {self.place(step)}"
                yield from (f"  {line}" for line in self.obstacles(step, first=step is chain[0]))
        else:
            yield from self.dead_end(one.owner)

    def obstacles(self, one: Declaration, *, first: bool = True) -> Iterator[str]:
        """Yield the conditions around a declaration, with the values of their variables."""
        for condition in one.conditions:
            yield f"    {condition.text} (line {condition.line})"
            if first:
                yield from (f"      {text}" for text in self.values_in(condition, one.owner))
        if one.form != "regular":
            yield f"    {FORMS[one.form]}"

    def dead_end(self, owner: Owner) -> Iterator[str]:
        """Yield lines about a definition to which no way leads from the catalog."""
        found = self.declaring(owner)
        if not found:
            yield (
                f"  nothing includes {owner}"
                if owner.kind == "class"
                else f"  nothing declares {owner}"
            )
        for one in found[:MOST_DECLARATIONS]:
            yield f"  {one.owner} {one.how} {declared_name(one)} at {self.place(one)}, and is not in the catalog either"

    def way_from_top(self, name: str) -> str:
        """Return the names of the classes by which a class of the catalog got there; empty if unknown."""
        owner = Owner("class", name, {})
        chain = self.chain_to(owner, lambda one: one.kind in {"manifest", "node"})
        names = [self.shown_name(step.owner) for step in chain]
        return " -> ".join([*names, name]) if names else ""

    def shown_name(self, owner: Owner) -> str:
        """Return the name of a definition on a way; that of a node with the word."""
        name = owner.name.removeprefix(f"{self.root}/")
        return f"node {name}" if owner.kind == "node" else name

    def chain_to(
        self, owner: Owner, starts: Callable[[Owner], bool] | None = None
    ) -> list[Declaration]:
        """Return the shortest chain of declarations to a definition; empty for none.

        It starts where ``starts`` returns true: by default at any definition that is in the catalog.
        """
        starts = starts or self.is_running
        ways: list[list[Declaration]] = [[]]
        seen = {(owner.kind, owner.name)}
        for way in ways:
            for one in self.declaring(way[0].owner if way else owner):
                if starts(one.owner):
                    return [one, *way]
                if (one.owner.kind, one.owner.name) not in seen:
                    seen.add((one.owner.kind, one.owner.name))
                    ways.append([one, *way])
        return []

    def declaring(self, owner: Owner) -> list[Declaration]:
        """Return the declarations of a class or of instances of a defined type."""
        if owner.kind == "class":
            return [
                one for one in self.declarations if (one.type, one.title) == ("class", owner.name)
            ]
        if owner.kind == "define":
            return [one for one in self.declarations if one.type == owner.name]
        return []

    def is_running(self, owner: Owner) -> bool:
        """Return whether the code of a definition ran: it is in the catalog, or in top scope."""
        if owner.kind == "class":
            return self.catalog.find("class", owner.name) is not None
        if owner.kind == "define":
            return bool(self.catalog.by_type(owner.name))
        return owner.kind in {"manifest", "node"}

    def place(self, one: Declaration) -> str:
        """Return the place of a declaration; files below the code under test by their relative path."""
        return one.place.removeprefix(f"{self.root}/")

    # -- values of variables ---------------------------------------------------------------------

    def values_in(self, condition: Condition, owner: Owner) -> Iterator[str]:
        """Yield the values of the variables in a condition, if they are known."""
        for path in condition.variables:
            value = self.value_of(path, owner)
            if value is not UNKNOWN:
                name = f"${path[0]}" + "".join(f"['{key}']" for key in path[1:])
                yield f"{name} is {'undef' if value is None else shown(value)}"

    def value_of(self, path: Path, owner: Owner) -> Any:
        """Return the value of a variable, or of an element in it, in a definition."""
        inside, _, name = path[0].removeprefix("::").rpartition("::")
        if owner.kind in {"define", "function"} and not inside and name not in EVERYWHERE:
            return UNKNOWN  # each instance and each call has its own
        own = owner.name if owner.kind == "class" else ""
        value = self.variables.get(inside or own, {}).get(name, UNKNOWN)
        for key in path[1:]:
            value = value.get(key) if isinstance(value, Mapping) else UNKNOWN
        return value

    def text_of(self, owner: Owner, name: str) -> str | None:
        """Return the value of a variable in a definition if that is a text."""
        value = self.value_of((name,), owner)
        return value if isinstance(value, str) else None

    @cached_property
    def variables(self) -> Mapping[str, Mapping[str, Any]]:
        """The variables that code of each class can read; those of top scope by the empty name."""

        def found(top: Scope) -> dict[str, dict[str, Any]]:
            scopes = {**top.compilation.class_scopes, "": top}
            return {name: scope.visible_names() for name, scope in scopes.items()}

        try:
            variables: dict[str, dict[str, Any]] = in_top_scope(self.request, ignore, found)
        except PuppetError:  # a program that the compile runs may fail the second time
            return {}
        return variables

    # -- sources ---------------------------------------------------------------------------------

    @cached_property
    def resolved(self) -> ResolvedRequest:
        """The request with its environment."""
        return resolve(self.request, ignore)

    def searched(self, kind: str, title: str) -> str:
        """Return the part of a sentence about the modules that were searched without result."""
        names = self.modules_for(kind, title)
        if not names:
            return "nothing in the code of the test"
        return f"no manifest of the module{'s' if len(names) > 1 else ''} {', '.join(names)}"

    def modules_for(self, kind: str = "", title: str = "") -> list[str]:
        """Return the modules in which a declaration may be: our own, and those of the catalog."""
        used = [name.partition("::")[0] for name in self.catalog.classes]
        wanted = {
            *used,
            kind.partition("::")[0],
            title.partition("::")[0] if kind == "class" else "",
        }
        modules = self.resolved.environment.modules
        own = self.root.rstrip("/")
        return [
            name
            for name, module in modules.items()
            if name in wanted or module.path == own or module.path.startswith(f"{own}/")
        ]

    def declarations_for(self, kind: str) -> list[Declaration]:
        """Return all declarations, those of the code under test first."""
        own = self.root.rstrip("/") + "/"
        return sorted(self.declarations, key=lambda one: not one.source.path.startswith(own))

    @cached_property
    def declarations(self) -> list[Declaration]:
        """The declarations in the main manifests and in the modules that are searched."""
        return declarations_of(self.programs())

    def programs(self) -> Iterator[Program]:
        """Yield the parsed manifests; those with errors have what could be read."""
        resolved, request = self.resolved, self.request
        if request.code is not None:
            yield parse_program(Source(request.code), resolved.dialect).program
        else:
            yield from map(self.program, main_paths(resolved))
        for name in self.modules_for():
            folder = resolved.environment.modules[name].path_of("manifests")
            if resolved.world.is_directory(folder):
                files = manifests_below(resolved.world, folder, resolved.world.list_directory)
                yield from map(self.program, files)

    def program(self, path: str) -> Program:
        """Return a parsed manifest."""
        text = self.resolved.world.read(path).decode("utf-8", "surrogateescape")
        return parse_program(Source(text, path, on_disk=True), self.resolved.dialect).program


UNKNOWN: Any = object()
"""Stands for the value of a variable that is not known."""


def declared_name(one: Declaration) -> str:
    """Return what a declaration on the way declares."""
    return f"class {one.title}" if one.type == "class" else f"an instance of {one.type}"


def ignore(_entry: LogEntry) -> None:
    """Ignore a log entry."""
