"""YAML, JSON and HOCON, plain and as data of Hiera."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lines import line_matching
from bunraku.base.source import Source
from bunraku.checks import issues
from bunraku.checks.source import finding
from bunraku.formats import yaml as hiera_yaml
from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.hiera import data as hiera_data
from bunraku.hiera.eyaml import ENCRYPTED
from bunraku.hiera.interpolate import EMPTY, EXPRESSION, LOOKUPS, METHOD

FUNCTIONS = frozenset({*LOOKUPS, "scope", "literal"})
COMMENT = re.compile(r"(?:^|\s)#")
SHOWN = 24
"""The length of the part of an encrypted value that finds its line."""
KINDS = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}


def check_yaml(source: Source) -> list[Diagnostic]:
    """Return the errors in YAML of any kind: syntax and keys that occur twice."""
    import yaml  # slow to import

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = yaml.parse(source.text.encode("utf-8", "surrogateescape"), loader)
        return duplicates(source, events)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else None
        reason = hiera_yaml.reason(error)
        return [finding(issues.NOT_DATA, source, line, format="YAML", reason=reason)]


def duplicates(source: Source, events: Iterator[Any]) -> list[Diagnostic]:
    """Return a warning for each key that a mapping has twice."""
    import yaml

    found: list[Diagnostic] = []
    line: int
    levels: list[tuple[dict[str, int] | None, bool]] = []
    for event in events:
        if len(levels) > hiera_yaml.DEEPEST:
            line = getattr(event.start_mark, "line", 0) + 1
            reason = hiera_yaml.TOO_DEEP
            return [finding(issues.NOT_DATA, source, line, format="YAML", reason=reason)]
        starts = isinstance(event, yaml.CollectionStartEvent)
        ends = isinstance(event, yaml.CollectionEndEvent)
        if ends:
            levels.pop()
            continue
        if levels and (starts or isinstance(event, yaml.ScalarEvent | yaml.AliasEvent)):
            keys, is_key = levels[-1]
            if keys is not None:
                levels[-1] = keys, not is_key
                if is_key and isinstance(event, yaml.ScalarEvent) and event.value != "<<":
                    line = getattr(event.start_mark, "line", 0) + 1
                    first = keys.setdefault(event.value, line)
                    if first != line:
                        key = event.value
                        issue = issues.DUPLICATE_KEY
                        found.append(finding(issue, source, line, "warning", key=key, first=first))
        if starts:
            levels.append(({} if isinstance(event, yaml.MappingStartEvent) else None, True))
    return found


def check_json(source: Source) -> list[Diagnostic]:
    """Return the errors in JSON."""
    try:
        hiera_data.parse_json(source.text.encode("utf-8", "surrogateescape"), source.path)
    except PuppetError as error:
        return [not_data(source, "JSON", error)]
    return []


def not_data(source: Source, name: str, error: PuppetError) -> Diagnostic:
    """Return the finding for text that a reader of Hiera's refused."""
    reason = error.arguments["reason"]
    return finding(issues.NOT_DATA, source, error.place.line, format=name, reason=reason)


def check_hiera_yaml(source: Source) -> list[Diagnostic]:
    """Return the errors in a YAML file of Hiera data."""
    found = check_yaml(source)
    if any(one.severity == "error" for one in found):
        return found
    try:
        value = hiera_data.keys_to_text(hiera_yaml.load(source.text))
    except hiera_yaml.YamlError as error:
        reason = error.problem
        return [finding(issues.NOT_DATA, source, error.line, format="YAML", reason=reason), *found]
    return [*found, *check_values(source, {} if value is False else value)]


def check_hiera_json(source: Source) -> list[Diagnostic]:
    """Return the errors in a JSON file of Hiera data."""
    found = check_json(source)
    if found:
        return found
    content = source.text.encode("utf-8", "surrogateescape")
    return check_values(source, hiera_data.parse_json(content, source.path))


def check_hiera_hocon(source: Source) -> list[Diagnostic]:
    """Return the errors in a HOCON file of Hiera data."""
    try:
        return check_values(source, parse_hocon(source.text))
    except HoconError as error:
        line, reason = error.line, error.problem
        return [finding(issues.NOT_DATA, source, line, format="HOCON", reason=reason)]


def check_values(source: Source, value: Any) -> list[Diagnostic]:
    """Return the errors in Hiera data: no hash, interpolation, encrypted values."""
    if not isinstance(value, dict):
        return [finding(issues.NO_HASH, source, 1, kind=KINDS.get(type(value), "a value"))]
    if "%{" not in source.text and "ENC[" not in source.text:
        return []
    found: list[Diagnostic] = []
    places = WrittenParts(source)
    for text in texts_in(value):
        if "%{" in text:
            found += check_interpolation(places, text)
        if "ENC[" in text:
            found += check_secret(places, text)
    return found


class WrittenParts:
    """The lines of parts of values, which are asked for in the order of the file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: dict[str, Iterator[int]] = {}

    def line(self, part: str) -> int | None:
        """Return the next line with a part outside of comments; after the last one, the first line with it."""
        if part not in self.lines:
            self.lines[part] = lines_with(self.source.text, part)
        return next(self.lines[part], None) or line_matching(self.source.text, re.escape(part))


def lines_with(text: str, part: str) -> Iterator[int]:
    """Yield the number of the line for each place where a part is written outside of comments.

    >>> list(lines_with("# ENC[\\na: ENC[\\nb: [ENC[, ENC[]\\n", "ENC["))
    [2, 3, 3]
    """
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.finditer(re.escape(part), line):
            if COMMENT.search(line, 0, found.start()) is None:
                yield number


def texts_in(value: Any) -> Iterator[str]:
    """Yield the strings in data, keys included."""
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict | list) and id(one) not in seen:
            seen.add(id(one))
            items = [*one.keys(), *one.values()] if isinstance(one, dict) else one
            waiting += reversed(items)


def check_interpolation(places: WrittenParts, text: str) -> Iterator[Diagnostic]:
    """Yield the interpolations that call unknown functions."""
    for one in EXPRESSION.finditer(text):
        expression = one[1].strip()
        called = None if expression in EMPTY else METHOD.fullmatch(expression)
        if called is not None and called[1] not in FUNCTIONS:
            line, name = places.line(one[0]), called[1]
            yield finding(issues.UNKNOWN_FUNCTION_IN_DATA, places.source, line, name=name)


def check_secret(places: WrittenParts, text: str) -> Iterator[Diagnostic]:
    """Yield the errors in encrypted values."""
    for start in re.finditer(r"ENC\[", text):
        line = places.line(text[start.start() : start.start() + SHOWN].split(maxsplit=1)[0])
        piece = ENCRYPTED.match(text, start.start())
        reason = "the closing ']' is missing, or the text is not valid Base64"
        if piece is not None and (piece[1] or "PKCS7").upper() != "PKCS7":
            continue
        if piece is not None:
            try:
                binascii.a2b_base64("".join(piece[2].split()).encode(), strict_mode=True)
                continue
            except binascii.Error as error:
                reason = str(error)
        yield finding(issues.BROKEN_SECRET, places.source, line, reason=reason)
