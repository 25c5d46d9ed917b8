"""Variables that ERB templates read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.checks.source import line_place
from bunraku.migrate.templates import all_nodes, looked_up, ruby_code
from bunraku.ruby.syntax.tree import parse_ruby
from bunraku.runtime.issues import UNKNOWN_VARIABLE

READS = lazy_pattern(r"@(\w+)|(?:lookupvar\(?|scope\[)\s*['\"](\w+)['\"]")
"""What may read a variable in an ERB template; the syntax tree decides."""
ASSIGNMENTS = frozenset({"assignment", "operator_assignment"})
OPTIONAL = re.compile(
    r"has_variable\?\s*\(?\s*['\"](\w+)|defined\?[\s(]*@(\w+)|include\?\(?['\"](\w+)"
)


class ErbReads:
    """The variables that an ERB template reads by simple names, with their lines."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.source = Source(text, path, is_template=True)
        self.names = {one or other for one, other in READS.findall(text)}

    def finding(self, name: str, hint: str | None) -> Diagnostic | None:
        """Return the finding of a variable that nothing sets; None if it is not read for certain."""
        for line in self.lines(name):
            place = line_place(self.source, line)
            return replace(UNKNOWN_VARIABLE.diagnostic(place, "warning", name=name), hint=hint)
        return None

    def lines(self, name: str) -> Iterator[int]:
        """Yield the lines that read a variable, unless the template sets it or asks whether it is set."""
        text = self.source.text
        if any(name in found for found in OPTIONAL.findall(text)):
            return
        found = []
        for node in all_nodes(parse_ruby(ruby_code(text))):
            if node.type == "instance_variable" and node.text.decode() == f"@{name}":
                if is_target(node):
                    return
                found.append(node.start_point[0] + 1)
            elif node.type in {"call", "element_reference"} and looked_up(node) == name:
                found.append(node.start_point[0] + 1)
        yield from sorted(found)


def is_target(node: Any) -> bool:
    """Return whether an assignment sets an instance variable."""
    above = node.parent
    return (
        above is not None
        and above.type in ASSIGNMENTS
        and bool(above.child_by_field_name("left") == node)
    )
