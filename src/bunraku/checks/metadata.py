"""``metadata.json`` of modules: the requirements of Puppet, and those of the Forge and its tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError, Severity
from bunraku.base.lines import line_matching
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks import issues
from bunraku.checks.source import finding, line_place
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.shape import TEXT, TEXTS, Array, Fields, Shape, kind_of
from bunraku.modules.environment import REQUIRED_METADATA
from bunraku.values.version import SemVerRange, is_version

Problem = tuple[str, Diagnostic]
"""The key that a problem is about, and the problem."""
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
    """Return the errors in the metadata of a module."""
    try:
        data = parse_json(source.text)
    except FormatError as error:
        at = f" at column {error.column}" if error.column else ""
        reason = f"{error.problem}{at}"
        return [finding(issues.NOT_DATA, source, error.line, format="JSON", reason=reason)]
    if not isinstance(data, dict):
        return [finding(issues.METADATA_TYPE, source, 1, kind=kind_of(data))]
    return [
        found.at(line_place(source, line_of_key(source.text, key))) for key, found in problems(data)
    ]


def line_of_key(text: str, key: str) -> int | None:
    """Return the line of a key or a name in the file."""
    return line_matching(text, rf'"{re.escape(key)}"') or 1


def problems(data: dict[str, Any]) -> Iterator[Problem]:
    """Yield the problems of the metadata."""
    for key in ("name", *REQUIRED_METADATA):
        if data.get(key) is None:
            severity: Severity = "warning" if key == "name" else "error"
            yield key, issues.METADATA_MISSING.diagnostic(severity=severity, key=key)
    for key, value in data.items():
        shape = SHAPES.get(key)
        wrong = None if shape is None or value is None else shape.mismatch(value)
        if wrong is not None:
            yield key, issues.METADATA_SHAPE.diagnostic(mismatch=wrong.below(key))
        elif key not in KEYS and (near := suggestion(key, KEYS)):
            yield key, issues.METADATA_UNKNOWN.diagnostic(severity="warning", key=key, near=near)
    name, version = data.get("name"), data.get("version")
    if isinstance(name, str) and not NAME.fullmatch(name):
        yield "name", issues.NOT_A_MODULE_NAME.diagnostic(name=name)
    if isinstance(version, str) and not is_version(version):
        yield "version", issues.NOT_A_VERSION.diagnostic(version=version)
    for key in ("dependencies", "requirements"):
        if isinstance(data.get(key), list):
            yield from dependency_problems(key, data[key])


def dependency_problems(key: str, entries: list[Any]) -> Iterator[Problem]:
    """Yield the problems of dependencies, or of requirements such as Puppet's version."""
    seen: set[str] = set()
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            continue  # the shape reports it
        if key == "dependencies" and not NAME.fullmatch(name):
            yield name, issues.NOT_A_MODULE_NAME.diagnostic(name=name)
        if name.replace("/", "-") in seen:
            yield name, issues.LISTED_TWICE.diagnostic(severity="warning", name=name, key=key)
        seen.add(name.replace("/", "-"))
        wanted = entry.get("version_requirement", entry.get("version_range"))
        if wanted is not None and not (isinstance(wanted, str) and is_range(wanted)):
            yield name, issues.NOT_A_RANGE.diagnostic(range=wanted)


def is_range(text: str) -> bool:
    """Return whether a text is a range of versions."""
    try:
        SemVerRange.parse(text)
    except PuppetError:
        return False
    return True
