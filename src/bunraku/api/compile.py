"""The Python interface: the functions and classes of ``import bunraku``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Unpack

from bunraku.api.options import EngineOptions
from bunraku.base.file_reading import read_whole
from bunraku.base.source import Source
from bunraku.base.tracebacks import without_frames
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compare import Difference, compare
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.dialects import find_dialect
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.programs import parse_program
from bunraku.engine.request import Request
from bunraku.jobs.facts_files import facts_in_option
from bunraku.jobs.keywords import checked_arguments
from bunraku.jobs.paths import joined_paths, split_path
from bunraku.project.option_kinds import check_options
from bunraku.project.request_options import COMPILE_KEYWORDS
from bunraku.runtime.log import LogEntry
from bunraku.syntax.nodes import Program
from bunraku.values.missing import MISSING

CodeOrPath = str | os.PathLike[str]
Log = Callable[[LogEntry], None]


def ignore(entry: object) -> None:
    """Ignore a log entry."""


def is_path(code_or_path: CodeOrPath) -> bool:
    """Return whether a path is meant: a path object, or one line that ends in ``.pp`` or is a directory.

    >>> is_path("manifests/site.pp"), is_path("include ntp")
    (True, False)
    """
    if not isinstance(code_or_path, str):
        return True
    if "\n" in code_or_path or "\0" in code_or_path:
        return False
    return code_or_path.endswith((".pp", ".epp")) or os.path.isdir(code_or_path)


@checked_arguments
def compile(  # noqa: A001, the word of the field
    code_or_path: CodeOrPath, *, log: Log = ignore, **options: Unpack[EngineOptions]
) -> Catalog:
    """Return the catalog of a node: from code, a manifest or a directory of manifests.

    ``log`` is called with each :class:`bunraku.LogEntry`; :class:`bunraku.api.options.EngineOptions` lists the other keywords.
    Raises PuppetError.

    >>> catalog = compile(
    ...     "file { '/etc/motd': content => $facts['greeting'] }", facts={"greeting": "Hello"}
    ... )
    >>> catalog["File[/etc/motd]"]["content"]
    'Hello'
    """
    __tracebackhide__ = True
    compiled = without_frames(lambda: compile_catalog(request_of(code_or_path, options), log))
    return Catalog(catalog_to_data(compiled))


@checked_arguments
def diff(
    old: Catalog | Mapping[str, Any],
    new: Catalog | Mapping[str, Any],
    *,
    tags: bool = False,
    edges: bool = True,
) -> Difference:
    """Return the differences between two catalogs, or between their data.

    The order of resources and their places in manifests are ignored, tags too unless requested.
    Sensitive values are compared, but not kept. The difference is false when there is none.

    >>> old, new = (compile("notify { 'a': message => '%s' }" % text) for text in ("x", "y"))
    >>> [(one.reference, one.changes[0].new) for one in diff(old, new).changed]
    [('Notify[a]', 'y')]
    """
    before, after = (one.to_data() if isinstance(one, Catalog) else one for one in (old, new))
    return compare(before, after, tags=tags, edges=edges)


@checked_arguments
def evaluate(
    code_or_path: CodeOrPath, *, log: Log = ignore, **options: Unpack[EngineOptions]
) -> Any:
    """Return the value of the last expression; the keywords are those of :func:`compile`.

    >>> evaluate("[1, 2, 3].map |$n| { $n * 2 }")
    [2, 4, 6]
    """
    __tracebackhide__ = True
    return without_frames(lambda: evaluate_code(request_of(code_or_path, options), log))


@checked_arguments
def lookup(
    *keys: str,
    merge: str | Mapping[str, Any] | None = None,
    value_type: str | None = None,
    default: Any = MISSING,
    log: Log = ignore,
    **options: Unpack[EngineOptions],
) -> Any:
    """Return the value of the first key that Hiera has, for a node in an environment.

    The settings ``environmentpath`` and ``environment`` name the environment; the other keywords are
    those of :func:`compile`. Raises PuppetError, also when there is no value and no ``default``.

    >>> lookup("no::such::key", default="nothing")
    'nothing'
    """
    answer = look_up(request_of("", options), Question(keys, merge, value_type, default), log)
    if answer.error is not None:
        raise answer.error
    return answer.value


@checked_arguments
def parse(code_or_path: CodeOrPath, *, epp: bool | None = None, language: str = "8") -> Program:
    """Return the syntax tree of a manifest or EPP template; the PuppetError holds every finding.

    >>> parse("$a = 1").body.__class__.__name__
    'Assignment'
    >>> parse("class a-b { }", language="3.8").definitions[0].name
    'a-b'
    """
    dialect = find_dialect(language, "puppet", {})
    if is_path(code_or_path):
        path = os.fspath(code_or_path)
        source = Source(read_whole(path).decode("utf-8", "surrogateescape"), path, on_disk=True)
    else:
        source = Source(str(code_or_path))
    source.is_template = source.path.endswith(".epp") if epp is None else epp
    parsed = parse_program(source, dialect)
    error = parsed.error("parse")
    if error is not None:
        raise error
    return parsed.program


def request_of(code_or_path: CodeOrPath | None, options: EngineOptions) -> Request:
    """Return the request that the engine gets; without code it is for an environment.

    Raises TypeError for an unknown keyword, and for one of a wrong kind.
    """
    by_path = code_or_path is not None and is_path(code_or_path)
    code = None if by_path or code_or_path is None else str(code_or_path)
    path = os.fspath(code_or_path) if by_path and code_or_path is not None else None
    return Request(code=code, path=path, **engine_fields(options))


def engine_fields(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of a request that keywords set; files with data are read.

    Raises TypeError for an unknown keyword, and for one of a wrong kind.

    >>> engine_fields({"modulepath": ["/a", "/b"], "facts": None})
    {'modulepath': ['/a', '/b']}
    >>> engine_fields({"hiera_conf": "x"})
    Traceback (most recent call last):
    ...
    TypeError: unknown option 'hiera_conf' (did you mean 'hiera_config'?)
    """
    check_options(options, COMPILE_KEYWORDS)
    return {
        name: engine_value(COMPILE_KEYWORDS[name].kind, value)
        for name, value in options.items()
        if value is not None
    }


def engine_value(kind: str, value: Any) -> Any:
    """Return the value of a keyword as the engine takes it: data, absolute directories."""
    if kind == "paths":
        return split_path(joined_paths(value))
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return facts_in_option(value) if kind == "data" else value
