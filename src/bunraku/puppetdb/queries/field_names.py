"""Names of fields, with the parts of structured ones: ``facts.os."a.b".match("eth.*")[0]``."""

from __future__ import annotations

import re

from bunraku.puppetdb.queries.expressions import FieldName, Pattern, Step
from bunraku.puppetdb.query_failure import bad_query

FIRST = re.compile(r"[a-zA-Z][_0-9a-zA-Z]*\??(?=\.|\Z)")
MATCH = re.compile(r'match\("(?P<pattern>.*[^\\])"\)(?=\.|\Z)', re.DOTALL)
QUOTED = re.compile(r'"(?P<name>.*?[^\\])"(?=\.|\Z)', re.DOTALL)
PLAIN = re.compile(r"(?P<name>[^.]+)(?=\.|\Z)")
INDEXED = re.compile(r"(?P<name>.+)\[(?P<index>\d{1,9})\]", re.DOTALL | re.ASCII)


def field_name(text: str) -> FieldName:
    """Return a field by its text; PuppetError if it is malformed.

    >>> field_name('facts.disks."a.b".size[2]').steps
    ('disks', 'a.b', 'size', 2)
    """
    first = FIRST.match(text)
    if first is None:
        raise bad_query(f'First component of AST field is invalid: "{text}"')
    steps: list[Step] = []
    position = first.end()
    while position < len(text):
        position = add_step(text, position + 1, steps)
    return FieldName(text, first[0], tuple(steps))


def add_step(text: str, position: int, steps: list[Step]) -> int:
    """Add the step that begins at a position; return where it ends."""
    if text.startswith('""', position):
        raise bad_query(f'Empty AST field component at character {position}: "{text}"')
    found = MATCH.match(text, position)
    if found:
        steps.append(Pattern(found["pattern"]))
        return found.end()
    found = QUOTED.match(text, position) or PLAIN.match(text, position)
    if found is None:
        message = f'Don\'t recognize AST field component at character {position}: "{text}"'
        raise bad_query(message)
    indexed = INDEXED.fullmatch(found["name"])
    steps += [indexed["name"], int(indexed["index"])] if indexed else [found["name"]]
    return found.end()
