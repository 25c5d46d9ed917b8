"""The data of a site in files: documents in a folder, a file or an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, partial
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.formats.document import Document, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import WrongShape
from bunraku.puppetdb.commands.process import Change
from bunraku.puppetdb.databases.sqlite import SqliteImage
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.root import answer_to
from bunraku.puppetdb.site import issues
from bunraku.puppetdb.site.archive import archived_documents, is_archive, other_changes
from bunraku.puppetdb.site.data import Data
from bunraku.puppetdb.site.documents import (
    KNOWN_DOCUMENTS,
    Documents,
    exported_resource,
)
from bunraku.puppetdb.site.loading import OTHERS, load, no_changes, parts_of
from bunraku.world.file_signatures import Signature
from bunraku.world.protocol import World

ENDINGS = (".json", ".yaml", ".yml")


class FileData:
    """The data of documents; queries are answered by the engine, of which it loads what they need.

    ``others`` returns how the rest of an archive changes a database.
    """

    def __init__(
        self, documents: Documents, others: Callable[[], Iterable[Change]] | None = None
    ) -> None:
        self.documents = documents
        self.others = others
        self.images: dict[frozenset[str], bytes] = {}
        """Databases by the parts of documents that they have."""

    def query(self, query: Json) -> list[Json]:
        """See :class:`SiteData`."""
        parts = parts_of(query) if self.others else parts_of(query) - {OTHERS}
        with closing(SqliteImage(self.image_with(parts))) as database:
            return answer_to(database, query)

    def image_with(self, parts: frozenset[str]) -> bytes:
        """Return a database that has at least some parts of the documents."""
        for known, image in self.images.items():
            if parts <= known:
                return image
        with PATIENT:
            found = self.images[parts] = load(self.documents, parts, self.others or no_changes)
        return found

    @cached_property
    def exports(self) -> dict[str, list[Data]]:
        """The exported resources by their type."""
        found: dict[str, list[Data]] = {}
        for node in self.documents.nodes.values():
            for one in node.resources:
                if one.get("exported"):
                    resource = exported_resource(node.certname, one)
                    found.setdefault(resource["type"], []).append(resource)
        return found

    def exported(self, type_: str, condition: Json) -> Sequence[Data]:
        """See :class:`SiteData`; the condition is not used."""
        return self.exports.get(type_, [])

    def nodes(self) -> list[str]:
        """See :class:`SiteData`."""
        nodes = self.documents.nodes.values()
        return sorted([node.certname for node in nodes if node.facts is not None])

    def facts(self, node: str) -> dict[str, Any] | None:
        """See :class:`SiteData`."""
        found = self.documents.nodes.get(node)
        return None if found is None or found.facts is None else dict(found.facts)


KEPT: BoundedCache[tuple[tuple[str, Signature | None], ...], FileData] = BoundedCache(
    "data of sites in files", 2
)
"""Data that were read, by their files: many compiles of one process read the same."""


def read_files(path: str, world: World) -> FileData:
    """Return the data in a file, or in the files of a folder and those below it."""
    files = data_files(path, world)
    if not files and not world.is_directory(path):
        raise issues.NOT_FOUND(path=path)
    key = tuple((file, world.signature(file)) for file in files)
    known = KEPT.get(key)
    if known is not None:
        return known
    documents = Documents()
    with PATIENT:
        for file in files:
            for document in documents_in(file, world):
                add(documents, document)
    others = partial(other_changes, path, world) if is_archive(path) else None
    found = FileData(documents, others)
    if all(signature is not None for _, signature in key):
        KEPT.keep(key, found)
    return found


def add(documents: Documents, document: Document) -> None:
    """Take in a document; PuppetError, with the place, if it is of another shape."""
    stem = document.path.rpartition("/")[2].rpartition(".")[0]
    try:
        documents.add(document.data, stem)
    except WrongShape as error:
        wrong = error.mismatch
        issue = issues.UNKNOWN if wrong.expected == KNOWN_DOCUMENTS else issues.INVALID
        raise document.error(wrong, issue) from None
    text = document.text
    if document.format == "YAML" or not text.isascii() or "\\u" in text:
        documents.unclean = True


def data_files(path: str, world: World) -> list[str]:
    """Return the files to read, sorted."""
    if not world.is_directory(path):
        return [path] if world.is_file(path) else []
    found: list[str] = []
    for name in world.list_directory(path):
        inner = f"{path.rstrip('/')}/{name}"
        if world.is_directory(inner):
            found += data_files(inner, world)
        elif name.endswith(ENDINGS):
            found.append(inner)
    return found


def documents_in(path: str, world: World) -> Iterator[Document]:
    """Yield the documents in a file: none in a blank one, many in an archive."""
    if is_archive(path):
        yield from archived_documents(path, world)
        return
    try:
        content = world.read(path)
    except OSError as error:
        raise issues.NOT_FOUND(path=path).at(Place(path)) from error
    if not content.strip():
        return  # such as the target of a shell's redirection, before anything is written
    document = read_document(content, path, issues.BROKEN)
    if document.format == "YAML":
        document = replace(document, data=as_json(document.data))
    yield document
