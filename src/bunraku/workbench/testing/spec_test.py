"""Run a test of a spec file: compile its subject, and ask the catalog what the test expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.facts.facterdb import FactSet
from bunraku.values.regexp.regexp import Regexp
from bunraku.workbench.testing.catalog import CatalogUnderTest
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.data import HieraOfTest, OtherNodes
from bunraku.workbench.testing.match import Match
from bunraku.workbench.testing.session import Session
from bunraku.workbench.testing.spec_file import SpecTest

NOT_OF_COMPILE = ("on_supported_os", "other_nodes")
PATTERN = re.compile(r"/(.*)/", re.DOTALL)
ARROW = re.compile(r"\s*(->|~>)\s*")
Snapshot = Callable[[Compiler], Callable[[CatalogUnderTest], Match]]
"""Makes what compares a catalog with the snapshot of the test."""
Failure = tuple[tuple[str, ...], str]
"""The path of an expectation in the test, and the explanation."""


class SpecFailure(Exception):
    """A test of a spec file fails; the text has the places of the expectations."""


def run_test(
    test: SpecTest, directory: str, session: Session, system: FactSet | None, snapshot: Snapshot
) -> None:
    """Compile the subject of a test and check what is expected; raise SpecFailure if it is wrong.

    ``directory`` is that of the spec file, ``system`` the operating system whose facts count.
    """
    marks = [((), compile_options(one)) for one in (test.options, test.common)]
    nodes = other_nodes(test)
    compiler = session.compiler(directory, system, {}, marks, HieraOfTest(), nodes)
    found = list(failures(test, compiler, snapshot))
    if found:
        raise SpecFailure("\n".join(located(test, *one) for one in found))


def compile_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a compile, with the name that ``class`` has in Python."""
    found = {key: one for key, one in options.items() if key not in NOT_OF_COMPILE}
    if "class" in found:
        found["class_"] = found.pop("class")
    return found


def other_nodes(test: SpecTest) -> OtherNodes:
    """Return what PuppetDB has of other nodes."""
    nodes = OtherNodes()
    for options in (test.common, test.options):
        for name, data in options.get("other_nodes", {}).items():
            if data.get("facts"):
                nodes.facts(name, data["facts"])
            for reference, params in (data.get("resources") or {}).items():
                nodes.resource(name, reference, **(params or {}))
            for reference, params in (data.get("exports") or {}).items():
                nodes.export(reference, node=name, **(params or {}))
    return nodes


def located(test: SpecTest, path: tuple[str, ...], text: str) -> str:
    """Return an explanation with the place of its expectation."""
    place = test.places.place("tests", test.name, *path)
    return f"{place}: {text}"


# -- expectations --------------------------------------------------------------------------------------


def failures(test: SpecTest, compiler: Compiler, snapshot: Snapshot) -> Iterator[Failure]:
    """Yield what is wrong."""
    expected = test.expected
    if "raises" in expected:
        yield from wrong_error(expected["raises"], compiler)
        return
    try:
        catalog = compiler()
    except PuppetError as error:
        notes = getattr(error, "__notes__", ())
        yield (), "\n".join([f"does not compile: {error}", *(f"  {one}" for one in notes)])
        return
    wanted = expected.get("compiles", not expected)
    if wanted or "compiles" in expected:
        yield from wrong_verdict(catalog.compiles(), wanted=wanted)
    yield from wrong_resources(expected, catalog)
    for type_, number in expected.get("count", {}).items():
        found = catalog.count(type_)
        if found != number:
            yield ("count", type_), f"expected {number} resources of type {type_}, got {found!r}"
    for pattern in expected.get("warnings", ()):
        if not any(re.search(pattern, one) for one in catalog.warnings):
            given = "".join(f"\n  {one}" for one in catalog.warnings) or " there is none"
            yield ("warnings",), f"no warning matches {pattern!r}:{given}"
    if expected.get("snapshot"):
        yield from unless(snapshot(compiler)(catalog), "snapshot")


def wrong_error(expected: str | Mapping[str, str], compiler: Compiler) -> Iterator[Failure]:
    """Yield what is wrong with the error of a compile that must fail."""
    given = {"message": expected} if isinstance(expected, str) else expected
    try:
        with compiler.raises(given.get("message"), code=given.get("code")):
            compiler()
    except AssertionError as error:
        yield ("raises",), str(error)


def wrong_verdict(answer: Match, *, wanted: bool) -> Iterator[Failure]:
    """Yield why an agent could not apply a catalog, or that it could."""
    if bool(answer) != wanted:
        text = answer.explanation if wanted else "an agent could apply the catalog"
        yield ("compiles",), text


def wrong_resources(expected: Mapping[str, Any], catalog: CatalogUnderTest) -> Iterator[Failure]:
    """Yield what is wrong with resources and their order."""
    for key in ("contains", "contains_only", "exports"):
        for reference, params in expected.get(key, {}).items():
            values = {name: value_of(one) for name, one in (params or {}).items()}
            yield from unless(getattr(catalog, key)(reference, **values), key, reference)
    for number, reference in enumerate(expected.get("lacks", ())):
        yield from unless(catalog.lacks(reference), "lacks", number)
    for number, chain in enumerate(expected.get("order", ())):
        first, *rest = ARROW.split(chain)
        for arrow, then in zip(rest[::2], rest[1::2], strict=True):
            answer = catalog.contains(first)
            if answer:
                check = answer.that_notifies if arrow == "~>" else answer.that_comes_before
                answer = check(then)
            yield from unless(answer, "order", number)
            first = then


def unless(answer: Match, *path: Any) -> Iterator[Failure]:
    """Yield the explanation of a wrong answer."""
    if not answer:
        yield path, answer.explanation


def value_of(data: Any) -> Any:
    """Return an expected value: ``/text/`` is a regular expression of Puppet, also in arrays and hashes.

    >>> [str(one) for one in value_of(["/^a/", "b"])]
    ['/^a/', 'b']
    """
    if isinstance(data, str):
        found = PATTERN.fullmatch(data)
        return Regexp(found[1]) if found else data
    if isinstance(data, list):
        return [value_of(one) for one in data]
    if isinstance(data, Mapping):
        return {key: value_of(one) for key, one in data.items()}
    return data
