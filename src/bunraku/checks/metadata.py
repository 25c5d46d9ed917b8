"""``metadata.json`` of modules: what Puppet needs, and what the Forge and its tools expect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError, Severity
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks import issues
from bunraku.checks.source import finding, line_of
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.shape import TEXT, TEXTS, Array, Fields, Shape, kind_of
from bunraku.modules.environment import REQUIRED_METADATA
from bunraku.values.version import SemVer, SemVerRange

Problem = tuple[str, str, Severity]
"""The key that a problem is about, the problem, and how bad it is."""
NAMES = ("name", "version", "author", "license", "source", "summary", "project_page", "issues_url")
NAMED = Fields({"name": TEXT}, required=("name",))
SYSTEM = Fields(
    {"operatingsystem": TEXT, "operatingsystemrelease": TEXTS}, required=("operatingsystem",)
)
SHAPES: dict[str, Shape] = {
    **dict.fromkeys(NAMES, TEXT),
    "dependencies": Array(NAMED),
    "requirements": Array(NAMED),
    "operatingsystem_support": Array(SYSTEM),
    "tags": TEXTS,
}
OTHERS = (
    "data_provider",
    "pdk-version",
    "template-url",
    "template-ref",
    "description",
    "checksums",
)
KEYS = (*SHAPES, *OTHERS, "types", "docs_project", "package_release_version")
NAME = re.compile(r"[a-zA-Z0-9]+[-/][a-z][a-z0-9_]*")


def check_metadata(source: Source) -> list[Diagnostic]:
    """Return what is wrong with the metadata of a module."""
    try:
        data = parse_json(source.text)
    except FormatError as error:
        at = f" at column {error.column}" if error.column else ""
        reason = f"{error.problem}{at}"
        return [finding(issues.NOT_DATA, source, error.line, format="JSON", reason=reason)]
    if not isinstance(data, dict):
        problem = f"module metadata must be an object, not {kind_of(data)}"
        return [finding(issues.METADATA, source, 1, problem=problem)]
    return [
        finding(issues.METADATA, source, line_of_key(source.text, key), severity, problem=problem)
        for key, problem, severity in problems(data)
    ]


def line_of_key(text: str, key: str) -> int | None:
    """Return the line of a key or a name in the file."""
    return line_of(text, rf'"{re.escape(key)}"') or 1


def problems(data: dict[str, Any]) -> Iterator[Problem]:
    """Yield the problems of the metadata."""
    for key in ("name", *REQUIRED_METADATA):
        if data.get(key) is None:
            severity: Severity = "warning" if key == "name" else "error"
            yield key, f"the key '{key}' is missing", severity
    for key, value in data.items():
        shape = SHAPES.get(key)
        wrong = None if shape is None or value is None else shape.mismatch(value)
        if wrong is not None:
            yield key, str(wrong.below(key)), "error"
        elif key not in KEYS and (near := suggestion(key, KEYS)):
            yield key, f"unknown key '{key}'{near}", "warning"
    name, version = data.get("name"), data.get("version")
    if isinstance(name, str) and not NAME.fullmatch(name):
        yield "name", f"'{name}' is not a module name such as 'puppetlabs-ntp'", "error"
    if isinstance(version, str) and not is_version(version):
        yield "version", f"'{version}' is not a version such as '1.2.3'", "error"
    for key in ("dependencies", "requirements"):
        if isinstance(data.get(key), list):
            yield from dependency_problems(key, data[key])


def dependency_problems(key: str, entries: list[Any]) -> Iterator[Problem]:
    """Yield the problems of dependencies, or of requirements such as Puppet's version."""
    seen: set[str] = set()
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            continue  # the shape says so
        if key == "dependencies" and not NAME.fullmatch(name):
            yield name, f"'{name}' is not a module name such as 'puppetlabs-ntp'", "error"
        if name.replace("/", "-") in seen:
            yield name, f"'{name}' is listed twice in '{key}'", "warning"
        seen.add(name.replace("/", "-"))
        wanted = entry.get("version_requirement", entry.get("version_range"))
        if wanted is not None and not (isinstance(wanted, str) and is_range(wanted)):
            yield name, f"{wanted!r} is not a range of versions such as '>= 1.2.3 < 2.0.0'", "error"


def is_version(text: str) -> bool:
    """Return whether a text is a version."""
    try:
        SemVer.parse(text)
    except PuppetError:
        return False
    return True


def is_range(text: str) -> bool:
    """Return whether a text is a range of versions."""
    try:
        SemVerRange.parse(text)
    except PuppetError:
        return False
    return True
