"""Pages as HTML that needs no other file and no network: the templates of ``templates/``.

Equal pages give equal bytes. Jinja2 is imported when a page is written, because no other output needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

from bunraku.base.excerpt import visible
from bunraku.base.paths import relative, where
from bunraku.cli.pages import changes, model
from bunraku.cli.pages.highlight import Highlighter
from bunraku.formats.json import ascii_json_text

KINDS = {
    model.Badge: "badge",
    model.Place: "place",
    model.Paragraph: "paragraph",
    model.Labelled: "labelled",
    model.Listing: "listing",
    model.Code: "code",
    model.Diff: "diff",
    model.Table: "table",
    model.Entry: "entry",
    model.Group: "group",
    model.Tree: "tree",
    model.FlameGraph: "flame",
    model.Cell: "cell",
}
"""The name of each part in the templates."""


def page_html(page: model.Page) -> str:
    """Return a page as HTML; control characters are shown as symbols.

    >>> page_html(model.Page("A <b> page")).count("A &lt;b&gt; page")
    2
    """
    return str(environment().get_template("page.html").render(page=page))


def graph_page(title: str, subtitle: str, data: Any) -> str:
    """Return the page of graphs of catalogs, on which people search, open containers and follow edges."""
    template = environment().get_template("graph.html")
    return str(template.render(title=title, subtitle=subtitle, data=script_json(data)))


def environment() -> Any:
    """Return a Jinja2 environment with the filters that the templates use."""
    import jinja2

    def printed(value: object) -> object:
        return clean(value) if type(value) is str else value

    made = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(template_text),
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printed,
        keep_trailing_newline=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "kind": kind_of,
        "code_lines": Highlighter().lines,
        "shown_lines": changes.shown_lines,
        "side_rows": changes.side_rows,
        "place": place_text,
        "sort_key": sort_key,
        "numbers": has_numbers,
        "flame_data": flame_data,
    }
    made.filters.update(filters)
    made.globals["source"] = template_text
    return made


def template_text(name: str) -> str:
    """Return the text of a file of ``templates/``."""
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def clean(text: str) -> str:
    """Return text with control characters as symbols; lines stay lines, bad bytes become ``?``."""
    if text.isprintable():
        return text
    shown = "\n".join(map(visible, text.split("\n")))
    return shown.encode("utf-8", "replace").decode()


def kind_of(value: object) -> str:
    """Return the name of a part; ``text`` for text and numbers."""
    return KINDS.get(type(value), "text")


def place_text(place: model.Place) -> str:
    """Return a place as ``file:line:column``, the file relative to the working directory."""
    return where(relative(place.file) if place.file else None, place.line, place.column)


def sort_key(value: Any) -> str:
    """Return what the rows of a table are sorted by: the text of a cell, places with padded lines.

    >>> sort_key(model.Place("a.pp", 7))
    'a.pp:000007:0000'
    """
    match value:
        case model.Cell():
            return value.sort
        case model.Badge() | model.Labelled():
            return value.text
        case model.Place():
            return f"{value.file}:{value.line:06}:{value.column:04}"
        case float():
            return repr(value)
    return str(value) if kind_of(value) == "text" else ""


def has_numbers(diff: model.Diff) -> bool:
    """Return whether lines of a difference have line numbers."""
    return any(line.old or line.new for line in diff.lines)


def flame_data(graph: model.FlameGraph) -> str:
    """Return the boxes of a flame graph as JSON that may stand in a script element."""
    boxes = [
        [box.depth, box.start, box.width, graph.kinds.index(box.kind), box.title, box.detail]
        for box in graph.boxes
    ]
    return script_json(boxes)


def script_json(data: Any) -> str:
    """Return data as JSON that may stand in a script element."""
    escaped = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}
    return ascii_json_text(data).translate(escaped)
