"""List the functions that manifests can call, describe some, or explain which implementation is used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from bunraku.base.records import names_of
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, LANGUAGE, SETTINGS, Rules
from bunraku.cli.options.shared import observer_of, paint_for
from bunraku.cli.output.output import Paint, write, write_error
from bunraku.formats.json import json_text
from bunraku.jobs.functions import explained_functions, named_functions
from bunraku.workbench.functions.listing import FunctionEntry

OPTIONS = f"""
names [NAME]...: functions to describe (default: list all)
--explain: print which implementation of each named function is used on the modulepath, and why
--format: output format (default: text)
@modulepath
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""
RULES: Rules = {"format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the list, or the description or explanation of the named functions."""
    if options.explain and not options.names:
        raise UsageError("--explain needs the name of a function")
    context = context_of(options, observer_of(options), below=True)
    if options.explain:
        explained, unknown = explained_functions(context, options.names)
        return print_all(
            options, explained, unknown, lambda: "".join(one.text() for one in explained)
        )
    result = named_functions(context, options.names)
    found, paint = result.functions, paint_for(options, sys.stdout)
    return print_all(
        options,
        found,
        result.unknown,
        lambda: (
            "\n".join(description(one, paint) for one in found) if options.names else table(found)
        ),
    )


def print_all(
    options: argparse.Namespace,
    shown: Sequence[object],
    unknown: Sequence[str],
    text: Callable[[], str],
) -> int:
    """Print functions as text or as data, and the messages about unknown names; return the exit code."""
    write_error("".join(unknown))
    if options.format == "json":
        data = [{name: getattr(one, name) for name in names_of(one)} for one in shown]
        write(json_text(data, indent=True) + "\n")
    else:
        write(text())
    return exits.FINDINGS if unknown else exits.OK


def table(found: list[FunctionEntry]) -> str:
    """Return a line for each function: name, library or module, summary."""
    width = max(len(one.name) for one in found)
    library = max(6, *(len(one.library) for one in found))
    return "".join(
        f"{one.name:<{width}}  {one.library:<{library}}  {one.summary}\n" for one in found
    )


def description(one: FunctionEntry, paint: Paint) -> str:
    """Return the description of a function."""
    library = "Puppet" if one.library == "core" else "the standard library"
    lifetime = f"since {one.first}" if one.last is None else f"{one.first} to {one.last}"
    lines = [
        *(paint("bold", text) for text in one.signatures),
        "",
        *(f"    {line}".rstrip() for line in one.documentation.split("\n")),
        "",
    ]
    if one.examples:
        lines += [*(f"        {line}" for line in one.examples), ""]
    if one.first:
        lines.append(f"    {library}, {lifetime}; language {', '.join(one.dialects)}; {one.status}")
    else:
        lines.append(f"    {one.status}")
    return "\n".join(lines) + "\n"
