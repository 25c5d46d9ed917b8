"""The names of the providers of a type, for messages about a name that is none of them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bunraku.base.suggestions import did_you_mean
from bunraku.providers.registry import resource_type
from bunraku.providers.resource_api import libraries_of
from bunraku.providers.run import Run

IN_LIBRARY = "puppet/provider"
"""The directory of providers in the ``lib`` of a module."""


def named_in_modules(type_: str, run: Run) -> Iterator[str]:
    """Yield the names of the providers of a type that the modules of a run have in Ruby."""
    for library in libraries_of(run):
        folder = posixpath.join(library, IN_LIBRARY, type_)
        files = run.code.list_directory(folder) if run.code.is_directory(folder) else []
        yield from (one.removesuffix(".rb") for one in files if one.endswith(".rb"))


def puppet_names(type_: str, run: Run) -> set[str]:
    """Return the names of Puppet's providers of a type; empty if they are not known."""
    kind = resource_type(type_, run)
    return {*(() if kind is None else kind.known_providers()), *named_in_modules(type_, run)}


def provider_hint(type_: str, named: str | None, run: Run) -> str:
    """Return a hint for a wrong name of a provider, which is None if it is secret.

    The hint is empty if the providers are not known.
    """
    kind = resource_type(type_, run)
    names = sorted({*puppet_names(type_, run), *(() if kind is None else kind.providers)})
    if not names:
        return ""
    question = None if named is None else did_you_mean(named, names)
    listed = f"the providers of {type_} are {', '.join(names)}"
    return f"{question} {listed}" if question else listed
