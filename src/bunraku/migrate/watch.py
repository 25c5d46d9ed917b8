"""The run that is watched: each helper of the old language also computes the result of the new one.

The helper's answer is the old one, so the run goes its old way. Where the new helper would
give another result for the current values, that is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_3.values import NUMBERS, plain_text
from bunraku.dialects.puppet_3.values import number as puppet_3_number
from bunraku.migrate import rules
from bunraku.migrate.edits import Editor
from bunraku.migrate.findings import Finding, Findings
from bunraku.migrate.marked import Marked, is_marked, marks, modern, modern_number
from bunraku.migrate.rules import Rule
from bunraku.migrate.trees import NUMBER_CALL, Tree
from bunraku.runtime import helpers
from bunraku.runtime.python_frames import code_place, puppet_frame
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN
from bunraku.runtime.state import Scope
from bunraku.syntax.nodes import Node, Variable
from bunraku.types.model import Type
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.ruby_semantics.collections import flatten

Value = Any
Edits = Callable[[Editor, Any], tuple[Edit, ...]]
LONGEST = 80
PARENT = lazy_pattern(r"\binherits\s+([\w:]+)")
GETVAR = lazy_pattern(r"[a-z_][a-z0-9_]*(?:::[a-z_][a-z0-9_]*)*")


class Failure:
    """The outcome of a helper that raised an error."""

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = message


class Watcher:
    """The findings of a watched run, and the trees of the manifests that it runs."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.trees: dict[str, Tree] = {}
        self.editors: dict[str, Editor] = {}
        self.places: dict[tuple[Any, int], tuple[str, int, int] | None] = {}

    def add_tree(self, name: str, tree: Tree) -> None:
        """Know the tree of the code with this file name."""
        self.trees[name] = tree
        self.editors[name] = Editor(tree)

    def here(self) -> tuple[str, int, int] | None:
        """Return the current place of the run: name of the code, start and end."""
        frame = puppet_frame(2)
        if frame is None:
            return None
        key = frame.f_code, frame.f_lasti
        if key not in self.places:
            self.places[key] = self.place_of(*key)
        return self.places[key]

    def place_of(self, code: Any, lasti: int) -> tuple[str, int, int] | None:
        """Return the place of an instruction."""
        place = code_place(code, lasti)
        if place is None or place[0] not in self.trees:
            return None
        name, line, end_line, column, end_column = place
        source = self.trees[name].source
        return name, source.offset(line, column), source.offset(end_line, end_column)

    def node_here(self, *kinds: type) -> tuple[Editor, Node] | None:
        """Return the node that runs now, with the maker of its edits."""
        here = self.here()
        if here is None:
            return None
        editor = self.editors[here[0]]
        node = editor.tree.find(*here[1:], *kinds)
        return None if node is None else (editor, node)

    # -- findings --------------------------------------------------------------------------------

    def report(
        self,
        rule: Rule,
        values: tuple[Value, ...],
        old: Value,
        new: Value,
        edits: Edits | None = None,
        kinds: tuple[type, ...] = (),
    ) -> None:
        """Report a difference at the current place of the run."""
        found = self.node_here(*kinds)
        if found is None:
            return
        editor, node = found
        self.add(editor, node, rule, values, old, new, edits(editor, node) if edits else ())

    def add(
        self,
        editor: Editor,
        node: Node,
        rule: Rule,
        values: tuple[Value, ...],
        old: Value,
        new: Value,
        edits: tuple[Edit, ...],
    ) -> None:
        """Report a difference at a node."""
        shown_values = tuple(shown(modern(value)) for value in values)
        span = editor.tree.span(node)
        self.findings.add(Finding(rule, span, shown(old), shown(new), shown_values, edits))

    def relative_parent(self, editor: Editor, node: Any, name: str) -> None:
        """Report a class whose parent's full name differs from the written one."""
        if name == node.parent.removeprefix("::").lower():
            return
        tree = editor.tree
        found = PARENT.search(tree.source.text, node.name_start, node.end)
        if found is None:
            return
        span = tree.source.span(found.start(1), found.end(1))
        edits = (Edit(span.start, span.end, name),)
        self.findings.add(Finding(rules.RELATIVE, span, name, node.parent, (), edits))

    def report_literal(self, mark: Marked) -> None:
        """Report a number in code whose digits matter: it must be quoted."""
        if mark.origin is None:
            return
        span = mark.origin
        edit = Edit(span.start, span.end, f"'{mark}'")
        old, new = shown(str.__str__(mark)), shown(mark.modern)
        self.findings.add(Finding(rules.LITERALS, span, old, new, (), (edit,)))

    def report_mark(self, mark: Marked, value: Value, old: Value, new: Value) -> None:
        """Report the difference that a marked text makes where it is used."""
        if mark.origin is not None:
            self.report_literal(mark)
        else:
            self.report(rules.FACTS, (value,), old, new)

    def unknown(self, name: str) -> None:
        """Report that an unset variable is read."""
        plain = name.removeprefix("::")
        if plain.isdigit() or plain == "undef" or plain.rpartition("::")[2] in NEVER_UNKNOWN:
            return
        found = self.node_here(Variable)
        if found is None:
            return
        editor, node = found
        if editor.is_later_parameter(node):
            edits = editor.variable(node, "undef")
            self.add(editor, node, rules.DEFAULTS, (), None, f"the value of ${plain}", edits)
            return
        expression = f"getvar('{plain}')" if GETVAR.fullmatch(plain) else "undef"
        edits = editor.variable(node, expression)
        editor.tree.unknown[node.start] = expression
        new = Failure(f"unknown variable '{name}'")
        self.add(editor, node, rules.UNKNOWN, (), None, new, edits)

    def number(self, text: str) -> Marked:
        """Return a number in code."""
        found = self.node_here()
        origin = None if found is None else found[0].tree.span(found[1])
        return Marked(text, modern_number(text), origin)


def shown(value: Value) -> str:
    """Return a value for a report; secrets stay hidden, long values are cut."""
    if isinstance(value, Failure):
        return f"error: {value.message}"
    if isinstance(value, Marked):
        value = str.__str__(value)
    try:
        text = (
            f"'{value}'" if value.__class__ is str else "undef" if value is None else to_text(value)
        )
    except PuppetError as error:
        text = error.message
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def outcome(function: Callable[..., Value], *arguments: Value) -> Value:
    """Return the result of a function, or its failure."""
    try:
        return function(*arguments)
    except PuppetError as error:
        return Failure(error.message)


def alike(old: Value, new: Value) -> bool:
    """Return whether two outcomes mean the same: numbers may be text, undef is ''.

    >>> alike("10", 10), alike([None], [""]), alike(True, "true"), alike("010", 8)
    (True, True, True, False)
    """
    if isinstance(new, Failure):
        return False
    if old.__class__ is list or new.__class__ is list:
        if old.__class__ is not new.__class__ or len(old) != len(new):
            return False
        return all(map(alike, old, new))
    if old.__class__ in NUMBERS and new.__class__ in NUMBERS:
        return bool(old == new)
    return as_text(old) == as_text(new)


def as_text(value: Value) -> str:
    """Return a value as text in the old language."""
    return "" if value is None else plain_text(value)


# -- operators -------------------------------------------------------------------------------------


def watched_operator(
    watcher: Watcher,
    old: Callable[..., Value],
    new: Callable[..., Value],
    classify: Callable[..., tuple[Rule, Edits | None]],
) -> Callable[..., Value]:
    """Return an operator on two values that is watched; the rule follows from the values."""

    def watched(left: Value, right: Value, *cell: Value) -> Value:
        result = old(left, right, *cell)
        first, second = modern(left), modern(right)
        other = outcome(new, first, second)
        if not alike(result, other):
            rule, edits = classify(left, right)
            watcher.report(rule, (left, right), result, other, edits)
        return result

    return watched


def arithmetic(new: Callable[..., Value]) -> Callable[..., Value]:
    """Return an operator of arithmetic in strict mode, which refuses text as a number."""

    def strict(left: Value, right: Value) -> Value:
        for value in (left, right):
            if value.__class__ is str:
                return Failure(f"'{value}' is a string, not a number")
        return new(left, right)

    return strict


def access(container: Value, key: Value) -> Value:
    """Return an element in strict mode, which refuses text as an index."""
    if container.__class__ is list and key.__class__ is str:
        return Failure(f"'{key}' is a string, not an index")
    return helpers.HELPERS["access"](container, key)


def of_fact(*values: Value) -> bool:
    """Return whether a fact with another type is among the values, and is not a number."""
    return any(
        mark.fact and mark.modern.__class__ not in NUMBERS
        for value in values
        for mark in marks(value)
    )


def fact_edits(*values: Value) -> Edits:
    """Make text of the operands that are facts."""
    return lambda editor, node: editor.facts_as_text(node, [of_fact(value) for value in values])


def classify_equality(left: Value, right: Value) -> tuple[Rule, Edits | None]:
    """Return why two values are equal in one language only."""
    if of_fact(left, right):
        return rules.FACTS, fact_edits(left, right)
    empty = {as_text(left), as_text(right)} == {""}
    if empty:
        return rules.EMPTY, Editor.empty_comparison
    if puppet_3_number(left) is not None and puppet_3_number(right) is not None:
        return rules.COMPARE, lambda editor, node: editor.compared_numbers(node, left, right)
    if {left.__class__, right.__class__} & {list, dict}:
        return rules.COLLECTIONS, Editor.same_collections
    return rules.COMPARE, None


def classify_order(left: Value, right: Value) -> tuple[Rule, Edits | None]:
    """Return why two values have a different order."""
    if puppet_3_number(left) is not None and puppet_3_number(right) is not None:
        return rules.COMPARE, lambda editor, node: editor.as_numbers(node, left, right)
    if left.__class__ is str and right.__class__ is str:
        return rules.ORDER, Editor.ordered_texts
    return rules.COMPARE, None


def classify_arithmetic(left: Value, right: Value) -> tuple[Rule, Edits | None]:
    """Return why a sum differs."""
    return rules.ARITHMETIC, lambda editor, node: editor.as_numbers(node, left, right)


def classify_contains(left: Value, right: Value) -> tuple[Rule, Edits | None]:
    """Return why ``in`` gives another result."""
    if of_fact(right):
        return rules.FACTS, None
    items = [key for key, _ in pairs(right)] if right.__class__ is dict else right
    if is_marked(left) or marks(items):
        return rules.COMPARE, None
    return rules.CONTAINS, lambda editor, node: editor.contained(node, right)


def classify_match(left: Value, _right: Value) -> tuple[Rule, Edits | None]:
    """Return why a pattern does not match."""
    return (rules.FACTS if of_fact(left) else rules.MATCH), Editor.matched_text


def classify_access(left: Value, key: Value) -> tuple[Rule, Edits | None]:
    """Return why the element differs."""
    if of_fact(left):
        return rules.FACTS, None
    return rules.INDEX, lambda editor, node: editor.index(node, left, key)


OPERATORS: dict[str, Callable[..., tuple[Rule, Edits | None]]] = {
    **dict.fromkeys(("equal", "unequal", "option_matches"), classify_equality),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal"), classify_order),
    **dict.fromkeys(
        ("add", "subtract", "multiply", "divide", "modulo", "shift_left", "shift_right"),
        classify_arithmetic,
    ),
    **dict.fromkeys(("matches", "not_matches"), classify_match),
    "contains": classify_contains,
    "access": classify_access,
}
"""Helper → function that derives the rule from the two values."""


def operators(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """Return the operators of the old language, watched."""
    found = {}
    for name, classify in OPERATORS.items():
        new = helpers.HELPERS[name]
        if classify is classify_arithmetic:
            new = arithmetic(new)
        elif classify is classify_access:
            new = access
        found[name] = watched_operator(watcher, old[name], new, classify)
    return found


# -- truth and text --------------------------------------------------------------------------------


def truth_and_text(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """``truthy``, ``text`` and ``negate``, watched."""
    old_truthy, old_text, old_negate = old["truthy"], old["text"], old["negate"]
    new_truthy, new_text = helpers.HELPERS["truthy"], helpers.HELPERS["text"]

    def truthy(value: Value) -> bool:
        result: bool = old_truthy(value)
        other = new_truthy(modern(value))
        if result != other:
            if of_fact(value):
                watcher.report(rules.FACTS, (value,), result, other, Editor.true_fact)
            else:
                watcher.report(rules.TRUTH, (value,), result, other, Editor.true_text)
        return result

    def text(value: Value) -> str:
        result: str = old_text(value)
        if value.__class__ is str and not is_marked(value):
            return result
        other = outcome(new_text, modern(value))
        if result != other:
            if is_marked(value):
                watcher.report_mark(value, value, result, other)
            else:
                report_text(watcher, value, result, other)
        return str.__str__(result)

    def negate(value: Value) -> Value:
        result = old_negate(value)
        if modern(value).__class__ is str:
            other = Failure(f"'{value}' is a string, not a number")
            edits: Edits = lambda editor, node: editor.as_numbers(node, value)  # noqa: E731
            watcher.report(rules.ARITHMETIC, (value,), result, other, edits)
        return result

    return {"truthy": truthy, "text": text, "negate": negate}


def report_text(watcher: Watcher, value: Value, result: str, other: Value) -> None:
    """Report a value other than text that a string now shows differently."""
    for mark in marks(value):
        if mark.origin is not None and not alike(str.__str__(mark), mark.modern):
            watcher.report_literal(mark)
    kind = value.__class__
    rule = (
        rules.ARRAY_TEXT if kind is list else rules.HASH_TEXT if kind is dict else rules.OTHER_TEXT
    )
    edits: Edits | None = None
    if kind is list and not any(
        item is None or item.__class__ is dict or isinstance(item, Type)
        for item in flatten([value])
    ):
        edits = Editor.joined
    watcher.report(rule, (value,), result, other, edits)


def numbers(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """``call``, which numbers in code are made calls of."""
    old_call = old["call"]

    def call(scope: Scope, name: str, *arguments: Value, block: Any = None) -> Value:
        if name == NUMBER_CALL:
            return watcher.number(*arguments)
        return old_call(scope, name, *arguments, block=block)

    return {"call": call}
