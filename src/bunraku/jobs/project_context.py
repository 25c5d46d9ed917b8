"""The context of a directory for callers from Python: keywords win over the configuration file."""

from __future__ import annotations

import os
from typing import Any

from bunraku.base.records import rules_of
from bunraku.jobs.context import Context
from bunraku.jobs.observer import SILENT, Observer
from bunraku.jobs.paths import joined_paths
from bunraku.project.config_file import config_file_of
from bunraku.project.option_kinds import check_options
from bunraku.project.options import PYTHON, CompileOptions, configured_defaults, options_in
from bunraku.world.machine import Machine

KEYWORDS = options_in(CompileOptions, by=PYTHON)
"""The options that callers from Python set."""


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
    check_options(options, KEYWORDS)
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
    if KEYWORDS[name].kind == "paths":
        return joined_paths(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else value
