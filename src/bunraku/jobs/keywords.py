"""Keywords of Python that become records of options, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from bunraku.base.records import rules_of
from bunraku.base.suggestions import suggestion

R = TypeVar("R")
CLASSES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "True or False"),
    "str": ((str,), "a string"),
    "float": ((int, float), "a number"),
    "int": ((int,), "a whole number"),
}
"""Annotation → the classes of its values, and their name."""


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
        annotation, _, rest = str(kind.__annotations__[name]).partition(" | ")
        if annotation in CLASSES and not (rest == "None" and value is None):
            classes, expected = CLASSES[annotation]
            if not isinstance(value, classes) or (annotation != "bool" and value is True):
                raise TypeError(f"{name}: expected {expected}, not {value!r}")
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
