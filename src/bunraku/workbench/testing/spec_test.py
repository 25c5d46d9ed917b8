"""Run a test of a spec file: compile its subject, and ask the catalog what the test expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.facts.facterdb import FactSet
from bunraku.runtime.issues import UNKNOWN_FUNCTION
from bunraku.workbench.testing.catalog import CatalogUnderTest
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.data import FOLDER, HieraOfTest, OtherNodes
from bunraku.workbench.testing.match import Match
from bunraku.workbench.testing.session import Session
from bunraku.workbench.testing.spec_file import Question, SpecTest
from bunraku.workbench.testing.spec_manifest import COUNTS, arguments_of

NOT_OF_COMPILE = ("on_supported_os", "other_nodes")
Snapshot = Callable[[Compiler], Callable[[CatalogUnderTest], Match]]
"""Makes what compares a catalog with the snapshot of the test."""
Failure = tuple[Place, str]
"""The place of an expectation, and the explanation."""


class SpecFailure(Exception):
    """A test of a spec file fails; the text has the places of the expectations."""


def run_test(
    test: SpecTest, directory: str, session: Session, system: FactSet | None, snapshot: Snapshot
) -> None:
    """Compile the subject of a test and check what is expected; raise SpecFailure if it is wrong.

    ``directory`` is that of the spec file, ``system`` the operating system whose facts count.
    """
    marks = [((), compile_options(one)) for one in (test.options, test.common)]
    compiler = session.compiler(directory, system, {}, marks, HieraOfTest(), other_nodes(test))
    found = list(failures(test, compiler, snapshot))
    if found:
        text = "\n".join(f"{place}: {text}" for place, text in found)
        raise SpecFailure(text.replace(f"{FOLDER}/", ""))  # code of the test has places there


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


# -- expectations --------------------------------------------------------------------------------------


def failures(test: SpecTest, compiler: Compiler, snapshot: Snapshot) -> Iterator[Failure]:
    """Yield what is wrong."""
    raising = [one for one in test.questions if one.kind == "raises"]
    if raising:
        yield from wrong_error(raising[0], lambda: compiled(test, compiler))
        return
    try:
        catalog, questions = compiled(test, compiler)
    except PuppetError as error:
        notes = [*getattr(error, "__notes__", ())]
        if test.text is not None and error.is_a(UNKNOWN_FUNCTION):
            notes = [
                f"hint: expectations stand directly in the lambda of test: {', '.join(COUNTS)}"
            ]
        yield test.place, "\n".join([f"does not compile: {error}", *(f"  {one}" for one in notes)])
        return
    for one in questions or [Question("compiles", (True,), test.place)]:
        if one.kind == "snapshot":
            yield from unless(snapshot(compiler)(catalog), one)
        else:
            yield from CHECKS[one.kind](catalog, one)


def compiled(test: SpecTest, compiler: Compiler) -> tuple[CatalogUnderTest, list[Question]]:
    """Return the catalog of a test, and its questions; PuppetError if it does not compile."""
    if test.text is None:
        return compiler(), [*test.questions]
    catalog, values = compiler.with_value(test.place.file or "", test.text)
    asked = [one for one in test.questions if not one.arguments]
    others = [one for one in test.questions if one.arguments]
    given = [
        replace(one, arguments=arguments_of(one, value))
        for one, value in zip(asked, values, strict=True)
    ]
    return catalog, [*given, *others]


def wrong_error(question: Question, compile_: Callable[[], object]) -> Iterator[Failure]:
    """Yield what is wrong with the error of a compile that must fail."""
    message, code = question.arguments
    try:
        with Compiler.raises(message, code=code):
            compile_()
    except AssertionError as error:
        yield question.place, str(error)


def unless(answer: Match, question: Question) -> Iterator[Failure]:
    """Yield the explanation of a wrong answer."""
    if not answer:
        yield question.place, answer.explanation


def wrong_resource(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield what is wrong with a resource."""
    reference, params = question.arguments
    yield from unless(getattr(catalog, question.kind)(reference, **params), question)


def present_resource(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield that resources are in the catalog."""
    for reference in question.arguments:
        yield from unless(catalog.lacks(reference), question)


def wrong_count(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield that there are more or fewer resources of a type."""
    type_, number = question.arguments
    found = catalog.count(type_)
    if found != number:
        yield question.place, f"expected {number} resources of type {type_}, got {found!r}"


def wrong_order(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield what is wrong with the order of resources: references with arrows between them."""
    first, *rest = question.arguments
    for arrow, then in zip(rest[::2], rest[1::2], strict=True):
        answer = catalog.contains(first)
        if answer:
            check = answer.that_notifies if arrow == "~>" else answer.that_comes_before
            answer = check(then)
        yield from unless(answer, question)
        first = then


def missing_warning(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield that no warning matches a pattern."""
    (pattern,) = question.arguments
    if not any(re.search(pattern, one) for one in catalog.warnings):
        given = "".join(f"\n  {one}" for one in catalog.warnings) or " there is none"
        yield question.place, f"no warning matches {pattern!r}:{given}"


def wrong_verdict(catalog: CatalogUnderTest, question: Question) -> Iterator[Failure]:
    """Yield why an agent could not apply the catalog, or that it could."""
    answer, (wanted,) = catalog.compiles(), question.arguments
    if bool(answer) != wanted:
        yield question.place, answer.explanation or "an agent could apply the catalog"


CHECKS: dict[str, Callable[[CatalogUnderTest, Question], Iterator[Failure]]] = {
    "contains": wrong_resource,
    "contains_only": wrong_resource,
    "exports": wrong_resource,
    "lacks": present_resource,
    "count": wrong_count,
    "order": wrong_order,
    "warnings": missing_warning,
    "compiles": wrong_verdict,
}
