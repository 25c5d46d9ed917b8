"""The files of a project that a command checks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from importlib import import_module

from bunraku.base.fences import fence
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.checker import Checker
from bunraku.cli.options.shared import read_text, settings


def project_directory(options: argparse.Namespace, check: Checker) -> str:
    """Return the directory of the project; the checker learns which modules it has."""
    here = import_module("bunraku.cli.options.project")
    project = here.project_here(options, settings(options), below=True)
    if project.kind == "none":
        raise UsageError(
            f"nothing to validate: give files, directories, - or -e CODE ({project.reason})"
        )
    return directory_of(project, options, check)


def directory_of(project: Any, options: argparse.Namespace, check: Checker) -> str:
    """Return the directory of a Project; the checker learns its modules, the options what it excludes."""
    options.skipped = [(project.root, name) for name in project.value("exclude", ())]
    check.modulepath += map(os.path.relpath, project.value("modulepath", ()))
    modules = project.value("modules", {})
    check.modulepath += [(name, os.path.relpath(path)) for name, path in modules.items()]
    root: str = project.root
    return os.path.relpath(root)


def sources_below(directory: str, options: argparse.Namespace) -> Iterator[tuple[Source, str]]:
    """Yield the texts of a directory and their kinds."""
    fence(directory)
    try:
        for path, kind in walk_of(options).files(directory):
            yield Source(read_text(path), path, on_disk=True), kind
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror or error}") from error


def walk_of(options: argparse.Namespace) -> Any:
    """Return the Walk that skips what the options and the configuration file exclude."""
    patterns = [(os.getcwd(), pattern) for pattern in getattr(options, "exclude", ())]
    patterns += getattr(options, "skipped", [])
    configured = options.configured.get("exclude")
    if configured is not None:
        base = os.path.dirname(configured.file)
        patterns += [(base, pattern) for pattern in configured.value]
    return import_module("bunraku.checks.files").Walk(patterns)
