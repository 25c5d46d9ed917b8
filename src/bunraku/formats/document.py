"""JSON and YAML documents: read, checked against a shape, with places for errors."""

from __future__ import annotations

from bunraku.base.errors import Issue, PuppetError
from bunraku.base.lazy_typing import Any, Literal
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.formats import yaml
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.places import place_in_json, place_in_yaml
from bunraku.formats.shape import Mismatch, Shape

Format = Literal["JSON", "YAML"]


def format_of(path: str) -> Format:
    """Return the format of a file by its name: JSON for ``.json``, else YAML."""
    return "JSON" if path.endswith(".json") else "YAML"


@record(frozen=True)
class Document:
    """The data of a text, and the text, in which findings have their places."""

    path: str
    format: Format
    text: str = field(shown=False)
    data: Any

    def check(self, shape: Shape, issue: Issue, **arguments: object) -> None:
        """Raise PuppetError unless the data have a shape."""
        found = shape.mismatch(self.data)
        if found is not None:
            raise self.error(found, issue, **arguments)

    def error(self, mismatch: Mismatch, issue: Issue, **arguments: object) -> PuppetError:
        """Return the error for a mismatch, with its place in the text.

        The issue has ``reason`` and may have ``path`` and ``format`` in its text.
        """
        find = place_in_json if self.format == "JSON" else place_in_yaml
        line, column = find(self.text, mismatch.path) or (None, None)
        named = {"path": self.path, "format": self.format, **arguments}
        place = Place.in_text(self.path, self.text, line, column)
        return issue(reason=str(mismatch), **named).at(place).hinted(mismatch.hint)


def read_document(
    content: bytes | str,
    path: str,
    issue: Issue,
    format_: Format | None = None,
    **arguments: object,
) -> Document:
    """Return the document in a text; the name of the file gives the format unless it is given.

    YAML is read as Puppet reads its own files: objects become hashes, dates stay text. Raises
    PuppetError made of ``issue``, whose text has ``reason`` and may have ``path`` and ``format``.
    """
    format_ = format_ or format_of(path)
    text = content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else content
    try:
        data = parse_json(text) if format_ == "JSON" else yaml.load_plain(text)
    except FormatError as error:
        named = {"path": path, "format": format_, **arguments}
        failure = issue(reason=f"not valid {format_}: {error.problem}", **named)
        raise failure.at(Place.in_text(path, text, error.line, error.column)) from None
    return Document(path, format_, text, data)
