"""Show data types: aliases expanded, long types over several lines."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.commands.eval import PLACE
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, LANGUAGE, SETTINGS, Rules
from bunraku.cli.options.shared import level_of, observer_of, read_text
from bunraku.cli.output.output import write
from bunraku.formats.json import json_text
from bunraku.jobs.evaluate import evaluate
from bunraku.limits.limits import Limited
from bunraku.types.model import ObjectType, Type, TypeAliasType, TypeSetType
from bunraku.types.text.display import display, display_expanded
from bunraku.types.text.indented import indented

INTERMIXED = True


OPTIONS = f"""
words EXPR...: Puppet code that ends in a type, such as Stdlib::Port; - reads standard input. A
    leading word 'show' is ignored
--format: output format (default: text)
{PLACE}
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""
RULES: Rules = {"format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the type."""
    words = options.words[1:] if options.words[0] == "show" else options.words
    if len(words) != 1:
        raise UsageError("give one EXPR, in quotes if it has spaces")
    (text,) = words
    code = read_text("-") if text == "-" else text
    context = context_of(options, observer_of(options, level_of(options)))
    with Limited(context.limits):
        found = evaluate(context, code)
        if not isinstance(found, Type):
            raise UsageError(f"{text!r} is not a type (bunraku eval shows other values)")
        printed = as_json(found) if options.format == "json" else f"{shown(found)}\n"
    write(printed)
    return exits.OK


def shown(type_: Type) -> str:
    """Return the type expanded; an alias with its name before it.

    >>> from bunraku.types.model import IntegerType
    >>> shown(TypeAliasType("Port", IntegerType(1, 65535)))
    'Port = Integer[1, 65535]'
    """
    name = f"{type_.name} = " if isinstance(type_, TypeAliasType) else ""
    return indented(name + expanded_text(type_))


def expanded_text(type_: Type) -> str:
    """Return the text without aliases; an Object or TypeSet is shown whole."""
    if isinstance(type_, ObjectType | TypeSetType):
        return display(type_)
    return display_expanded(type_)


def as_json(type_: Type) -> str:
    """Return the text as Puppet prints it, and expanded."""
    found: dict[str, Any] = {"type": display(type_), "expanded": expanded_text(type_)}
    if isinstance(type_, TypeAliasType):
        found["name"] = type_.name
    return json_text(found, indent=True) + "\n"
