"""ERB templates as Python code: statements and blocks.

A template becomes a function of a :class:`bunraku.ruby.run.scope.Context`, whose code carries the
template's file name and lines. Whatever is not known to mean the same in Python as in Ruby is refused
with :class:`Unsupported`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING

from bunraku.ruby.syntax.erb import PUT, TEXT, RubyText, Unsupported, ruby_text
from bunraku.ruby.syntax.tree import parse_for_python
from bunraku.ruby.translate import expressions
from bunraku.ruby.translate.block_functions import bind, block_head, block_parameters, body_of
from bunraku.ruby.translate.expressions import (
    assigned_target,
    class_test,
    condition,
    equality,
    is_scope,
    receiver_value,
)
from bunraku.ruby.translate.literals import as_text, plain_values
from bunraku.ruby.translate.names import Names
from bunraku.ruby.translate.nodes import named, operator_of, part, sides, source
from bunraku.ruby.translate.translator import (
    EXPRESSIONS,
    NOTHING,
    STATEMENTS,
    Rules,
    Sink,
    Translator,
    statement_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node


LOOPS = {
    "each": ":each",
    "each_pair": ":each_pair",
    "each_with_index": ":with_index",
    "each_index": ":indices",
    "times": ":times",
    "each_key": ":keys",
    "each_value": ":values",
    "reverse_each": ":reverse_each",
}
ERRORS = frozenset(
    {"ArgumentError", "StandardError", "Exception", "IPAddr::Error", "IPAddr::InvalidAddressError"}
)
"""Classes of errors that ``rescue`` may name."""


TEMPLATE_RULES = Rules(
    EXPRESSIONS,
    STATEMENTS,
    expressions.own_call,
    expressions.method,
    expressions.block_call,
    expressions.symbol_block,
)


def template_module(text: RubyText, root: Node, old: bool) -> ast.Module:
    """Return the module that defines the function ``template``."""
    groups = "$" in text.code and "global_variable" in kinds(root)
    ruby = Translator(text, TEMPLATE_RULES, old, groups)
    ruby.do_all(named(root), None)
    body, ruby.body, ruby.line = ruby.body, [], 1
    ruby.set(":out", ruby.list_of([]))
    ruby.set(":put", ruby.attribute(ruby.name(":out"), "extend"))
    for identifier in ruby.instance:
        ruby.set(identifier, ruby.context("variable", ruby.constant(f"${identifier[1:]}")))
    for identifier, node in ruby.asked_defined:
        if identifier in ruby.assigned_instance:
            raise ruby.refuse(node, "'defined?' of a variable that the template sets")
    ruby.forget(ruby.names)
    returned = ruby.return_(ruby.method(ruby.constant(""), "join", ruby.name(":out")))
    statements = [*ruby.body, *body, returned]
    parameters = ruby.parameters([":context"])
    return ast.Module([ruby.function("template", parameters, statements, [])], [])


# -- statements ------------------------------------------------------------------------------


@statement_of("begin", "parenthesized_statements")
def begin_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """Statements in parentheses or between ``begin`` and ``end``."""
    inner = named(node)
    body = [child for child in inner if child.type not in ("rescue", "ensure", "else")]
    clauses = inner[len(body) :]
    if not clauses:
        ruby.do_all(body, sink)
        return
    for clause in clauses:
        if clause.type != "rescue" or len(clauses) > 1:
            raise ruby.refuse(clause, f"'{clause.type}'")
    statements = ruby.inner(lambda: ruby.do_all(body, sink))
    ruby.body.append(rescued(ruby, clauses[0], statements, sink))


def rescued(
    ruby: Translator, node: Node, statements: list[ast.stmt], sink: Sink | None
) -> ast.stmt:
    """Translate ``rescue``: only errors that are certain get here; Ruby handles all others."""
    given, variable, body = (
        node.child_by_field_name(name) for name in ("exceptions", "variable", "body")
    )
    names = ["StandardError"] if given is None else [source(child) for child in named(given)]
    if not is_rescued(ruby, names):
        raise ruby.refuse(node, "'rescue' of such errors")
    if variable is not None and ruby.find(source(named(variable)[0])) is not None:
        raise ruby.refuse(node, "'rescue' into a variable")
    error = ruby.temporary()
    again = ruby.stamp(ast.Raise(None, None))
    fits = ruby.method(ruby.name(error), "fits", *map(ruby.constant, names))
    check = ruby.if_(ruby.not_(fits), [again])
    handler = [check, *ruby.inner(lambda: branch(ruby, body, sink))]
    return ruby.try_(statements, ":Raised", error, handler)


def is_rescued(ruby: Translator, names: list[str]) -> bool:
    """Return whether ``rescue`` may name some classes of errors.

    Methods may name any: only certain errors are raised there, and their classes are certain too.
    """
    if ruby.in_method:
        return all(name.removeprefix("::")[:1].isupper() for name in names)
    return ERRORS.issuperset(names)


@statement_of("if", "elsif", "unless")
def if_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """``if``, ``elsif`` and ``unless``."""
    test = condition(ruby, part(node, "condition"))
    if node.type == "unless":
        test = ruby.not_(test)
    yes, no = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
    when(
        ruby,
        test,
        lambda: branch(ruby, yes, sink),
        lambda: branch(ruby, no, sink),
    )


def when(
    ruby: Translator, test: ast.expr, yes: Callable[[], None], no: Callable[[], None] | None
) -> None:
    """Add the statement ``if test: … else: …``."""
    statement = ruby.if_(test, [])
    statement.body = ruby.inner(yes)
    otherwise = [] if no is None else ruby.inner(no)
    if len(otherwise) != 1 or not isinstance(otherwise[0], ast.Pass):
        statement.orelse = otherwise
    ruby.body.append(statement)


def branch(ruby: Translator, node: Node | None, sink: Sink | None) -> None:
    """Add the statements after a condition."""
    if node is None:
        ruby.do_all([], sink)
    elif node.type == "elsif":
        tried(ruby, [node], sink)
    else:
        tried(ruby, named(node), sink)


def tried(ruby: Translator, nodes: list[Node], sink: Sink | None) -> None:
    """Statements that may never run: if only Ruby can do them, it does when they do run."""
    names, loops, size = ruby.names, len(ruby.loops), len(ruby.body)
    body, known, spreads = ruby.body, dict(ruby.names.known), ruby.spreads
    try:
        ruby.do_all(nodes, sink)
    except Unsupported as reason:
        ruby.names, ruby.body, ruby.spreads = names, body, spreads
        del ruby.loops[loops:], ruby.body[size:]
        ruby.names.known = known
        ruby.line = reason.line or ruby.line
        ruby.do(ruby.call(":only_ruby", ruby.constant(reason.what)))


@statement_of("if_modifier", "unless_modifier")
def modifier_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """``x if y``: variables of x are known in y, for it comes first in the text."""
    body = part(node, "body")
    statements = ruby.inner(lambda: ruby.do_one(body, sink))
    test = condition(ruby, part(node, "condition"))
    if node.type == "unless_modifier":
        test = ruby.not_(test)
    statement = ruby.if_(test, statements)
    if sink is not None:
        statement.orelse = ruby.inner(lambda: sink(ruby.constant(None)))
    ruby.body.append(statement)


@statement_of("binary")
def binary_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """``a and b`` as a statement may jump: ``next``."""
    operator = operator_of(node)
    left, right = sides(node)
    if sink is not None or operator not in ("and", "or", "&&", "||"):
        ruby.finish(ruby.value(node), sink)
        return
    test = condition(ruby, left)
    if operator in ("or", "||"):
        test = ruby.not_(test)
    when(ruby, test, lambda: ruby.do_one(right, None), None)


@statement_of("assignment")
def assignment_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """``x = y``, and ``a, b = c``."""
    left, right = sides(node)
    if left.type == "left_assignment_list":
        assign_several(ruby, node, left, right, sink)
    elif left.type == "element_reference" or right.type == "right_assignment_list":
        ruby.finish(ruby.value(node), sink)
    else:
        identifier = assigned_target(ruby, left)

        def keep(value: ast.expr) -> None:
            ruby.set(identifier, value)

        ruby.do_one(right, keep)
        if sink is not None:
            sink(ruby.name(identifier))


def assign_several(
    ruby: Translator, node: Node, left: Node, right: Node, sink: Sink | None
) -> None:
    """``a, b = c`` and ``a, b = c, d``."""
    targets = [assigned_target(ruby, child) for child in named(left)]
    spread = named(right)
    if right.type == "splat_argument" or (len(spread) == 1 and spread[0].type == "splat_argument"):
        inner = right if right.type == "splat_argument" else spread[0]
        value: ast.expr = ruby.call(":to_list", ruby.value(named(inner)[0]))
    elif right.type == "right_assignment_list":
        value = ruby.array(plain_values(ruby, named(right)))
    else:
        value = ruby.value(right)
    if sink is not None:
        raise ruby.refuse(node, "several variables set for a value")
    ruby.spread(targets, value)


@statement_of("case")
def case_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """``case``."""
    subject = node.child_by_field_name("value")
    found: ast.expr | None = None
    if subject is not None:
        temporary = ruby.temporary()
        ruby.set(temporary, ruby.value(subject))
        found = ruby.name(temporary)
    clauses = [child for child in named(node) if child != subject]
    case_clauses(ruby, node, [child for child in clauses if child.type not in NOTHING], found, sink)


def case_clauses(
    ruby: Translator, node: Node, clauses: list[Node], subject: ast.expr | None, sink: Sink | None
) -> None:
    """Add the clauses of a ``case`` from one on."""
    if not clauses or clauses[0].type == "else":
        if len(clauses) > 1:
            raise ruby.refuse(node, "'case' of this form")
        branch(ruby, clauses[0] if clauses else None, sink)
        return
    clause, *others = clauses
    if clause.type != "when":
        raise ruby.refuse(clause, "'case' of this form")
    ruby.line = ruby.line_of(clause)
    patterns = clause.children_by_field_name("pattern")
    tests = [pattern_test(ruby, named(pattern)[0], subject) for pattern in patterns]
    test = tests[0] if len(tests) == 1 else ruby.any_of(*tests)
    body = clause.child_by_field_name("body")
    when(
        ruby,
        test,
        lambda: branch(ruby, body, sink),
        lambda: case_clauses(ruby, node, others, subject, sink),
    )


def pattern_test(ruby: Translator, node: Node, subject: ast.expr | None) -> ast.expr:
    """Return whether a pattern of ``when`` matches."""
    if subject is None:
        return condition(ruby, node)
    if node.type in ("constant", "scope_resolution"):
        return class_test(ruby, node, subject, node)
    if node.type == "regex":
        sides_ = subject, ruby.value(node)
        return (
            ruby.context("case_matched", *sides_)
            if ruby.groups
            else ruby.call(":case_match", *sides_)
        )
    if node.type in ("string", "integer", "nil", "true", "false", "simple_symbol", "float"):
        return equality(ruby, subject, ruby.value(node))
    return ruby.call(":case_equal", ruby.value(node), subject)


# -- calls and loops -------------------------------------------------------------------------


@statement_of("call")
def call_statement(ruby: Translator, node: Node, sink: Sink | None) -> None:
    """Translate text, ``<%= %>`` and loops; else a call."""
    receiver, method, block = (
        node.child_by_field_name(name) for name in ("receiver", "method", "block")
    )
    name = "" if method is None else source(method)
    if receiver is None and name in (TEXT, PUT):
        if sink is not None and name == PUT:
            raise ruby.refuse(node, "output as a value")
        output(ruby, named(part(node, "arguments"))[0], name)
        if sink is not None:
            sink(ruby.constant(None))  # ERB's value is the whole output, which nothing uses
    elif receiver is not None and block is not None and name in LOOPS:
        loop(ruby, node, name, sink)
    else:
        ruby.finish(ruby.value(node), sink)


def output(ruby: Translator, argument: Node, name: str) -> None:
    """Add text, or a value as text."""
    if name == TEXT:
        ruby.put(ruby.constant(ruby.source.texts[int(source(argument))]))
        return
    inner = argument.child_by_field_name("receiver")
    if inner is None or inner.type != "parenthesized_statements" or argument.type != "call":
        raise ruby.refuse(argument, "output of this form")

    def shown(value: ast.expr) -> None:
        ruby.put(as_text(ruby, value))

    ruby.do_all(named(inner), shown)


def loop(ruby: Translator, node: Node, name: str, sink: Sink | None) -> None:
    """Translate a loop over items: the block becomes the body of a ``for``."""
    receiver, block = part(node, "receiver"), part(node, "block")
    if node.child_by_field_name("arguments") is not None or operator_of(node) != ".":
        raise ruby.refuse(node, f"the method '{name}' with these arguments")
    if is_scope(ruby, receiver):
        raise ruby.refuse(node, f"'scope.{name}'")
    items = receiver_value(ruby, receiver)
    if sink is not None:
        temporary = ruby.temporary()
        ruby.set(temporary, items)
        items = ruby.name(temporary)
    patterns = block_parameters(ruby, block)
    before, ruby.names = ruby.names, Names(ruby.names.frame, ruby.names)
    ruby.loops.append(True)
    statement = ruby.stamp(ast.For(*loop_head(ruby, node, name, items, patterns), [], []))
    first = ruby.spreads
    ruby.spreads = []
    body = ruby.inner(lambda: tried(ruby, body_of(block), None))
    heads = ruby.inner(lambda: block_head(ruby, first))
    statement.body = [*(heads if first or ruby.names.fresh else []), *body]
    ruby.loops.pop()
    ruby.names = before
    ruby.body.append(statement)
    if sink is not None:
        sink(ruby.name(temporary))


def loop_head(
    ruby: Translator, node: Node, name: str, items: ast.expr, patterns: list[str | list[str]]
) -> tuple[ast.expr, ast.expr]:
    """Target and iterable of a loop."""
    helper, count = LOOPS[name], len(patterns)
    if name == "each_pair" and count != 2:
        helper = ":each_pairs"
    if name in ("each", "each_pair", "each_with_index") and count == 2:
        helper = ":each_two" if name == "each" else helper
        names = bind(ruby, patterns)
    elif name == "each_with_index":
        raise ruby.refuse(node, "each_with_index with this kind of block")
    elif count <= 1:
        names = bind(ruby, patterns) or [ruby.temporary()]
    elif name in ("each", "each_pair", "each_value", "each_key", "reverse_each"):
        names = bind(ruby, patterns)
        return ruby.targets(names), ruby.call(
            ":each_several", ruby.call(helper, items), ruby.constant(count)
        )
    else:
        raise ruby.refuse(node, f"{name} with this kind of block")
    return ruby.targets(names), ruby.call(helper, items)


@statement_of("next")
def next_statement(ruby: Translator, node: Node, _sink: Sink | None) -> None:
    """``next``: on to the next item."""
    given = named(node)
    if not ruby.loops:
        raise ruby.refuse(node, "'next' outside of a block")
    if ruby.loops[-1]:
        ruby.body.append(ruby.stamp(ast.Continue()))
        return
    if len(given) > 1:
        raise ruby.refuse(node, "'next' with several values")
    inner = named(given[0]) if given else []
    value = ruby.value(inner[0]) if inner else ruby.constant(None)
    ruby.give(value)


@statement_of("break")
def break_statement(ruby: Translator, node: Node, _sink: Sink | None) -> None:
    """``break`` out of a loop."""
    if not ruby.loops or not ruby.loops[-1] or named(node):
        raise ruby.refuse(node, "'break' out of this kind of block")
    ruby.body.append(ruby.stamp(ast.Break()))


def ends_in_comment(root: Node) -> bool:
    """Return whether the last line of the code ends in a comment."""
    node = root
    while node.named_children:
        node = node.named_children[-1]
    return bool(node.type == "comment" and node.end_byte == root.end_byte)


def kinds(root: Node) -> set[str]:
    """Return the kinds of all nodes."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.add(node.type)
        waiting += node.named_children
    return found


def compile_template(text: str, file: str, old: bool) -> CodeType:
    """Return the code that defines ``template``; Unsupported when Ruby must render it."""
    ruby = ruby_text(text)
    root = parse_for_python(ruby.code)
    if ends_in_comment(root):
        # The comment hides the code that ERB adds: the result is the value of the last statement.
        raise Unsupported("a comment to the end of the template", ruby.lines[-1])
    try:
        module = template_module(ruby, root, old)
        return compile(module, file, "exec", dont_inherit=True, optimize=0)
    except (RecursionError, SyntaxError):  # Python's own limits of nesting
        raise Unsupported("code that nests too deeply", 1) from None
