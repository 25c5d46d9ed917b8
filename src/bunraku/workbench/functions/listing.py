"""Every function there is, for people: ``bunraku functions`` and ``docs/functions.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import Parameter, cleandoc, signature, unwrap

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.dialects.languages import LANGUAGES, dialect_named
from bunraku.functions.declaration import BuiltinFunction, Dispatch
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import Library, stdlib_function
from bunraku.functions.stdlib.history import API_3, era, eras

Version = tuple[int, int, int]
LIBRARIES: dict[str, Library] = {
    language: dialect_named(language).functions.get() for language in sorted(LANGUAGES)
}
"""The library of each version, the oldest first."""
PUPPET_8 = LIBRARIES["8"]
CORE = {*PUPPET_8.core, *LIBRARIES["3.8"].core}
"""The functions of Puppet itself, those that Puppet 8 does not have any more among them."""
FENCE = lazy_pattern(r"```puppet\n(.*?)```", re.DOTALL)


@record(frozen=True)
class FunctionEntry:
    """A function: its origin, first version, signatures and description.

    ``library`` is ``core`` or ``stdlib``; ``first`` and ``last`` are versions of Puppet or of the
    standard library, ``last`` None where the function is still there.
    """

    name: str
    library: str
    first: str
    last: str | None
    dialects: tuple[str, ...]
    status: str
    signatures: tuple[str, ...]
    documentation: str
    examples: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The first sentence."""
        return self.documentation.split("\n\n")[0].replace("\n", " ")


def entries() -> Iterator[FunctionEntry]:
    """Yield all functions by name, the core ones first."""
    for name in sorted(CORE):
        yield core_entry(name)
    for name in sorted(STDLIB):
        yield stdlib_entry(name)


def find(name: str) -> list[FunctionEntry]:
    """Return the functions of a name: a core one, one of the standard library, both or none.

    >>> [entry.library for entry in find("abs")]
    ['core', 'stdlib']
    """
    found = [core_entry(name)] if name in CORE else []
    return [*found, stdlib_entry(name)] if name in STDLIB else found


def core_entry(name: str) -> FunctionEntry:
    """Return a function of Puppet itself."""
    by_dialect = {dialect: library.builtin(name) for dialect, library in LIBRARIES.items()}
    dialects = [dialect for dialect, one in by_dialect.items() if one and not one.refused]
    function = by_dialect["8"] or by_dialect["3.8"]
    assert function is not None  # the name is of an index
    return entry(function, "core", function.since, function.until, tuple(dialects))


def stdlib_entry(name: str) -> FunctionEntry:
    """Return a function of the standard library, from the newest version that has it."""
    ends = [one.last for one in eras(name) if one.last is not None]
    last = max(ends, key=key) if len(ends) == len(eras(name)) else None
    first = min((one.first for one in eras(name)), key=key)
    function = stdlib_function(name, key(last) if last else PUPPET_8.newest)
    if function is None:  # newer than the newest release
        function = stdlib_function(name, key(first))
    assert function is not None
    return entry(function, "stdlib", first, last, stdlib_dialects(name, first))


def stdlib_dialects(name: str, first: str) -> tuple[str, ...]:
    """Return the dialects in which the standard library can be called.

    The old parser has only functions of the old kind; releases from 5.0.0 on require Puppet 4.
    """
    for_puppet_4 = key(first) >= (5, 0, 0)
    old = any(era(name, version, API_3) for version in ((3, 2, 2), (4, 25, 1)))
    return tuple(
        language
        for language, library in LIBRARIES.items()
        if (old or "ruby" in library.kinds) and (library.newest >= (5, 0, 0) or not for_puppet_4)
    )


def key(version: str) -> Version:
    """Return a version as numbers."""
    major, minor, patch = map(int, version.split("."))
    return major, minor, patch


def entry(
    function: BuiltinFunction,
    library: str,
    first: str,
    last: str | None,
    dialects: tuple[str, ...],
) -> FunctionEntry:
    """Return the entry of a function."""
    texts = [cleandoc(one.implementation.__doc__ or "") for one in function.dispatches]
    examples = [
        line
        for text in dict.fromkeys(texts)
        for block in FENCE.findall(text)
        for line in block.splitlines()
        if line
    ]
    documentation = FENCE.sub("", cleandoc(function.documentation)).strip()
    return FunctionEntry(
        function.name,
        library,
        first,
        last,
        dialects,
        function.remark,
        tuple(dict.fromkeys(map(header, function.dispatches))),
        documentation,
        tuple(examples),
    )


def header(dispatch: Dispatch) -> str:
    """Return the signature of a dispatch; for functions of the old kind, names of parameters."""
    inner = unwrap(dispatch.implementation)
    if inner is dispatch.implementation:
        return dispatch.header
    parameters = list(signature(inner).parameters.values())[int(dispatch.wants_scope) :]
    return f"{dispatch.name}({', '.join(map(parameter_text, parameters))})"


def parameter_text(parameter: Parameter) -> str:
    """Return a parameter of a Python function as one of Puppet's.

    >>> def f(text, flag_=None, *rest): ...
    >>> [parameter_text(one) for one in signature(f).parameters.values()]
    ['$text', '$flag = ?', '*$rest']
    """
    name = parameter.name.strip("_") or "ignored"
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return f"*${name}"
    return f"${name}" if parameter.default is Parameter.empty else f"${name} = ?"
