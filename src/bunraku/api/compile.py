"""The Python interface: the functions and classes of ``import bunraku``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from bunraku.base.file_reading import read_whole
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.base.tracebacks import without_frames
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compare import Difference, compare
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.dialects import find_dialect
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.programs import parse_program
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry
from bunraku.syntax.nodes import Program
from bunraku.values.missing import MISSING
from bunraku.world.protocol import World

CodeOrPath = str | os.PathLike[str]
Log = Callable[[LogEntry], None]


class Surroundings(TypedDict, total=False):
    """Keywords of every compile besides the name of the node.

    ``facts``
        the facts of the node
    ``modulepath``
        directories of modules
    ``settings``
        Puppet's settings by name; ``environmentpath`` and ``environment`` name an environment
    ``hiera_config``
        the ``hiera.yaml`` of the global layer
    ``language``
        ``8`` (default), ``3.8``, ``3.8-future`` or ``3.0``
    ``follow``
        ``puppet`` (default) or ``documents``: which one rules where they disagree
    ``trusted``, ``server_facts``
        the hashes ``$trusted`` and ``$server_facts``
    ``node_classes``, ``node_parameters``
        the classes and top-scope variables that a node classifier would assign
    ``storedconfigs``
        catalogs and facts of other nodes: a file or directory with them, an export or the URL of a
        PuppetDB, or one of its databases
    ``facts_from``
        where the facts of the node are: a source as for ``storedconfigs``
    ``cycles``
        False to skip the check for dependency cycles
    ``functions``
        Python functions decorated with :func:`bunraku.function`, or modules of them
    ``world``
        a replacement of this machine, for example ``bunraku.world.dictionary.DictionaryWorld``
    """

    facts: Mapping[str, Any] | None
    modulepath: Sequence[str | os.PathLike[str]]
    settings: Mapping[str, Any] | None
    hiera_config: str | None
    language: str | None
    follow: str
    trusted: Mapping[str, Any] | None
    server_facts: Mapping[str, Any] | None
    node_classes: Sequence[str] | Mapping[str, Any] | None
    node_parameters: Mapping[str, Any]
    storedconfigs: str | None
    facts_from: str | None
    cycles: bool
    functions: Sequence[Any]
    world: World


class Options(Surroundings, total=False):
    """The keywords of a compile: those of :class:`Surroundings`, and ``node``, the certname.

    The default of ``node`` is ``localhost``.
    """

    node: str


OPTION_NAMES = sorted(Options.__optional_keys__)


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


def compile(  # noqa: A001, the word of the field
    code_or_path: CodeOrPath, *, log: Log = ignore, **options: Unpack[Options]
) -> Catalog:
    """Return the catalog of a node: from code, a manifest or a directory of manifests.

    ``log`` is called with each :class:`bunraku.LogEntry`; :class:`Options` lists the other keywords.
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


def evaluate(code_or_path: CodeOrPath, *, log: Log = ignore, **options: Unpack[Options]) -> Any:
    """Return the value of the last expression; the keywords are those of :func:`compile`.

    >>> evaluate("[1, 2, 3].map |$n| { $n * 2 }")
    [2, 4, 6]
    """
    __tracebackhide__ = True
    return without_frames(lambda: evaluate_code(request_of(code_or_path, options), log))


def lookup(
    *keys: str,
    merge: str | Mapping[str, Any] | None = None,
    value_type: str | None = None,
    default: Any = MISSING,
    log: Log = ignore,
    **options: Unpack[Options],
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


def request_of(code_or_path: CodeOrPath | None, options: Options) -> Request:
    """Return the request that the engine gets; without code it is for an environment.

    Raises TypeError for an unknown keyword.
    """
    check_names(options)
    by_path = code_or_path is not None and is_path(code_or_path)
    code = None if by_path or code_or_path is None else str(code_or_path)
    given: dict[str, Any] = {**options}
    for name in ("facts", "settings", "node_parameters"):
        given[name] = given.get(name) or {}
    given["modulepath"] = [os.path.abspath(path) for path in given.get("modulepath", ())]
    path = os.fspath(code_or_path) if by_path and code_or_path is not None else None
    return Request(code=code, path=path, **given)


def check_names(options: Mapping[str, Any]) -> None:
    """Raise TypeError for a keyword that :class:`Options` does not have.

    >>> check_names({"hiera_conf": "x"})
    Traceback (most recent call last):
    ...
    TypeError: unknown option 'hiera_conf' (did you mean 'hiera_config'?)
    """
    for name in options:
        if name not in OPTION_NAMES:
            raise TypeError(f"unknown option {name!r}{suggestion(name, OPTION_NAMES)}")
