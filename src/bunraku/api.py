"""The Python interface: what ``import bunraku`` offers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.catalog.compare import Difference, compare
from bunraku.catalog.model import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine import LogEntry, Request, compile_catalog, dialect_of, evaluate_code
from bunraku.errors import PuppetError
from bunraku.hiera.missing import MISSING
from bunraku.inquiry import Question, look_up
from bunraku.source import Source
from bunraku.syntax.front import parse as parse_source
from bunraku.syntax.nodes import Program

CodeOrPath = str | os.PathLike[str]
Log = Callable[[LogEntry], None]


def ignore(entry: object) -> None:
    """For those who want to hear nothing."""


def is_path(code_or_path: CodeOrPath) -> bool:
    """Whether a path is meant: a path object, or one line that ends in ``.pp`` or is a folder.

    >>> is_path("manifests/site.pp"), is_path("include ntp")
    (True, False)
    """
    if not isinstance(code_or_path, str):
        return True
    if "\n" in code_or_path or "\0" in code_or_path:
        return False
    return code_or_path.endswith((".pp", ".epp")) or os.path.isdir(code_or_path)


def compile(  # noqa: A001, the word of the field
    code_or_path: CodeOrPath,
    *,
    node: str = "localhost",
    facts: Mapping[str, Any] | None = None,
    modulepath: Sequence[str | os.PathLike[str]] = (),
    settings: Mapping[str, Any] | None = None,
    log: Log = ignore,
    **more: Any,
) -> Catalog:
    """The catalog of a node: from code, a manifest or a folder of manifests.

    ``more`` are further fields of :class:`bunraku.engine.Request`. Raises PuppetError.

    >>> catalog = compile(
    ...     "file { '/etc/motd': content => $facts['greeting'] }", facts={"greeting": "Hello"}
    ... )
    >>> catalog.find("File", "/etc/motd").parameters["content"]
    'Hello'
    """
    return compile_catalog(request(code_or_path, node, facts, modulepath, settings, more), log)


def diff(
    old: Catalog | Mapping[str, Any],
    new: Catalog | Mapping[str, Any],
    *,
    tags: bool = False,
    edges: bool = True,
) -> Difference:
    """What differs between two catalogs (or the data of some), less what does not matter.

    The order of resources and the places in manifests never count, tags when asked for; what is
    sensitive is compared, but not shown. The difference is false when there is none.

    >>> old, new = (compile("notify { 'a': message => '%s' }" % text) for text in ("x", "y"))
    >>> [(one.reference, one.changes[0].new) for one in diff(old, new).changed]
    [('Notify[a]', 'y')]
    """
    before, after = (
        catalog_to_data(one) if isinstance(one, Catalog) else one for one in (old, new)
    )
    return compare(before, after, tags=tags, edges=edges)


def evaluate(
    code_or_path: CodeOrPath,
    *,
    node: str = "localhost",
    facts: Mapping[str, Any] | None = None,
    modulepath: Sequence[str | os.PathLike[str]] = (),
    settings: Mapping[str, Any] | None = None,
    log: Log = ignore,
    **more: Any,
) -> Any:
    """The value of the last expression.

    >>> evaluate("[1, 2, 3].map |$n| { $n * 2 }")
    [2, 4, 6]
    """
    return evaluate_code(request(code_or_path, node, facts, modulepath, settings, more), log)


def lookup(
    *keys: str,
    node: str = "localhost",
    facts: Mapping[str, Any] | None = None,
    modulepath: Sequence[str | os.PathLike[str]] = (),
    settings: Mapping[str, Any] | None = None,
    log: Log = ignore,
    merge: str | Mapping[str, Any] | None = None,
    value_type: str | None = None,
    default: Any = MISSING,
    **more: Any,
) -> Any:
    """The value of the first key that the data of Hiera has, for a node in an environment.

    The environment is given by the settings ``environmentpath`` and ``environment``. Raises
    PuppetError, also when there is no value and no ``default``.

    >>> lookup("no::such::key", default="nothing")
    'nothing'
    """
    asked = request("", node, facts, modulepath, settings, more)
    answer = look_up(asked, Question(keys, merge, value_type, default), log)
    if answer.error is not None:
        raise answer.error
    return answer.value


def parse(code_or_path: CodeOrPath, *, epp: bool | None = None, language: str = "8") -> Program:
    """The syntax tree of a manifest (or of an EPP template); PuppetError holds every mistake.

    >>> parse("$a = 1").body.__class__.__name__
    'Assignment'
    >>> parse("class a-b { }", language="3.8").definitions[0].name
    'a-b'
    """
    dialect = dialect_of(Request(language=language))
    if is_path(code_or_path):
        path = os.fspath(code_or_path)
        with open(path, "rb") as file:
            source = Source(file.read().decode("utf-8", "surrogateescape"), path, on_disk=True)
    else:
        source = Source(str(code_or_path))
    source.is_template = source.path.endswith(".epp") if epp is None else epp
    result = parse_source(source, dialect)
    errors = [finding for finding in result.diagnostics if finding.severity == "error"]
    if errors:
        raise PuppetError(errors[0], errors[1:], "parse")
    return result.program


def request(
    code_or_path: CodeOrPath,
    node: str,
    facts: Mapping[str, Any] | None,
    modulepath: Sequence[str | os.PathLike[str]],
    settings: Mapping[str, Any] | None,
    more: Mapping[str, Any],
) -> Request:
    """The request to the engine."""
    by_path = is_path(code_or_path)
    return Request(
        code=None if by_path else str(code_or_path),
        path=os.fspath(code_or_path) if by_path else None,
        node=node,
        facts=facts or {},
        modulepath=[os.path.abspath(folder) for folder in modulepath],
        settings=settings or {},
        **more,
    )
