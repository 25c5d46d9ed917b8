"""Tests in Puppet code: ``NAME_spec.pp`` has calls of ``test`` whose lambdas are compiled.

A call of an expectation in the lambda (``contains(Package['ntp'])``) is taken out of the code; the values
of its arguments become the value of the manifest's last expression. All other code keeps its place, so
that errors have the places of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Place, Source, Span
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import parse_program
from bunraku.formats.shape import Fields
from bunraku.syntax.nodes import Block, Call, Expression, Lambda, Name, Node, Nop
from bunraku.types.base import Type
from bunraku.types.text.display import display
from bunraku.workbench.testing.issues import BAD_SPEC
from bunraku.workbench.testing.spec_file import EXPECTATIONS, OPTIONS, Question, SpecTest, parts_of
from bunraku.workbench.testing.subject import reference

TEST = "test"
Evaluate = Callable[[str], Any]
"""Returns the value of code."""
COUNTS = {
    "contains": (1, 2),
    "contains_only": (1, 2),
    "exports": (1, 2),
    "lacks": (1, None),
    "has_count": (2, 2),
    "in_order": (2, None),
    "notifies": (2, None),
    "warns": (1, 1),
}
"""Calls of expectations: the least and the greatest number of arguments."""
KINDS = {"has_count": "count", "in_order": "order", "notifies": "order", "warns": "warnings"}
"""Calls whose expectations have other names in YAML."""
ARROWS = {"in_order": "->", "notifies": "~>"}
NOT_HERE = {"class", "define", "title", "host", "code", "params", "pre", "post"}
"""Options that the code of the test replaces."""
SHAPE = Fields(
    {
        **{key: one for key, one in OPTIONS.items() if key not in NOT_HERE},
        **{key: EXPECTATIONS[key] for key in ("raises", "snapshot", "compiles")},
    },
    closed=True,
)


@record(frozen=True)
class SpecManifest:
    """A parsed file: its source, and the code that all tests share."""

    source: Source
    shared: Sequence[Node]

    def place(self, node: Node) -> Place:
        """Return the place of a node."""
        return Span(self.source, node.start, node.end).place

    def error(self, node: Node, reason: str, hint: str | None = None) -> PuppetError:
        """Return the error about a node."""
        found = BAD_SPEC(path=self.source.path, reason=reason).at(self.place(node))
        return found.hinted(hint)

    def text(self, kept: Sequence[Node], last: Sequence[str]) -> str:
        """Return the manifest with some code only, everything in its place, and a last expression."""
        text = self.source.text
        found = [one if one == "\n" else " " for one in text]
        for node in (*self.shared, *kept):
            found[node.start : node.end] = text[node.start : node.end]
        return "".join(found) + f"\n[{', '.join(f'[{one}]' for one in last)}]\n"


def read_spec_manifest(
    content: bytes, path: str, dialect: Dialect, evaluate: Evaluate
) -> list[SpecTest]:
    """Return the tests of a file; PuppetError with the place of what is wrong.

    ``evaluate`` returns the value of code, for the options of tests.
    """
    source = Source(content.decode("utf-8", "surrogateescape"), path, on_disk=True)
    checked = parse_program(source, dialect)
    error = checked.error("parse")
    if error is not None:
        raise error
    statements = statements_of(checked.program.body)
    tests = [one for one in statements if isinstance(one, Call) and is_call(one, {TEST})]
    shared = [one for one in statements if not is_call(one, {TEST})]
    shared += [one for one in checked.program.definitions if one not in statements]
    file = SpecManifest(source, shared)
    found: dict[str, SpecTest] = {}
    for one in tests:
        test = read_test(file, one, evaluate)
        if test.name in found:
            raise file.error(one, f"a second test with the name '{test.name}'")
        found[test.name] = test
    return [*found.values()]


def statements_of(body: Node) -> list[Expression]:
    """Return the statements of a body."""
    if isinstance(body, Block):
        return [*body.statements]
    return [] if isinstance(body, Nop) else [body]


def is_call(node: Node, names: Container[str]) -> bool:
    """Return whether a node is a call of one of some functions."""
    return isinstance(node, Call) and isinstance(node.callee, Name) and node.callee.value in names


def read_test(file: SpecManifest, node: Call, evaluate: Evaluate) -> SpecTest:
    """Return the test that a call of ``test`` describes."""
    name = getattr(node.arguments[0], "value", None) if node.arguments else None
    if not isinstance(name, str) or len(node.arguments) > 2 or node.block is None:
        raise file.error(node, "expected test('name', { options }) || { code }")
    options = options_of(file, node.arguments[1:], evaluate)
    asked, kept = split(file, node.block)
    if asked and "raises" in options:
        raise file.error(asked[0], "expected nothing beside raises")
    questions = [Question(kind_of(one), (), file.place(one)) for one in asked]
    where = file.place(node.arguments[1] if len(node.arguments) > 1 else node)
    for kind in ("raises", "snapshot", "compiles"):
        if kind in options:
            ((_, arguments),) = parts_of(kind, options.pop(kind))
            questions.append(Question(kind, arguments, where))
    text = file.text(kept, [arguments_text(file, one) for one in asked])
    return SpecTest(name, {}, options, questions, file.place(node), text)


def options_of(file: SpecManifest, given: Sequence[Expression], evaluate: Any) -> dict[str, Any]:
    """Return the options of a test: a hash that needs no variables."""
    if not given:
        return {}
    (node,) = given
    found = evaluate(file.source.text[node.start : node.end])
    mismatch = SHAPE.mismatch(found)
    if mismatch is not None:
        raise file.error(node, f"the options: {mismatch}", mismatch.hint)
    return {key: one for key, one in found.items() if one is not None}


def split(file: SpecManifest, block: Lambda) -> tuple[list[Call], list[Node]]:
    """Return the expectations of a test, and the code that is compiled."""
    asked: list[Call] = []
    kept: list[Node] = []
    for one in statements_of(block.body):
        if isinstance(one, Call) and is_call(one, COUNTS):
            check_argument_count(file, one)
            asked.append(one)
        else:
            kept.append(one)
    return asked, kept


def check_argument_count(file: SpecManifest, node: Call) -> None:
    """Raise PuppetError if an expectation has too few or too many arguments."""
    name = node.callee.value  # type: ignore[attr-defined]
    least, most = COUNTS[name]
    if len(node.arguments) < least or (most is not None and len(node.arguments) > most):
        wanted = (
            f"{least}" if least == most else f"{least} to {most}" if most else f"{least} or more"
        )
        raise file.error(node, f"{name} expects {wanted} arguments, got {len(node.arguments)}")


def kind_of(node: Call) -> str:
    """Return the name of an expectation in YAML; the arrow is the first of its arguments."""
    name: str = node.callee.value  # type: ignore[attr-defined]
    return KINDS.get(name, name)


def arguments_text(file: SpecManifest, node: Call) -> str:
    """Return the code of an expectation's arguments, for an array; its name is the first."""
    name: str = node.callee.value  # type: ignore[attr-defined]
    parts = [file.source.text[one.start : one.end] for one in node.arguments]
    return ", ".join([f"'{name}'", *parts])


def arguments_of(question: Question, value: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments of a question from their values in Puppet."""
    name, *given = value
    if name in ARROWS:
        arrow = ARROWS[name]
        first, *rest = map(reference_of, given)
        return (first, *(part for one in rest for part in (arrow, one)))
    if question.kind in {"contains", "contains_only", "exports"}:
        params = given[1] if len(given) > 1 else {}
        return reference_of(given[0]), {str(key): expected(one) for key, one in params.items()}
    if question.kind == "lacks":
        return tuple(map(reference_of, given))
    if question.kind == "count":
        return str(reference_of(given[0])), given[1]
    return (given[0],)


def expected(value: Any) -> Any:
    """Return the value of a parameter as the questions have it: references as code, also in arrays and hashes."""
    if isinstance(value, Type):
        return reference(display(value))
    if isinstance(value, list):
        return [expected(one) for one in value]
    if isinstance(value, dict):
        return {key: expected(one) for key, one in value.items()}
    return value


def reference_of(value: Any) -> str:
    """Return the text of a reference: ``Package['ntp']``, or a text."""
    return display(value) if isinstance(value, Type) else str(value)
