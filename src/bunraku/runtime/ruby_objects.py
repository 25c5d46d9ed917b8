"""Objects of Ruby among the parameters of a finished catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.source import Place
from bunraku.runtime import issues
from bunraku.runtime.state import Compilation, DeclaredResource
from bunraku.values.keys import pairs
from bunraku.values.ruby_object import RubyReference

Value = Any


class RubyReferences:
    """Whether Ruby code has returned a reference in this compile."""

    def __init__(self, _compilation: Compilation) -> None:
        self.found = False

    def note(self) -> None:
        """Record that there is one."""
        self.found = True


def report_ruby_objects(compilation: Compilation) -> None:
    """Warn of parameters that hold objects of Ruby: the catalog has their text.

    Puppet cannot write Ruby classes to a catalog, so one is an error.
    """
    known = compilation.known_extension(RubyReferences)
    if known is None or not known.found:
        return
    for resource in compilation.catalog.resources:
        if resource.virtual:
            continue
        for name, value in resource.parameters.items():
            for path, found in references_in(value, f"{resource.reference}['{name}']"):
                report_reference(compilation, resource, path, found)


def report_reference(
    compilation: Compilation, resource: DeclaredResource, path: str, found: RubyReference
) -> None:
    """Warn of one object."""
    if found.is_class:
        error = issues.RUBY_CLASS_IN_CATALOG(path=path, text=found.text)
        raise error.at(Place.of(resource))
    kind = found.class_name or "Object"
    article = "an" if kind[0] in "AEIOU" else "a"
    compilation.messages.warn_at(
        issues.RUNTIME_CONVERSION,
        f"{path} contains {article} {kind} value. It will be converted to the String '{found}'",
        resource.file,
        resource.line,
    )


def references_in(value: Value, path: str) -> Iterator[tuple[str, RubyReference]]:
    """Yield the references in a value, each with its path as Puppet writes it."""
    kind = value.__class__
    if kind is RubyReference:
        yield path, value
    elif kind is list:
        for at, item in enumerate(value):
            yield from references_in(item, f"{path}[{at}]")
    elif kind is dict:
        plain = all(key.__class__ is str for key in value)
        for key, item in pairs(value):
            yield from references_in(key, path)
            yield from references_in(item, f"{path}['{key}']" if plain else path)
