"""Evaluate Puppet code: the value of its last expression, and the value's type."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.catalog.rich_data import to_data
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import (
    DATA_FORMATS,
    FACTS_SOURCE,
    GENERAL,
    LANGUAGE,
    SETTINGS,
    Rules,
    choice,
    limits,
)
from bunraku.cli.options.shared import level_of, observer_of, read_text
from bunraku.cli.output.output import write
from bunraku.formats.json import json_text
from bunraku.jobs.evaluate import evaluate
from bunraku.limits.limits import Limited
from bunraku.types.convert.formats import format_value
from bunraku.types.relations.infer import infer, infer_detailed, infer_generalized
from bunraku.types.text.display import display
from bunraku.types.text.indented import indented

TYPES = {"detailed": infer_detailed, "reduced": infer, "generalized": infer_generalized}


PLACE = f"""
@modulepath
{limits("evaluation")}
[options]
@facts
@node
{FACTS_SOURCE}
"""
"""Modules, facts and the node."""
OPTIONS = f"""
code [CODE]: code to evaluate; - reads standard input
-e --execute CODE: same as CODE
--file FILE: evaluate the code in this file
--type: how to infer the type (default: detailed)
--format: output format (default: text)
{PLACE}
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""
RULES: Rules = {"type": choice(*TYPES), "format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the value and its type."""
    code, name = code_from(options)
    context = context_of(options, observer_of(options, level_of(options)))
    with Limited(context.limits):
        value = evaluate(context, code, name)
        if options.format == "json":
            text = as_json(value, options.type)
        else:
            text = as_text(value, options)
    write(text)
    return exits.OK


def code_from(options: argparse.Namespace) -> tuple[str, str | None]:
    """Return the code, and the name of the file it is from."""
    given = [item for item in (options.code, options.execute, options.file) if item is not None]
    if len(given) != 1:
        raise UsageError("give one of CODE, -e CODE and --file FILE")
    if options.file is not None:
        return read_text(options.file), options.file
    return (read_text("-"), None) if options.code == "-" else (given[0], None)


def as_text(value: Any, options: argparse.Namespace) -> str:
    """Return the value as Puppet code, and its type under it."""
    type_ = indented(display(TYPES[options.type](value)))
    return f"{format_value(value, '%p')}\n{type_}\n"


def as_json(value: Any, mode: str) -> str:
    """Return the value as rich data, as text, and its type."""
    found = {
        "value": to_data(value),
        "text": format_value(value, "%p"),
        "type": display(TYPES[mode](value)),
    }
    return json_text(found, indent=True) + "\n"
