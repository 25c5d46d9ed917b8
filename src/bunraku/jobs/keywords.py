"""Arguments of Python: keywords that become records of options, and positional ones, checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from bunraku.base.records import rules_of
from bunraku.base.suggestions import suggestion
from bunraku.catalog.catalog import Catalog

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
CLASSES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "True or False"),
    "str": ((str,), "a string"),
    "float": ((int, float), "a number"),
    "int": ((int,), "a whole number"),
}
"""Annotation → the classes of its values, and their name."""
ARGUMENTS: Mapping[str, tuple[tuple[type, ...], str]] = {
    **CLASSES,
    "str | os.PathLike[str]": ((str, os.PathLike), "a path"),
    "CodeOrPath": ((str, os.PathLike), "code or a path"),
    "str | os.PathLike[str] | Catalog": ((str, os.PathLike, Catalog), "code, a path or a Catalog"),
    "Catalog | Mapping[str, Any]": ((Mapping, Catalog), "a Catalog or its data"),
    "Mapping[str, Any]": ((Mapping,), "a mapping"),
    "Mapping[str, str]": ((Mapping,), "a mapping"),
    "Nodes": ((Mapping, str, os.PathLike), "facts by node, or the directory of facts files"),
    "Sequence[str]": ((list, tuple, set, frozenset), "a list of strings"),
    "Sequence[str] | Mapping[str, Mapping[str, Any]]": (
        (list, tuple, set, frozenset, Mapping),
        "a list of names, or facts by name",
    ),
}
"""The same for arguments of functions, which may also be catalogs, paths and collections."""


def checked_record(kind: type[R], given: Mapping[str, Any]) -> R:
    """Return a record of options; TypeError for an unknown name and for a value of a wrong kind.

    >>> from bunraku.jobs.query import QueryOptions
    >>> checked_record(QueryOptions, {"source": "data", "timeot": 5})
    Traceback (most recent call last):
    ...
    TypeError: unknown option 'timeot' (did you mean 'timeout'?)
    >>> checked_record(QueryOptions, {"source": "data", "timeout": "5m"})
    Traceback (most recent call last):
    ...
    TypeError: timeout: expected a number, not '5m'
    """
    known = rules_of(kind)
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"unknown option {name!r}{suggestion(name, known)}")
        check_kind(name, str(kind.__annotations__[name]), value)
    return kind(**given)


def checked_options(options: object, kind: type[R]) -> R:
    """Return options of a job, by default its own; TypeError for an object of another class.

    >>> from bunraku.jobs.compare import CompareOptions
    >>> checked_options({"edges": False}, CompareOptions)
    Traceback (most recent call last):
    ...
    TypeError: options: expected a CompareOptions, not {'edges': False}
    """
    if options is None:
        return kind()
    if not isinstance(options, kind):
        raise TypeError(f"options: expected a {kind.__name__}, not {options!r}")
    return options


def check_kind(
    name: str,
    annotation: str,
    value: object,
    kinds: Mapping[str, tuple[tuple[type, ...], str]] = CLASSES,
) -> None:
    """Raise TypeError for a value that an annotation excludes; other annotations allow everything."""
    kind = annotation.removesuffix(" | None")
    if kind not in kinds or (value is None and kind != annotation):
        return
    classes, expected = kinds[kind]
    if not isinstance(value, classes) or (isinstance(value, bool) and bool not in classes):
        raise TypeError(f"{name}: expected {expected}, not {value!r}")


def checked_arguments(function: F) -> F:
    """Return a function that raises TypeError for an argument of a wrong kind.

    >>> from bunraku.api.compile import evaluate
    >>> evaluate(3)
    Traceback (most recent call last):
    ...
    TypeError: code_or_path: expected code or a path, not 3
    """
    code, annotations = function.__code__, function.__annotations__
    count = code.co_argcount
    rest = code.co_varnames[count + code.co_kwonlyargcount :][:1]

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        __tracebackhide__ = True
        named = [*zip(code.co_varnames[:count], arguments, strict=False), *keywords.items()]
        named += [(name, value) for name in rest for value in arguments[count:]]
        for name, value in named:
            check_kind(name, annotations.get(name, ""), value, ARGUMENTS)
        return function(*arguments, **keywords)

    return cast(F, call)
