"""List the functions that manifests can call, or tell all about some of them."""

from __future__ import annotations

import argparse
import difflib
import sys

from bunraku.cli import exits
from bunraku.cli.options import add_output_options, paint_for
from bunraku.cli.output import Paint, write, write_error
from bunraku.formats.json import json_text
from bunraku.functions.listing import Entry, entries, find
from bunraku.records import names_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bunraku functions``."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="functions to describe; without a name, all"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(text)")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the list, or the description of what is named."""
    found: list[Entry] = [] if options.names else list(entries())
    code = exits.OK
    for name in dict.fromkeys(options.names):
        named = find(name.removeprefix("::"))
        found += named
        if not named:
            write_error(unknown(name))
            code = exits.FINDINGS
    if options.format == "json":
        write(
            json_text(
                [{name: getattr(one, name) for name in names_of(one)} for one in found], indent=True
            )
            + "\n"
        )
    elif options.names:
        paint = paint_for(options, sys.stdout)
        write("\n".join(description(one, paint) for one in found))
    else:
        write(table(found))
    return code


def unknown(name: str) -> str:
    """What to say about a name that no function has.

    >>> print(unknown("regsub"), end="")
    there is no function regsub; is regsubst meant?
    """
    names = sorted({entry.name for entry in entries()})
    near = difflib.get_close_matches(name, names, 3, 0.75)
    return f"there is no function {name}{f'; is {chr(32).join(near)} meant?' if near else ''}\n"


def table(found: list[Entry]) -> str:
    """A line each: name, library, what it is for."""
    width = max(len(one.name) for one in found)
    return "".join(f"{one.name:<{width}}  {one.library:<6}  {one.summary}\n" for one in found)


def description(one: Entry, paint: Paint) -> str:
    """All there is to say about a function."""
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
    lines.append(f"    {library}, {lifetime}; language {', '.join(one.dialects)}; {one.status}")
    return "\n".join(lines) + "\n"
