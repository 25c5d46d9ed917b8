"""``puppet describe``: resource types and their attributes, in the words of bunraku's own pages."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Sequence

from bunraku.base.metaparameters import METAPARAMETERS
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.catalog.schema.builtin import (
    builtin_resource_type,
    builtin_resource_type_names,
    vendored_resource_type,
    vendored_resource_type_names,
)
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.providers.attributes import Parameter
from bunraku.providers.index import provider_class, type_class
from bunraku.providers.metaparameter_texts import ABOUT_METAPARAMETERS, PROVIDER
from bunraku.providers.registry import type_names

COMMAND = "puppet describe"
OPTIONS = """
types [TYPE]...: types to describe
-l --list: list all types
-m --meta: also list metaparameters
-p --providers: also describe providers
-s --short: only the names of attributes
"""
WIDTH = 79


@record(frozen=True)
class Described:
    """What is known of a type: sentences only for types that bunraku can apply."""

    name: str
    about: str
    attributes: Sequence[tuple[str, str]]
    providers: Sequence[tuple[str, str]]


def describe(words: Sequence[str]) -> int:
    """Print descriptions; UsageError for an unknown type."""
    parser = parser_for("describe", "Describe resource types.", OPTIONS)
    call = call_of(parser, words, "user")
    if call.options.list:
        write("".join(listed()))
    elif not call.options.types and not call.options.meta:
        write(parser.format_help())
    for name in call.options.types:
        found = described(name.lower())
        options = call.options
        write("\n".join(page(found, short=options.short, providers=options.providers)) + "\n")
    if call.options.meta:
        write("\n".join(metaparameters(short=call.options.short)) + "\n")
    return exits.OK


def known_types() -> list[str]:
    """Return the names of the types of Puppet, of its agent's modules, and of bunraku."""
    return sorted(
        {*builtin_resource_type_names(), *vendored_resource_type_names(), *type_names()}
        - {"component"}
    )


def listed() -> Iterable[str]:
    """Yield a line for each type."""
    yield "These are the types that bunraku has:\n"
    for name in known_types():
        about = described(name).about.partition(". ")[0].rstrip(".")
        yield f"{name:<18} - {about}\n" if about else f"{name}\n"


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


def page(found: Described, *, short: bool, providers: bool) -> list[str]:
    """Return the lines about a type."""
    lines = ["", found.name, "=" * len(found.name), *wrapped(found.about, "")]
    lines += ["", "", "Parameters", "----------", *entries(found.attributes, short=short)]
    if found.providers:
        lines += ["", "Providers", "---------"]
        lines += entries(found.providers, short=short or not providers)
    return lines


def metaparameters(*, short: bool) -> list[str]:
    """Return the lines about the attributes that all types have."""
    described = [(name, ABOUT_METAPARAMETERS[name]) for name in sorted(METAPARAMETERS)]
    return ["", "Meta Parameters", "---------------", *entries(described, short=short)]


def entries(found: Sequence[tuple[str, str]], *, short: bool) -> list[str]:
    """Return names with their sentences, or the names alone in one paragraph."""
    if short:
        return wrapped(", ".join(name for name, _ in found), "    ")
    lines = []
    for name, about in found:
        lines += ["", f"- **{name}**", *wrapped(about, "    ")]
    return lines


def wrapped(text: str, indent: str) -> list[str]:
    """Return a text in lines."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
