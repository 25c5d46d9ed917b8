"""``puppet describe``: resource types and their attributes, in the words of bunraku's own pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from bunraku.base.metaparameters import METAPARAMETERS
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.jobs.describe_types import Described, described, known_types
from bunraku.providers.metaparameter_texts import ABOUT_METAPARAMETERS

OPTIONS = """
types [TYPE]...: types to describe
-l --list: list all types
-m --meta: also list metaparameters
-p --providers: also describe providers
-s --short: only the names of attributes
"""
WIDTH = 79


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


def listed() -> Iterable[str]:
    """Yield a line for each type."""
    yield "These are the types that bunraku has:\n"
    for name in known_types():
        about = described(name).about.partition(". ")[0].rstrip(".")
        yield f"{name:<18} - {about}\n" if about else f"{name}\n"


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
