"""A site of documentation: pages of HTML with one index for the search, without a server or the network."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from html import escape
from importlib import resources
from typing import Any

from bunraku.cli.pages.highlight import Highlighter
from bunraku.cli.pages.model import Code
from bunraku.cli.pages.render import clean
from bunraku.workbench.docs.markup import inline_html, paragraphs_html, text_without_marks
from bunraku.workbench.docs.model import KINDS, WORDS
from bunraku.workbench.docs.site import TITLES, DocumentationSite

TYPE_NAME = re.compile(r"\b[A-Z]\w*(?:::[A-Z]\w*)*|\b[a-z]\w*(?:::[a-z]\w*)+")
ASSETS = ("site.css", "site.js")


def site_files(site: DocumentationSite) -> dict[str, str]:
    """Return the files of a site, by their paths."""
    templates = docs_templates()
    writer = SiteWriter(site)
    files = {name: template_text(name) for name in ASSETS}
    files["search-index.js"] = search_index(site)
    index = templates.get_template("index.html")
    files["index.html"] = str(index.render(writer.fields("index.html"), kinds=KINDS, titles=TITLES))
    page = templates.get_template("thing.html")
    for one in site.pages:
        files[one.path] = str(page.render(writer.fields(one.path), page=one))
    return files


class SiteWriter:
    """Makes the links between the pages of a site, and the HTML of texts and code."""

    def __init__(self, site: DocumentationSite) -> None:
        self.site = site
        self.by_name: dict[str, str] = {}
        for page in site.pages:
            self.by_name.setdefault(page.name, page.path)
        self.highlighter = Highlighter()

    def fields(self, path: str) -> dict[str, Any]:
        """Return what the template of a page uses, with links from its path."""
        link = self.links_from(path)
        return {
            "site": self.site,
            "root": posixpath.relpath(".", posixpath.dirname(path) or "."),
            "path": path,
            "href": lambda name: link(name) or "",
            "text": lambda text: paragraphs_html(clean(text), link),
            "line": lambda text: inline_html(clean(text), link),
            "type": lambda text: type_html(clean(text), link),
            "code": self.code_html,
            "relative": lambda target: posixpath.relpath(target, posixpath.dirname(path) or "."),
        }

    def links_from(self, path: str) -> Callable[[str], str | None]:
        """Return what finds the address of a name, as seen from a page."""
        folder = posixpath.dirname(path) or "."

        def link(name: str) -> str | None:
            target = self.by_name.get(name.removeprefix("::"))
            return None if target in {None, path} else posixpath.relpath(str(target), folder)

        return link

    def code_html(self, text: str, first: int = 0, *, is_puppet: bool = True) -> str:
        """Return code with the colours of its tokens; with a number, each line has its place."""
        parts = []
        for number, pieces in self.highlighter.lines(Code(clean(text), puppet=is_puppet)):
            line = "".join(piece_html(*piece) for piece in pieces)
            if first:
                at = first + number - 1
                line = f'<a class="number" id="L{at}" href="#L{at}">{at}</a>{line}'
            parts.append(line)
        return "\n".join(parts)


def piece_html(text: str, style: str) -> str:
    """Return a piece of code in its style."""
    escaped = escape(text, quote=False)
    return f'<span class="{style}">{escaped}</span>' if style else escaped


def type_html(text: str, link: Callable[[str], str | None]) -> str:
    """Return a data type with links to the types that the site has.

    >>> type_html("Array[A::B]", {"A::B": "b.html"}.get)
    'Array[<a href="b.html">A::B</a>]'
    """
    parts, done = [], 0
    for found in TYPE_NAME.finditer(text):
        target = link(found[0])
        if target:
            anchor = f'<a href="{escape(target)}">{escape(found[0])}</a>'
            parts += [escape(text[done : found.start()], quote=False), anchor]
            done = found.end()
    return "".join([*parts, escape(text[done:], quote=False)])


def search_index(site: DocumentationSite) -> str:
    """Return the index for the search: name, kind, page and summary of things and their parameters."""
    rows: list[list[str]] = []
    for page in site.pages:
        rows.append(
            [
                page.name,
                WORDS[page.kind].capitalize(),
                page.path,
                text_without_marks(clean(page.summary)),
            ]
        )
        for group in page.groups:
            for one in group.parameters:
                name = f"{page.name} {one.name.lstrip('*&')}"
                place = f"{page.path}#{one.anchor}"
                rows.append(
                    [name, "Parameter", place, text_without_marks(clean(first_line(one.text)))]
                )
    unique = list(dict.fromkeys(map(tuple, rows)))
    return f"window.searchIndex = {json.dumps(unique, ensure_ascii=True, indent=0)};\n"


def first_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text.partition("\n\n")[0].split())[:120]


def docs_templates() -> Any:
    """Return the templates; all text that is not HTML already is escaped."""
    import jinja2

    def printed(value: object) -> object:
        return clean(value) if type(value) is str else value

    return jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(template_text),
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printed,
        keep_trailing_newline=True,
    )


def template_text(name: str) -> str:
    """Return the text of a file of ``templates/``."""
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")
