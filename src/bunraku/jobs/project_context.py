"""The context of a directory for callers from Python: keywords win over the configuration file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import rules_of
from bunraku.base.suggestions import suggestion
from bunraku.jobs.context import Context
from bunraku.jobs.observer import SILENT, Observer
from bunraku.jobs.options import CompileOptions, configured_defaults
from bunraku.project.config_file import config_file_of
from bunraku.world.machine import Machine

PATHS = frozenset({"modulepath", "environmentpath", "basemodulepath"})
"""Options with directories, for which a list is accepted."""


def context_in(
    directory: str | os.PathLike[str],
    observer: Observer = SILENT,
    *,
    below: bool = False,
    **options: Any,
) -> Context:
    """Return the context of a directory; ``options`` are fields of :class:`CompileOptions`.

    Raises TypeError for an unknown option and for one of a wrong kind, PuppetError for a configuration
    file that is wrong or that other users can have written.
    """
    start = os.path.abspath(directory)
    check_options(options)
    configured = config_file_of(start, Machine())
    defaults = {name: rule.default for name, rule in rules_of(CompileOptions).items()}
    given = {name: joined(name, value) for name, value in options.items() if value is not None}
    found = {**configured_defaults(defaults, configured), **given}
    root = None if "root" in configured else start
    return Context(
        CompileOptions(**{"directory": root, "configured": configured, **found}),
        observer,
        below=below,
    )


def joined(name: str, value: Any) -> Any:
    """Return the value of an option as the record has it: directories are joined by colons."""
    if name in PATHS and not isinstance(value, str):
        return os.pathsep.join(map(os.fspath, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def check_options(options: Mapping[str, Any]) -> None:
    """Raise TypeError for an option that :class:`CompileOptions` does not have, or of a wrong kind.

    >>> check_options({"langauge": "8"})
    Traceback (most recent call last):
    ...
    TypeError: unknown option 'langauge' (did you mean 'language'?)
    >>> check_options({"settings": "strict=off"})
    Traceback (most recent call last):
    ...
    TypeError: settings: expected a mapping, not 'strict=off'
    """
    known = rules_of(CompileOptions)
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"unknown option {name!r}{suggestion(name, known)}")
        for names, kind, expected in KINDS:
            if name in names and value is not None and not isinstance(value, kind):
                raise TypeError(f"{name}: expected {expected}, not {value!r}")


TEXTS = frozenset(
    {"environment", "language", "follow", "strict", "node", "facts_from", "storedconfigs"}
    | {"node_terminus", "executor"}
)
KINDS: Sequence[tuple[frozenset[str], Any, str]] = (
    (TEXTS, str, "a string"),
    (frozenset({"settings"}), Mapping, "a mapping"),
    (
        frozenset({"facts", "trusted", "server_facts"}),
        Mapping | str | os.PathLike,
        "a mapping or a path",
    ),
    (PATHS, str | os.PathLike | list | tuple, "a list of directories"),
    (
        frozenset({"strict_variables", "tasks", "include_legacy_facts", "no_project"}),
        bool,
        "True or False",
    ),
    (frozenset({"timeout", "memory", "jobs"}), int | float, "a number"),
)
"""Names of options, the type of their values, and its name."""
