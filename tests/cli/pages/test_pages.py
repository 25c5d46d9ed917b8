"""Pages: their structure, what they escape, and that equal pages are equal bytes."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from bunraku.cli.pages import model
from bunraku.cli.pages.changes import side_rows, texts_diff
from bunraku.cli.pages.model import Badge, Branch, Cell, Code, Column, Paragraph, Place
from bunraku.cli.pages.render import KINDS, page_html

HOSTILE = "</script></style><img src=x onerror=alert(1)>\"' &\x1b\udcff"
VOID = {"meta", "input", "link", "br", "img"}


def everything(text: str) -> model.Page:
    """A page with each part there is, and the text wherever text can be."""
    columns = (Column(text, filtered=True, narrow=True), Column("Count", "number"), Column("More"))
    rows = [
        (Badge(text, "error"), number, Cell([Place(text, 1, 2), Paragraph(text, "good")], text))
        for number in range(8)
    ]
    tree = model.Tree([Branch(text, [Branch(text, place=Place(text))], Badge(text))])
    box = model.Box(0, 0.0, 1.0, text, text, text)
    diffs = [texts_diff(f"a {text}\nb\n", f"c {text}\nb\n", side) for side in ("inline", "side")]
    entry = model.Entry(Badge(text), text, diffs, Place(text, 3))
    listing = model.Listing([text] * 20, text)
    parts = [model.Group(text, [entry, listing], [Badge(text)], words=text), tree]
    others = [Code(text), model.Labelled(text, text), model.FlameGraph(text, [box], [text])]
    sections = [
        model.Section(text, parts, filtered=True),
        model.Section(text, [*others, model.Listing([text]), Badge(text), Place(text)]),
        model.Section(text, [model.Table(text, columns, rows)]),
    ]
    return model.Page(text, text, [model.Tile(text, text, "warning")], sections)


class Structure(HTMLParser):
    """Elements and attributes of a page; an element that is not closed is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def named(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def test_the_page_of_these_tests_has_each_part():
    text = page_html(everything("x"))
    assert set(KINDS) <= {type(part) for part in parts_of(everything("x"))}
    assert "{{" not in text
    assert "{%" not in text


def parts_of(value):
    """All records in a page."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from parts_of(one)
    elif hasattr(value, "__slots__"):
        yield value
        for name in value.__slots__:
            yield from parts_of(getattr(value, name))


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_structure(text):
    found = Structure(page_html(everything(text)))
    tags = [tag for tag, _ in found.elements]
    assert [tags.count(tag) for tag in ("h1", "main", "header", "footer", "title")] == [1] * 5
    assert tags.count("script") == 2  # data of the graph, and the script of the page
    assert tags.count("img") == 0
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = [attributes.get("aria-labelledby") for attributes in found.named("section")]
    assert {label for label in labels if label} <= set(ids)
    assert tags.count("caption") == tags.count("table") == tags.count("thead") == 1
    assert [one.get("scope") for one in found.named("th")] == ["col"] * 3
    assert all("data-label" in one and "data-sort" in one for one in found.named("td"))
    assert found.named("html") == [{"lang": "en"}]


def test_nothing_is_loaded():
    text = page_html(everything("x"))
    found = Structure(text)
    for tag, attributes in found.elements:
        assert not {"src", "onclick", "onload"} & set(attributes), tag
        assert (attributes.get("href") or "#").startswith("#")
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    assert "url(" not in text
    assert "@import" not in text


def test_equal_pages_are_equal_bytes():
    program = (
        "import sys; sys.path.insert(0, 'tests/cli/pages')\n"
        "from bunraku.cli.pages import model; from bunraku.cli.pages.render import page_html\n"
        "words = sorted({'a', 'b', 'c'})\n"
        "page = model.Page('t', sections=[model.Section('s', [model.Code('$a = 1'), model.Listing(words)])])\n"
        "print(page_html(page))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(texts) == 1


def test_jinja_is_imported_when_a_page_is_written():
    program = (
        "import sys; from bunraku.cli.commands import compile, diff, migrate\n"
        "assert 'jinja2' not in sys.modules\n"
        "from bunraku.cli.pages import model, render; render.page_html(model.Page('t'))\n"
        "assert 'jinja2' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def shown(code: Code) -> str:
    text = page_html(model.Page("t", sections=[model.Section("s", [code])]))
    return text[text.index('<div class="code"') : text.index("</div>", text.index("<code"))]


def test_code_is_highlighted_from_its_tokens():
    text = shown(Code('# why\nclass a { $b = "x${c}" }\n', 6))
    assert '<span class="line-number">2</span>' in text
    assert "why" not in text
    for style, piece in [("keyword", "class"), ("variable", "$b"), ("string", "&#34;x${")]:
        assert f'<span class="{style}">{piece}</span>' in text


def test_a_string_of_several_lines_is_one_in_each_of_them():
    text = shown(Code("$a = 'one\ntwo'", 10))
    assert '<span class="string">two&#39;</span>' in text


def test_a_part_of_the_code_is_marked():
    assert '<span class="marked">notice</span>' in shown(Code("notice(1)", marked=(0, 6)))


def test_lines_of_a_difference_stand_beside_each_other():
    rows = side_rows(texts_diff("a\nb\nc\n", "a\nB 1\nb 2\nc\n").lines)
    texts = [[line and line[0].text for line in row] for row in rows]
    assert texts == [["a", "a"], ["b", "B 1"], [None, "b 2"], ["c", "c"]]


def test_the_new_side_has_the_numbers_of_the_new_text():
    page = model.Page("t", sections=[model.Section("s", [texts_diff("b", "a\nb", "side")])])
    assert re.findall(r'"line-number">(\d+)</span>', page_html(page)) == ["1", "1", "2"]


def test_lines_between_changes_are_left_out():
    old = [f"line {number}" for number in range(100)]
    new = [*old[:50], "new", *old[51:]]
    lines = texts_diff("\n".join(old), "\n".join(new)).lines
    assert [line.mark for line in lines] == ["@", "", "", "", "-", "+", "", "", ""]
    assert (lines[4].old, lines[5].new) == (51, 51)
