"""The indent of a project: that of its ``.editorconfig``, or that of most of its manifests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.workbench.format.pieces import Style

INDENTED = lazy_pattern(
    r"^(?P<indent> *)(?:\S[^\n#]*)?[{(:\[][ \t]*\r?\n(?=(?P=indent)(?P<more> +)[^\s#])", 8
)
"""A line that ends with an opening bracket or a title, and the line behind it."""
LARGEST = 8


def detected_step(texts: Iterable[str]) -> int:
    """Return the number of spaces of a level in most places; 2 if there are none.

    >>> detected_step(["class x {\\n    include y\\n}\\n"]), detected_step([])
    (4, 2)
    """
    steps: Counter[int] = Counter()
    for text in texts:
        steps.update(len(match["more"]) for match in INDENTED.finditer(text))
    counted = [(count, -step) for step, count in steps.items() if 1 < step <= LARGEST]
    return -max(counted)[1] if counted else 2


def style_of(properties: Mapping[str, str], step: int) -> Style:
    """Return the style that properties of EditorConfig describe; the indent is ``step`` without them.

    >>> style_of({"indent_size": "tab", "tab_width": "4"}, 2).step
    4
    """
    size = properties.get("indent_size", "")
    tabs = properties.get("indent_style") == "tab"
    if size == "tab" or (tabs and not size):
        size = properties.get("tab_width", "")
    if size.isdecimal() and 0 < int(size) <= LARGEST:
        step = int(size)
    return Style(step, tabs)
