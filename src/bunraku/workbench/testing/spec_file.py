"""Tests as data: ``NAME_spec.yaml`` says what is compiled and what the catalog must have.

The file is read and checked here; :mod:`bunraku.workbench.testing.spec_test` runs its tests, and
pytest's items are in :mod:`bunraku.workbench.testing.pytest_items`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.catalog.rich_data import from_data
from bunraku.formats.document import Document, read_document
from bunraku.formats.places import YamlPlaces
from bunraku.formats.shape import (
    ANYTHING,
    FLAG,
    NULL,
    TEXT,
    TEXTS,
    WHOLE,
    Array,
    Either,
    Fields,
    HashOf,
    Mismatch,
)
from bunraku.workbench.testing.issues import BAD_SPEC

ENDINGS = ("_spec.yaml", "_spec.yml")
TESTS = re.compile(rb"^tests:", re.MULTILINE)
"""Marks a file of tests: other programs have files of such names, too."""

HASH = HashOf(ANYTHING)
NAMES = Either((TEXT, TEXTS))
RESOURCES = HashOf(Either((NULL, HASH)))
"""References with parameters."""
OTHER_NODE = Fields({"facts": HASH, "resources": RESOURCES, "exports": RESOURCES}, closed=True)
OPTIONS = {
    "class": TEXT,
    "define": TEXT,
    "title": TEXT,
    "host": TEXT,
    "code": TEXT,
    "params": HASH,
    "node": TEXT,
    "facts": Either((TEXT, HASH, Array(Either((TEXT, HASH))))),
    "trusted": HASH,
    "server_facts": HASH,
    "node_parameters": HASH,
    "pre": TEXT,
    "post": TEXT,
    "settings": HASH,
    "environment": TEXT,
    "hiera": Either((TEXT, HASH, Array(HASH))),
    "language": TEXT,
    "other_nodes": HashOf(OTHER_NODE),
    "on_supported_os": Either((FLAG, NAMES)),
}
"""What is compiled: the keys of a file and of a test. All but the last two are options of a compile."""
EXPECTATIONS = {
    "compiles": FLAG,
    "contains": RESOURCES,
    "contains_only": RESOURCES,
    "exports": RESOURCES,
    "lacks": TEXTS,
    "count": HashOf(WHOLE),
    "order": TEXTS,
    "warnings": TEXTS,
    "raises": Either((TEXT, Fields({"message": TEXT, "code": TEXT}, closed=True))),
    "snapshot": FLAG,
}
"""What is expected: the keys of a test."""
TEST = Either((NULL, Fields({**OPTIONS, **EXPECTATIONS}, closed=True)))
SHAPE = Fields({**OPTIONS, "tests": HashOf(TEST)}, required=("tests",), closed=True)
SUBJECTS = ("class", "define", "host", "code")


@record(frozen=True)
class SpecTest:
    """One test: the options of its compile, and what it expects.

    ``common`` are the options of the file, ``options`` those of the test. ``places`` has the place of
    each expectation.
    """

    name: str
    common: Mapping[str, Any]
    options: Mapping[str, Any]
    expected: Mapping[str, Any]
    places: Places

    @property
    def systems(self) -> Any:
        """The operating systems: true for those of ``metadata.json``, names, or false."""
        key = "on_supported_os"
        found = self.options.get(key, self.common.get(key, False))
        return [found] if isinstance(found, str) else found


@record(frozen=True)
class Places:
    """The places of the entries of a spec file."""

    document: Document
    of_yaml: YamlPlaces

    def line(self, *path: str | int) -> int:
        """Return the line of an entry."""
        found = self.of_yaml.of(path)
        return 1 if found is None else found[0]

    def place(self, *path: str | int) -> Place:
        """Return the place of an entry."""
        line, column = self.of_yaml.of(path) or (None, None)
        return Place.in_text(self.document.path, self.document.text, line, column)


def is_spec_file(name: str, content: bytes) -> bool:
    """Return whether a file has tests, by its name and its text.

    >>> (
    ...     is_spec_file("ntp_spec.yaml", b"class: ntp\\ntests: {}"),
    ...     is_spec_file("api_spec.yaml", b"a: 1"),
    ... )
    (True, False)
    """
    return name.endswith(ENDINGS) and TESTS.search(content) is not None


def read_spec(content: bytes, path: str) -> list[SpecTest]:
    """Return the tests of a file in its order; PuppetError with the place of what is wrong.

    >>> content = b"class: ntp\\ntests:\\n  runs the service:\\n    contains: {'Service[ntp]': }"
    >>> [(one.name, one.expected) for one in read_spec(content, "ntp_spec.yaml")]
    [('runs the service', {'contains': {'Service[ntp]': None}})]
    """
    document = read_document(content, path, BAD_SPEC)
    document.check(SHAPE, BAD_SPEC)
    places = Places(document, YamlPlaces(content))
    common = options_in(document.data, document, ())
    return [
        spec_test(name, test or {}, common, places) for name, test in document.data["tests"].items()
    ]


def spec_test(
    name: str, data: Mapping[str, Any], common: Mapping[str, Any], places: Places
) -> SpecTest:
    """Return a test; PuppetError if it or the file does not say what is compiled."""
    path = ("tests", name)
    options = options_in(data, places.document, path)
    if not any(key in {**common, **options} for key in SUBJECTS):
        wanted = "one of class, define, host and code, here or at the top of the file"
        raise places.document.error(Mismatch(path, wanted, "none"), BAD_SPEC)
    expected = {key: data[key] for key in EXPECTATIONS if data.get(key) is not None}
    if "raises" in expected and len(expected) > 1:
        other = next(key for key in expected if key != "raises")
        mismatch = Mismatch((*path, other), "nothing beside raises", "a further expectation")
        raise places.document.error(mismatch, BAD_SPEC)
    return SpecTest(name, common, options, expected, places)


def options_in(
    data: Mapping[str, Any], document: Document, path: tuple[str, ...]
) -> dict[str, Any]:
    """Return the options in a hash; values that YAML lacks are written as in catalogs (``__ptype``)."""
    found = {key: data[key] for key in OPTIONS if data.get(key) is not None}
    if sum(key in found for key in SUBJECTS) > 1:
        several = " and ".join(key for key in SUBJECTS if key in found)
        raise document.error(Mismatch(path, "one subject", several), BAD_SPEC)
    if "params" in found:
        found["params"] = from_data(found["params"])
    return found
