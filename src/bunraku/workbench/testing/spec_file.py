"""Tests as data: ``NAME_spec.yaml`` says what is compiled and what the catalog must have.

The file is read and checked here; tests in Puppet code are read by
:mod:`bunraku.workbench.testing.spec_manifest`. :mod:`bunraku.workbench.testing.spec_test` runs both,
and pytest's items are in :mod:`bunraku.workbench.testing.pytest_items`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from bunraku.values.regexp.regexp import Regexp
from bunraku.workbench.testing.issues import BAD_SPEC

IN_YAML = re.compile(rb"^tests:", re.MULTILINE)
IN_PUPPET = re.compile(rb"^test\(", re.MULTILINE)
ENDINGS = {"_spec.yaml": IN_YAML, "_spec.yml": IN_YAML, "_spec.pp": IN_PUPPET}
"""The ends of names, and what marks a file of tests: other programs have files of such names, too."""

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
PATTERN = re.compile(r"/(.*)/", re.DOTALL)
ARROW = re.compile(r"\s*(->|~>)\s*")


@record(frozen=True)
class Question:
    """What a catalog is asked: the name of the expectation, its arguments and its place."""

    kind: str
    arguments: tuple[Any, ...]
    place: Place


@record(frozen=True)
class SpecTest:
    """One test: the options of its compile, and what it expects.

    ``common`` are the options of the file, ``options`` those of the test. ``text`` is the manifest of a
    test in Puppet code, whose last expression has the arguments of each question; its arguments are
    empty here.
    """

    name: str
    common: Mapping[str, Any]
    options: Mapping[str, Any]
    questions: Sequence[Question]
    place: Place
    text: str | None = None

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

    def place(self, *path: str | int) -> Place:
        """Return the place of an entry."""
        line, column = self.of_yaml.of(path) or (None, None)
        return Place.in_text(self.document.path, self.document.text, line, column)


def is_spec_file(name: str, content: bytes) -> bool:
    r"""Return whether a file has tests in YAML or in Puppet code, by its name and its text.

    >>> (
    ...     is_spec_file("ntp_spec.yaml", b"class: ntp\ntests: {}"),
    ...     is_spec_file("api_spec.yaml", b"a: 1"),
    ... )
    (True, False)
    >>> is_spec_file("ntp_spec.pp", b"test('a') || { include ntp }")
    True
    """
    marks = [mark for ending, mark in ENDINGS.items() if name.endswith(ending)]
    return any(mark.search(content) for mark in marks)


def read_spec(content: bytes, path: str) -> list[SpecTest]:
    """Return the tests of a file in its order; PuppetError with the place of what is wrong.

    >>> content = b"class: ntp\\ntests:\\n  runs the service:\\n    contains: {'Service[ntp]': }"
    >>> (test,) = read_spec(content, "ntp_spec.yaml")
    >>> test.name, [(one.kind, one.arguments, one.place.line) for one in test.questions]
    ('runs the service', [('contains', ('Service[ntp]', {}), 4)])
    """
    document = read_document(content, path, BAD_SPEC)
    document.check(SHAPE, BAD_SPEC)
    places = Places(document, YamlPlaces(content))
    repeated = places.of_yaml.repeated("tests")
    if repeated is not None:
        place = Place.in_text(path, document.text, *repeated[1])
        raise BAD_SPEC(path=path, reason=f"a second test with the name '{repeated[0]}'").at(place)
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
    questions = list(questions_of(expected, path, places))
    return SpecTest(name, common, options, questions, places.place(*path))


def questions_of(
    expected: Mapping[str, Any], path: tuple[str, ...], places: Places
) -> Iterator[Question]:
    """Yield the questions of a test, in the order of the table of expectations."""
    for kind, data in expected.items():
        for step, arguments in parts_of(kind, data):
            where = places.place(*path, kind, *(() if step is None else (step,)))
            yield Question(kind, arguments, where)


def parts_of(kind: str, data: Any) -> Iterator[tuple[str | int | None, tuple[Any, ...]]]:
    """Yield each expectation in the data of a key: the key or index in the data, and the arguments."""
    if kind in {"contains", "contains_only", "exports"}:
        for reference, params in data.items():
            yield (
                reference,
                (reference, {key: value_of(one) for key, one in (params or {}).items()}),
            )
    elif kind == "count":
        yield from ((type_, (type_, number)) for type_, number in data.items())
    elif kind in {"lacks", "warnings"}:
        yield from ((number, (one,)) for number, one in enumerate(data))
    elif kind == "order":
        for number, chain in enumerate(data):
            yield number, tuple(ARROW.split(chain))
    elif kind == "raises":
        given = {"message": data} if isinstance(data, str) else data
        yield None, (given.get("message"), given.get("code"))
    elif data or kind == "compiles":
        yield None, (data,)


def value_of(data: Any) -> Any:
    """Return an expected value: ``/text/`` is a regular expression of Puppet, also in arrays and hashes.

    Values that YAML lacks are written as in catalogs (``__ptype``).

    >>> [str(one) for one in value_of(["/^a/", "b"])]
    ['/^a/', 'b']
    """
    if isinstance(data, str):
        found = PATTERN.fullmatch(data)
        return Regexp(found[1]) if found else data
    if isinstance(data, list):
        return [value_of(one) for one in data]
    if isinstance(data, Mapping):
        if "__ptype" in data:
            return from_data(data)
        return {key: value_of(one) for key, one in data.items()}
    return data


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
