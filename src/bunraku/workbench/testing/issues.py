"""Errors of tests of Puppet code."""

from __future__ import annotations

from bunraku.base.errors import Issue

FIXTURES_MISSING = Issue(
    "FIXTURES_MISSING",
    "Modules in {path} are not installed: {names}",
    hint="run 'bunraku modules install' in {root}",
)
NO_SYSTEMS = Issue(
    "NO_SYSTEMS",
    "{path} names no operating systems",
    hint="list them under 'operatingsystem_support', or name them: on_supported_os(\"debian-12\")",
)
NO_STRATEGY = Issue(
    "NO_STRATEGY",
    "Cannot make values of {type}: {reason}",
    hint="give a strategy of hypothesis for these values",
)
BAD_SPEC = Issue("BAD_SPEC", "Invalid spec file {path}: {reason}")
