"""List the functions that manifests can call, describe some, or explain which implementation is used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bunraku.base.records import names_of
from bunraku.base.suggestions import closest
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, LANGUAGE, SETTINGS, Rules
from bunraku.cli.options.shared import observer_of, paint_for
from bunraku.cli.output.output import Paint, write, write_error
from bunraku.engine.request import Request, resolve
from bunraku.formats.json import json_text
from bunraku.workbench.functions.explanation import Explanation, explain
from bunraku.workbench.functions.listing import FunctionEntry, entries, find
from bunraku.workbench.functions.of_modules import module_functions

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
    if options.explain:
        return explain_all(options)
    of_modules = functions_here(options)
    found: list[FunctionEntry] = [] if options.names else all_functions(of_modules)
    code = exits.OK
    for name in dict.fromkeys(options.names):
        bare = name.removeprefix("::")
        named = [*find(bare), *(one for one in of_modules if one.name == bare)]
        found += named
        if not named:
            write_error(unknown(name, [one.name for one in of_modules]))
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


def all_functions(of_modules: list[FunctionEntry]) -> list[FunctionEntry]:
    """Return the built-in functions and those of modules, each function of stdlib once."""
    built_in = list(entries())
    known = {one.name for one in built_in}
    return [*built_in, *(one for one in of_modules if one.name not in known)]


def functions_here(options: argparse.Namespace) -> list[FunctionEntry]:
    """Return the functions of the project's modules; none without a project or a modulepath."""
    request = Request(**context_of(options, observer_of(options), below=True).fields)
    return module_functions(resolve(request, lambda _entry: None).environment)


def explain_all(options: argparse.Namespace) -> int:
    """Print which implementation each named function has in the environment of the options."""
    if not options.names:
        raise UsageError("--explain needs the name of a function")
    request = Request(**context_of(options, observer_of(options), below=True).fields)
    found: list[Explanation] = []
    code = exits.OK
    for name in dict.fromkeys(item.removeprefix("::") for item in options.names):
        explanation = explain(name, request)
        if explanation is None:
            write_error(unknown(name))
            code = exits.FINDINGS
        else:
            found.append(explanation)
    if options.format == "json":
        data = [{field: getattr(one, field) for field in names_of(one)} for one in found]
        write(json_text(data, indent=True) + "\n")
    else:
        write("".join(one.text() for one in found))
    return code


def unknown(name: str, others: Sequence[str] = ()) -> str:
    """Return the message about a name that no function has.

    >>> print(unknown("regsub"), end="")
    error: unknown function 'regsub'; did you mean 'regsubst'?
    """
    names = sorted({*(entry.name for entry in entries()), *others})
    if name in names:
        return f"error: unknown function '{name}': nothing in this environment defines it\n"
    near = closest(name, names, 3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"error: unknown function '{name}'{hint}\n"


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
