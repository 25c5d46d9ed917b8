"""What is known of resource types: sentences for those that bunraku can apply."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.catalog.schema.builtin import (
    builtin_resource_type,
    builtin_resource_type_names,
    vendored_resource_type,
    vendored_resource_type_names,
)
from bunraku.providers.attributes import Parameter
from bunraku.providers.index import provider_class, type_class
from bunraku.providers.metaparameter_texts import PROVIDER
from bunraku.providers.registry import type_names

COMMAND = "puppet describe"


@record(frozen=True)
class Described:
    """What is known of a type: sentences only for types that bunraku can apply."""

    name: str
    about: str
    attributes: Sequence[tuple[str, str]]
    providers: Sequence[tuple[str, str]]


def known_types() -> list[str]:
    """Return the names of the types of Puppet, of its agent's modules, and of bunraku."""
    return sorted(
        {*builtin_resource_type_names(), *vendored_resource_type_names(), *type_names()}
        - {"component"}
    )


def described(name: str) -> Described:
    """Return what is known of a type; UsageError for an unknown one."""
    if name in type_names():
        kind = type_class(name)
        attributes = [(one.name, sentence(one)) for one in kind.attributes]
        providers = [(one, text_of(provider_class(name, one))) for one in kind.providers]
        return Described(name, text_of(kind), sorted(attributes), providers)
    schema = builtin_resource_type(name) or vendored_resource_type(name)
    if schema is None:
        raise UsageError(f"unknown type '{name}'{suggestion(name, known_types())}", COMMAND)
    names = sorted({*schema.properties, *schema.parameters})
    return Described(
        name, "", [(one, "") for one in names], [(one, "") for one in schema.providers]
    )


def sentence(attribute: Parameter) -> str:
    """Return the sentence about an attribute, and the words that it accepts."""
    about = attribute.about or (PROVIDER if attribute.name == "provider" else "")
    accepted = f"Accepted: {', '.join(map(str, attribute.words))}." if attribute.words else ""
    return " ".join(filter(None, (about, accepted)))


def text_of(documented: object) -> str:
    """Return the docstring of an object as one paragraph."""
    return " ".join((inspect.getdoc(documented) or "").replace("``", "'").split())
