"""Findings of an installed puppet-lint and of ours, as sets of file, line and check."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

from bunraku.base.source import Source
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import LintSettings, lint_source

NEWER = frozenset({"legacy_facts", "space_before_arrow", "top_scope_facts"})
"""Checks that puppet-lint has since version 4."""
FORMAT = "%{path}\t%{line}\t%{check}"
Found = set[tuple[str, int, str]]


def shared_checks(plugins: Iterable[str] = ()) -> list[str]:
    """Return the checks of the installed puppet-lint that we have; plugins are files of Ruby code."""
    command = ["puppet-lint", "--no-config", *loading(plugins), "--list-checks"]
    known = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in checks() if name in known and name not in NEWER]


def loading(plugins: Iterable[str]) -> list[str]:
    """Return the options that load plugins."""
    return [word for path in plugins for word in ("--load", path)]


def theirs(files: Iterable[str], names: Iterable[str], plugins: Iterable[str] = ()) -> Found:
    """Return what puppet-lint reports."""
    command = ["puppet-lint", "--no-config", "--log-format", FORMAT, *loading(plugins)]
    command += ["--only-checks", ",".join(names), *files]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    rows = [line.split("\t") for line in text.splitlines() if line.count("\t") == 2]
    return {(path, int(line), check) for path, line, check in rows}


def ours(files: Iterable[str], names: Iterable[str]) -> Found:
    """Return what we report."""
    settings = LintSettings(only=tuple(names))
    chosen = settings.chosen()
    found: Found = set()
    for path in files:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            outcome = lint_source(Source(file.read(), path), chosen, settings)
        found |= {(path, one.line or 0, one.code) for one in outcome.diagnostics()}
    return found
