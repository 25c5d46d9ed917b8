"""Options of a command as a record: the fields of a record are names of options."""

from __future__ import annotations

import argparse

from bunraku.base.lazy_typing import Any, TypeVar
from bunraku.base.records import rules_of

R = TypeVar("R")


def record_of(kind: type[R], options: argparse.Namespace, **fields: Any) -> R:
    """Return a record of the options with the names of its fields; ``fields`` have other values.

    A field without an option keeps its default.

    >>> from bunraku.jobs.resource import ResourceOptions
    >>> record_of(ResourceOptions, argparse.Namespace(noop=True, other=2), level="info").noop
    True
    """
    given = {name: value for name, value in vars(options).items() if name in rules_of(kind)}
    return kind(**{**given, **fields})
