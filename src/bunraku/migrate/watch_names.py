"""Watching names, calls, resources and variables: see :mod:`bunraku.migrate.watch`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_3.resources import catalog_value
from bunraku.functions.registry import PUPPET_8
from bunraku.migrate import rules
from bunraku.migrate.edits import Edits, quoted
from bunraku.migrate.marked import is_marked, marks, modern
from bunraku.migrate.watch import Failure, Watcher, alike, as_text, outcome
from bunraku.runtime.declare import Append
from bunraku.runtime.definitions import Definition
from bunraku.runtime.markers import MISSING
from bunraku.runtime.name_resolution import find_class, find_define
from bunraku.runtime.references import flat
from bunraku.runtime.state import Scope
from bunraku.syntax import nodes
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.ruby_semantics.collections import flatten

Value = Any
Helper = Callable[..., Value]
CLASS_FUNCTIONS = frozenset({"include", "require", "contain"})
RELATIONSHIPS = frozenset({"before", "require", "notify", "subscribe", "tag", "alias"})
"""Parameters that mean the same with a value and with an array of that one."""
LOGS = frozenset({"alert", "crit", "debug", "emerg", "err", "info", "notice", "warning", "fail"})
PURE = frozenset(
    {"sprintf", "split", "regsubst", "versioncmp", "shellquote", "md5", "sha1", "scanf"}
)
"""Functions that can be called once more to get their result in the new version."""


def names_and_calls(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """Return the helpers about names, calls, resources and variables, watched."""
    return {
        **calls(watcher, old),
        **resources(watcher, old),
        **variables(watcher, old),
    }


# -- calls -----------------------------------------------------------------------------------------


def calls(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """Calls for a value and as statements."""

    def watched(helper: Helper) -> Helper:
        def call(scope: Scope, name: str, *arguments: Value, block: Any = None) -> Value:
            before_call(watcher, scope, name, arguments)
            result = helper(scope, name, *arguments, block=block)
            if name in PURE:
                check_result(watcher, scope, name, arguments, result)
            return result

        return call

    return {name: watched(old[name]) for name in ("call", "call_statement")}


def before_call(watcher: Watcher, scope: Scope, name: str, arguments: tuple[Value, ...]) -> None:
    """Report the differences before a function is called."""
    for item in arguments:
        check_literals(watcher, item)
    if name in CLASS_FUNCTIONS:
        for item in flatten(arguments):
            if item.__class__ is str:
                check_name(watcher, item, find_class(scope, item))
    elif name == "fqdn_rand":
        watcher.report(rules.RANDOM, arguments, "a number", "another number")
    elif name == "digest" and len(arguments) == 1:
        watcher.report(
            rules.DIGEST, arguments, "MD5", "SHA-256", lambda _, node: renamed(node, "md5")
        )
    elif name in LOGS:
        check_message(watcher, arguments)
    elif name == "create_resources" and arguments and arguments[0].__class__ is str:
        check_created(watcher, scope, arguments)
    elif name == "search":
        watcher.report(
            rules.REMOVED, arguments, "", Failure("unknown function search"), without_call
        )
    elif scope.compilation.rules.templates_see_callers and is_gone(name):
        watcher.report(rules.REMOVED, arguments, "", Failure(f"unknown function {name}"))


def check_message(watcher: Watcher, arguments: tuple[Value, ...]) -> None:
    """Report values other than text in a log function."""
    odd = [item for item in flatten(arguments) if item is None or item.__class__ is dict]
    arrays = [item for item in arguments if item.__class__ is list]
    if not arrays and not any(item.__class__ is dict for item in arguments):
        return

    def edits(editor: Any, node: Any) -> Edits:
        if odd or not isinstance(node, nodes.Call) or len(node.arguments) != len(arguments):
            return ()
        found: Edits = ()
        for argument, value in zip(node.arguments, arguments, strict=True):
            if value.__class__ is list:
                found += editor.around(argument, "join(flatten(", "), ' ')")
        return found

    old = " ".join(as_text(item) for item in flatten(arguments))
    new = " ".join(to_text(modern(item)) for item in arguments)
    if old != new:
        watcher.report(rules.MESSAGES, arguments, old, new, edits)


def check_created(watcher: Watcher, scope: Scope, arguments: tuple[Value, ...]) -> None:
    """Report differences in the type, or the classes, of create_resources()."""
    plain = arguments[0].removeprefix("::").lower()
    if plain == "class":
        for title in pairs(arguments[1]) if arguments[1:] else ():
            if title[0].__class__ is str:
                check_name(watcher, title[0], find_class(scope, title[0]))
    elif scope.compilation.resource_types[plain] is None:
        check_name(watcher, arguments[0], find_define(scope, arguments[0]))


GONE = frozenset({"extlookup"})


def is_gone(name: str) -> bool:
    """Return whether a former core function no longer exists."""
    return name in GONE and PUPPET_8.builtin(name) is None


def renamed(node: Any, name: str) -> Edits:
    """Return another function in a call."""
    if not isinstance(node, nodes.Call):
        return ()
    return (Edit(node.callee.start, node.callee.end, name),)


def without_call(editor: Any, node: Any) -> Edits:
    """Take a statement away."""
    text = editor.tree.source.text
    start = text.rfind("\n", 0, node.start) + 1
    end = text.find("\n", node.end)
    if end < 0 or text[start : node.start].strip() or text[node.end : end].strip():
        return (Edit(node.start, node.end, ""),)
    return (Edit(start, end + 1, ""),)


def check_result(
    watcher: Watcher, scope: Scope, name: str, arguments: tuple[Value, ...], result: Value
) -> None:
    """Call the function of today with the values that it would get."""
    function = PUPPET_8.builtin(name)
    if function is None:
        return
    given = [modern(argument) for argument in arguments]
    other = outcome(lambda: function.call(scope, given, None))
    if alike(result, other):
        return

    def edits(editor: Any, node: Any) -> Edits:
        found: Edits = ()
        if not isinstance(node, nodes.Call) or len(node.arguments) != len(arguments):
            return ()
        for argument, value in zip(node.arguments, arguments, strict=True):
            if modern(value).__class__ is str or value.__class__ is list:
                continue
            if isinstance(argument, nodes.Variable):
                found += editor.instead(argument, f'"${{{argument.name}}}"')
            elif is_marked(value):
                found += editor.instead(argument, quoted(str.__str__(value)))
        return found

    watcher.report(rules.FUNCTION, arguments, result, other, edits)


# -- names -----------------------------------------------------------------------------------------


def check_name(watcher: Watcher, written: str, found: Definition | None) -> None:
    """Report a name that differs from the full name of its definition."""
    plain = written.removeprefix("::").lower()
    if found is None or found.name == plain:
        return

    def edits(editor: Any, node: Any) -> Edits:
        place = named_below(node, written)
        if place is None:
            return ()
        text = found.name
        if isinstance(place, nodes.String):
            text = quoted(text)
        elif isinstance(place, nodes.Reference) or editor.tree.text(place)[:1].isupper():
            text = "::".join(part.capitalize() for part in text.split("::"))
        return editor.instead(place, text)  # type: ignore[no-any-return]

    watcher.report(rules.RELATIVE, (), found.name, plain, edits)


def named_below(node: Any, written: str) -> Any:
    """Return the node below one that is a name as written."""
    stack = [node]
    while stack:
        item = stack.pop()
        kinds = (nodes.Name, nodes.String, nodes.Reference)
        if isinstance(item, kinds) and item.value.lower() == written.lower():
            return item
        stack += list(nodes.children(item))[::-1]
    return None


# -- resources -------------------------------------------------------------------------------------


def resources(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """Declarations, titles, references and defaults."""
    old_declare, old_titles = old["declare"], old["titles"]
    old_parameterize, old_defaults = old["parameterize"], old["set_defaults"]

    def declare(
        scope: Scope, type_: str, form: str, file: str, line: int, *bodies: Any
    ) -> list[Value]:
        check_declaration(watcher, scope, type_, bodies)
        return old_declare(scope, type_, form, file, line, *bodies)  # type: ignore[no-any-return]

    def titles(title: Value) -> list[Value]:
        found: list[Value] = old_titles(title)
        for item in found:
            if modern(item).__class__ is not str:
                check_title(watcher, item)
        return found

    def parameterize(scope: Scope, left: Value, *keys: Value) -> Value:
        for key in flat(list(keys)):
            if modern(key).__class__ is not str:
                check_title(watcher, key)
        if isinstance(left, ClassType):
            for key in flat(list(keys)):
                if key.__class__ is str:
                    check_name(watcher, key, find_class(scope, key))
        elif isinstance(left, ResourceType) and left.type_name:
            if scope.compilation.resource_types[left.type_name] is None:
                check_name(watcher, left.type_name, find_define(scope, left.type_name))
        return old_parameterize(scope, left, *keys)

    def literals(given: dict[str, Value]) -> None:
        for value in given.values():
            check_literals(watcher, value.value if isinstance(value, Append) else value)

    def override(scope: Scope, reference: Value, given: dict[str, Value], *more: Any) -> Value:
        literals(given)
        return old["override"](scope, reference, given, *more)

    def collect(
        scope: Scope, type_: Value, exported: bool, query: Value, given: Any, *more: Any
    ) -> Value:
        literals(given or {})
        return old["collect"](scope, type_, exported, query, given, *more)

    def set_defaults(scope: Scope, reference: Value, given: dict[str, Value]) -> Value:
        literals(given)
        if isinstance(reference, ResourceType) and reference.type_name:
            check_default_values(watcher, scope, reference.type_name, given)
            check_late(watcher, scope, reference.type_name, given)
        return old_defaults(scope, reference, given)

    return {
        "collect": collect,
        "declare": declare,
        "override": override,
        "titles": titles,
        "parameterize": parameterize,
        "set_defaults": set_defaults,
    }


def check_title(watcher: Watcher, title: Value) -> None:
    """Report a title that is not text."""
    new = Failure("a title must be a string")

    def edits(_editor: Any, _node: Any) -> Edits:
        if is_marked(title) and title.origin is not None:
            span = title.origin
            return (Edit(span.start, span.end, quoted(str.__str__(title))),)
        return ()

    watcher.report(rules.TITLES, (title,), as_text(title), new, edits)


def check_declaration(watcher: Watcher, scope: Scope, type_: str, bodies: tuple[Any, ...]) -> None:
    """Report the differences when resources are declared."""
    plain = type_.removeprefix("::").lower()
    built_in = False
    if plain == "class":
        for titles, _, _ in bodies:
            for title in titles:
                if title.__class__ is str:
                    check_name(watcher, title, find_class(scope, title))
    elif scope.compilation.resource_types[plain] is None:
        check_name(watcher, type_, find_define(scope, type_))
    else:
        built_in = True
    for number, (_, given, _) in enumerate(bodies):
        for name, value in given.items():
            check_attribute(watcher, number, name, value, built_in)


def check_literals(watcher: Watcher, value: Value) -> None:
    """Report numbers in code whose digits now mean another number."""
    for mark in marks(value):
        if mark.origin is not None and not alike(str.__str__(mark), mark.modern):
            watcher.report_literal(mark)


def check_attribute(watcher: Watcher, number: int, name: str, value: Value, built_in: bool) -> None:
    """Report a difference in the value of an attribute."""
    for mark in marks(value):
        if not alike(str.__str__(mark), mark.modern):
            if mark.origin is not None:
                watcher.report_literal(mark)
            else:
                report_attribute(watcher, number, name, mark, rules.FACTS)
    if not built_in or value.__class__ is not list or name in RELATIONSHIPS:
        return
    if len(value) == 1:
        report_attribute(watcher, number, name, value, rules.SINGLE)
    elif None in value:
        report_attribute(watcher, number, name, value, rules.UNDEF_INSIDE)


def check_default_values(
    watcher: Watcher, scope: Scope, type_name: str, given: dict[str, Value]
) -> None:
    """Arrays of one among the defaults of a built-in type."""
    found = watcher.node_here(nodes.ResourceDefaults)
    if found is None or scope.compilation.resource_types[type_name.lower()] is None:
        return
    for name, value in given.items():
        if value.__class__ is list and len(value) == 1 and name not in RELATIONSHIPS:
            operations = found[1].operations  # type: ignore[attr-defined]
            report_at(watcher, found, operations, name, value, rules.SINGLE)


def report_attribute(
    watcher: Watcher, number: int, name: str, value: Value, rule: rules.Rule
) -> None:
    """Report a difference in the value of a resource's attribute."""
    found = watcher.node_here(nodes.Resource)
    if found is not None:
        body = found[1].bodies[number]  # type: ignore[attr-defined]
        report_at(watcher, found, body.operations, name, value, rule)


def report_at(
    watcher: Watcher,
    place: tuple[Any, Any],
    operations: list[Any],
    name: str,
    value: Value,
    rule: rules.Rule,
) -> None:
    """A difference in the value of an attribute, at that attribute if it is written here."""
    editor, node = place
    attribute = next((item for item in operations if getattr(item, "name", "") == name), None)
    node = node if attribute is None else attribute.value
    edits: Edits = ()
    if rule is rules.SINGLE:
        if isinstance(node, nodes.List):
            edits = editor.instead(node, editor.tree.text(node.values[0]))
        elif isinstance(node, nodes.Variable):
            edits = editor.instead(node, f"${node.name}[0]")
    elif rule is rules.UNDEF_INSIDE and isinstance(node, nodes.List):
        undefs = [item for item in node.values if isinstance(item, nodes.Undef)]
        edits = tuple(edit for item in undefs for edit in editor.instead(item, "'undef'"))
    watcher.add(editor, node, rule, (value,), catalog_value(name, value), modern(value), edits)


def check_late(watcher: Watcher, scope: Scope, type_name: str, given: dict[str, Value]) -> None:
    """Resource defaults that hold for resources declared before them."""
    earlier = [
        resource
        for resource in scope.compilation.catalog.resources
        if resource.type.lower() == type_name.lower()
        and declared_in(resource.scope, scope)
        and any(name not in resource.parameters for name in given)
    ]
    if not earlier:
        return

    def edits(editor: Any, node: Any) -> Edits:
        block = editor.tree.parent(node)
        if not isinstance(block, nodes.Block):
            return ()
        first = block.statements[0]
        text = editor.tree.source.text
        indent = text[text.rfind("\n", 0, first.start) + 1 : first.start]
        if indent.strip():
            indent = ""
        moved = f"{editor.tree.text(node)}\n{indent}"
        return (Edit(first.start, first.start, moved), *without_call(editor, node))

    references = ", ".join(resource.reference for resource in earlier)
    watcher.report(rules.LATE, (), references, "not for these", edits)


def declared_in(scope: Scope, outer: Scope) -> bool:
    """Return whether defaults of a scope hold in another."""
    inner: Scope | None = scope
    while inner is not None:
        if inner is outer:
            return True
        inner = inner.caller
    return False


# -- variables -------------------------------------------------------------------------------------


def variables(watcher: Watcher, old: dict[str, Any]) -> dict[str, Any]:
    """Reading by a qualified name, and appending."""
    old_read, old_append = old["read_qualified"], old["append"]

    def read_qualified(scope: Scope, name: str) -> Value:
        result = old_read(scope, name)
        check_read(watcher, scope, name, result)
        return result

    def append(scope: Scope, key: str, value: Value) -> Value:
        result = old_append(scope, key, value)
        watcher.report(
            rules.APPEND, (value,), result, Failure("the operator += was removed"), appended(value)
        )
        return result

    return {"read_qualified": read_qualified, "append": append}


def check_read(watcher: Watcher, scope: Scope, name: str, result: Value) -> None:
    """Report a variable read by a qualified name: of a class in the namespace, or of none."""
    namespace, _, variable = name.removeprefix("::").rpartition("::")
    if not namespace:
        if result is None and scope.compilation.top_scope.find(f"${variable}") is MISSING:
            watcher.unknown(name)
        return
    definition = find_class(scope, name.rpartition("::")[0])
    if definition is not None and definition.name != namespace.lower():
        whole = f"${definition.name}::{variable}"
        watcher.report(
            rules.RELATIVE,
            (),
            whole,
            f"${namespace}::{variable}",
            lambda editor, node: editor.variable(node, whole),
            (nodes.Variable,),
        )
    elif result is None and namespace != "settings":
        inside = None
        if definition is not None:
            inside = scope.compilation.class_scopes.get(definition.name)
        if inside is None or inside.find(f"${variable}") is MISSING:
            watcher.unknown(name)


def appended(value: Value) -> Callable[[Any, Any], Edits]:
    """``$x += value`` as an assignment."""

    def edits(editor: Any, node: Any) -> Edits:
        if not isinstance(node, nodes.Assignment):
            return ()
        name, right = node.left.name, editor.tree.text(node.right)  # type: ignore[attr-defined]
        place = Edit(node.operator_start, node.operator_start + 2, "=")
        if value.__class__ is str:
            if isinstance(node.right, nodes.Name) or is_marked(value):
                right = quoted(str.__str__(value))
            text = f'"${{{name}}}${{{right.removeprefix("$")}}}"'
            return place, *editor.instead(node.right, text)
        simple = (nodes.List, nodes.Hash, nodes.Variable, nodes.Call)
        right = right if isinstance(node.right, simple) else f"({right})"
        return place, *editor.instead(node.right, f"${name} + {right}")

    return edits
