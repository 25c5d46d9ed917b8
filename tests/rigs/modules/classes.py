"""Questions about the classes and defined types of a module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.syntax import nodes
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.testing.subject import puppet_text
from rigs.modules.questions import Question, Subject, definitions
from rigs.sites.uses import plain
from rigs.sites.values import Impossible, is_sensitive

Definition = nodes.ClassDefinition | nodes.DefineDefinition
TITLES = ("corpus", "/srv/corpus")


def classes(subject: Subject) -> Iterator[Question]:
    """Yield the questions of all classes: with defaults on three systems, with all parameters on one."""
    first, *others = subject.systems()
    for definition in of_module(subject, nodes.ClassDefinition):
        name = plain(definition.name)
        required = values(subject, definition, required=True)
        if required is not None:
            code = declaration("class", name, required)
            for system in (first, *others):
                yield subject.question("class", f"{name} on {system}", code, system)
        every = values(subject, definition, required=False)
        if every and every != required:
            code = declaration("class", name, every)
            yield subject.question("class", f"{name} with all parameters", code, first)


def defines(subject: Subject) -> Iterator[Question]:
    """Yield the questions of all defined types, alone and after the main class of the module."""
    first = subject.systems()[0]
    before = main_class(subject)
    for definition in of_module(subject, nodes.DefineDefinition):
        name = plain(definition.name)
        for every in (False, True):
            found = values(subject, definition, required=not every)
            if found is None or (every and found == values(subject, definition, required=True)):
                continue
            amount = "all parameters" if every else "required parameters"
            for title in TITLES:
                alone = declaration(name, title, found)
                yield subject.question("define", f"{name} {title} with {amount}", alone, first)
            if before and not every:
                code = f"{before}\n{declaration(name, TITLES[0], found)}"
                yield subject.question("define", f"{name} after the main class", code, first)


def of_module(subject: Subject, kind: type[Definition]) -> Iterator[Any]:
    """Yield the definitions of a kind in the manifests of a module."""
    for one in definitions(subject.module.folder / "manifests"):
        if isinstance(one, kind):
            yield one


def main_class(subject: Subject) -> str:
    """Return the declaration of the class that has the name of the module; empty if there is none."""
    for one in of_module(subject, nodes.ClassDefinition):
        if plain(one.name) == subject.module.name:
            found = values(subject, one, required=True)
            return "" if found is None else declaration("class", subject.module.name, found)
    return ""


def values(subject: Subject, definition: Definition, *, required: bool) -> dict[str, Any] | None:
    """Return generated values for the required parameters, or for all; None if a type has none."""
    found = {}
    for parameter in definition.parameters:
        if required and parameter.value is not None:
            continue
        try:
            value = subject.inventor.value(parameter.type, f"{definition.name}::{parameter.name}")
        except Impossible:
            if parameter.value is None:
                return None
            continue
        found[parameter.name] = Sensitive(value) if is_sensitive(parameter.type) else value
    return found


def declaration(kind: str, title: str, parameters: Mapping[str, Any]) -> str:
    """Return the code that declares a class or a resource; ``include`` for a class without parameters."""
    if kind == "class" and not parameters:
        return f"include {title}"
    lines = "".join(f"  {name} => {puppet_text(value)},\n" for name, value in parameters.items())
    return f"{kind} {{ {puppet_text(title)}:\n{lines}}}"
