"""The functions that manifests of a project can call."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.records import record
from bunraku.base.suggestions import closest
from bunraku.engine.request import Request, resolve
from bunraku.jobs.context import Context
from bunraku.workbench.functions.explanation import Explanation, explain
from bunraku.workbench.functions.listing import FunctionEntry, entries, find
from bunraku.workbench.functions.of_modules import module_functions


def all_functions(of_modules: list[FunctionEntry]) -> list[FunctionEntry]:
    """Return the built-in functions and those of modules, each function of stdlib once."""
    built_in = list(entries())
    known = {one.name for one in built_in}
    return [*built_in, *(one for one in of_modules if one.name not in known)]


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


@record(frozen=True)
class NamedFunctions:
    """Functions, and the messages about names that no function has."""

    functions: list[FunctionEntry]
    unknown: list[str]


def named_functions(context: Context, names: Sequence[str]) -> NamedFunctions:
    """Return the functions with some names, all without names: built-in ones and those of the project's modules."""
    of_modules = module_functions(
        resolve(Request(**context.fields), lambda _entry: None).environment
    )
    if not names:
        return NamedFunctions(all_functions(of_modules), [])
    found: list[FunctionEntry] = []
    wrong = []
    for name in dict.fromkeys(names):
        bare = name.removeprefix("::")
        named = [*find(bare), *(one for one in of_modules if one.name == bare)]
        found += named
        if not named:
            wrong.append(unknown(name, [one.name for one in of_modules]))
    return NamedFunctions(found, wrong)


def explained_functions(
    context: Context, names: Sequence[str]
) -> tuple[list[Explanation], list[str]]:
    """Return which implementation of functions the project uses, and the messages about unknown names."""
    request = Request(**context.fields)
    names = list(dict.fromkeys(name.removeprefix("::") for name in names))
    explained = {name: explain(name, request) for name in names}
    known = [one for one in explained.values() if one is not None]
    return known, [unknown(name) for name, one in explained.items() if one is None]
