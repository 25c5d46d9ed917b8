"""Evaluation of each kind of syntax node while a resource type is read."""

from __future__ import annotations

import posixpath
from typing import Any

from bunraku.ruby.schema.calls import (
    again,
    arguments_of,
    block_code,
    call,
    code_of,
    dispatch,
    merge_pair,
    mix_in,
    yielded,
)
from bunraku.ruby.schema.reader import Handler, Method, Returned, SchemaReader, Stopped
from bunraku.ruby.schema.static_values import (
    UNKNOWN,
    ModuleName,
    RubyRegexp,
    RubyScope,
    TypeBuilder,
    as_text,
    call_method,
    is_known,
    matched,
    named,
    static_truth,
    text,
)
from bunraku.values.characters import character

# -- literals --------------------------------------------------------------------------------------
ESCAPES = {
    "n": "\n",
    "t": "\t",
    "s": " ",
    "r": "\r",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\n": "",
}


def unescape(sequence: str) -> Any:
    r"""Return the text of an escape in a string; UNKNOWN for one that Ruby refuses, or a control key.

    >>> unescape(r"\u{41 42}"), unescape(r"\101"), unescape(r"\n"), unescape(r"\u{110000}")
    ('AB', 'A', '\n', UNKNOWN)
    """
    kind, digits = sequence[1:2], sequence[2:].strip("{}")
    if kind in {"C", "M", "c"}:
        return UNKNOWN
    if kind in {"u", "x"}:
        return letters(digits.split(), 16)
    if kind in set("01234567"):
        return letters([sequence[1:]], 8)
    return ESCAPES.get(sequence[1:], sequence[1:])


def letters(numbers: list[str], base: int) -> Any:
    """Return the letters with some numbers; UNKNOWN if one of them is none."""
    found = [character(number, base) for number in numbers]
    return "".join(filter(None, found)) if found and None not in found else UNKNOWN


def string_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return a string or symbol with quotes; UNKNOWN when an interpolation is."""
    parts = []
    for child in node.named_children:
        if child.type == "interpolation":
            piece = as_text(reader.run(child, scope))
            if piece is UNKNOWN:
                return UNKNOWN
            parts.append(piece)
        elif child.type == "escape_sequence":
            raw = text(node).startswith(("'", "%q", "%w", "%i"))
            sequence = text(child)
            keep = raw and sequence[1:] not in {"'", "\\"}
            piece = sequence if keep else sequence[1:] if raw else unescape(sequence)
            if piece is UNKNOWN:
                return UNKNOWN
            parts.append(piece)
        else:
            parts.append(text(child))
    return "".join(parts)


def regexp_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return a regular expression literal; a slash needs no escape in its text."""
    parts = []
    slashes = text(node).startswith("/")
    for child in node.named_children:
        if child.type == "interpolation":
            piece = as_text(reader.run(child, scope))
            if piece is UNKNOWN:
                return UNKNOWN
            parts.append(piece)
        elif slashes and text(child) == "\\/":
            parts.append("/")
        else:
            parts.append(text(child))
    closing = text(node.children[-1])
    return RubyRegexp("".join(parts), "".join(flag for flag in "mix" if flag in closing))


def array_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``[…]``, with splats."""
    items: list[Any] = []
    for child in named(node):
        value = reader.evaluate(child, scope)
        if child.type == "splat_argument":
            if not isinstance(value, list):
                return UNKNOWN
            items.extend(value)
        elif child.type == "pair":
            items = merge_pair(items, value)
        else:
            items.append(value)
    return items


def hash_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``{…}``."""
    entries: dict[Any, Any] = {}
    for child in named(node):
        value = reader.evaluate(child, scope)
        if not isinstance(value, dict):
            return UNKNOWN
        entries.update(value)
    return entries


def pair_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``key => value`` or ``key: value`` as a hash of one entry."""
    key_node = node.child_by_field_name("key")
    value_node = node.child_by_field_name("value")
    key = text(key_node) if key_node.type == "hash_key_symbol" else reader.evaluate(key_node, scope)
    value = reader.evaluate(value_node, scope) if value_node is not None else UNKNOWN
    return {key: value} if is_known(key) and not isinstance(key, (list, dict)) else {}


# -- statements ------------------------------------------------------------------------------------
def if_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``if``, ``unless``, ``… if …``, ``? :``."""
    condition = static_truth(reader.evaluate(node.child_by_field_name("condition"), scope))
    if node.type.endswith("_modifier"):
        then, other = node.child_by_field_name("body"), None
    else:
        then = node.child_by_field_name("consequence")
        other = node.child_by_field_name("alternative")
    if condition is None:
        return reader.maybe([then, other], scope)
    if node.type.startswith("unless"):
        condition = not condition
    chosen = then if condition else other
    return reader.evaluate(chosen, scope) if chosen is not None else None


def branches(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``case``: each branch may run."""
    parts = [child for child in named(node) if child.type in {"when", "else", "in_clause"}]
    bodies = [part.child_by_field_name("body") or part for part in parts]
    return reader.maybe(bodies, scope)


AFTER_BODY = frozenset({"rescue", "else", "ensure"})
"""The parts of ``begin … end`` after its body."""


def begin_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``begin … rescue … ensure … end``; each rescue may run."""
    children = named(node)
    first = next((at for at, one in enumerate(children) if one.type in AFTER_BODY), len(children))
    value: Any = None
    stopped: Stopped | None = None
    try:
        for child in children[:first]:
            value = reader.evaluate(child, scope)
    except Stopped as error:
        value, stopped = UNKNOWN, error
    for child in children[first:]:
        if child.type == "rescue":
            stopped = None
            reader.maybe([child.child_by_field_name("body")], scope)
        else:
            reader.run(child, scope)
    if stopped is not None:
        raise stopped
    return value


def rescued(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``value rescue other``."""
    try:
        return first_child(reader, node, scope)
    except Stopped:
        return UNKNOWN


def leave(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``return``, ``next`` and ``break``."""
    arguments = named(node)
    values = array_value(reader, arguments[0], scope) if arguments else [None]
    value = values[0] if isinstance(values, list) and len(values) == 1 else values
    raise Returned(node.type, value)


def assignment(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``name = value`` for locals, constants and the class's own variables."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = reader.evaluate(right, scope)
    if right.type == "right_assignment_list":
        value = array_value(reader, right, scope)
    match left.type:
        case "identifier":
            reader.assign(text(left), value, scope)
        case "constant":
            full = f"{scope.nesting[-1]}::{text(left)}" if scope.nesting else text(left)
            reader.constants[full] = value
        case "instance_variable" if isinstance(scope.me, TypeBuilder):
            set_variable(scope.me, text(left), value)
        case "instance_variable" if isinstance(scope.me, ModuleName):
            reader.put(reader.variables, (scope.me.name, text(left)), value)
        case "global_variable" | "class_variable":
            reader.put(reader.variables, shared_key(left, scope), value)
        case "call":
            assign_attribute(reader, left, value, scope)
        case "left_assignment_list":
            items = value if isinstance(value, list) else []
            for at, child in enumerate(named(left)):
                item = items[at] if at < len(items) else UNKNOWN
                if child.type == "identifier":
                    reader.assign(text(child), item, scope)
        case "element_reference":
            target = reader.evaluate(left.child_by_field_name("object"), scope)
            keys = [reader.evaluate(child, scope) for child in named(left)[1:]]
            call_method(target, "[]=", [*keys, value])
    return value


def assign_attribute(reader: SchemaReader, left: Any, value: Any, scope: RubyScope) -> None:
    """Evaluate ``target.name = value`` for a class with such a method."""
    receiver = left.child_by_field_name("receiver")
    target = reader.evaluate(receiver, scope) if receiver is not None else scope.me
    name = text(left.child_by_field_name("method"))
    method = reader.method_of(target, f"{name}=")
    if method is not None:
        reader.invoke(method, target, [value], None)
    elif isinstance(target, ModuleName) and reader.has_accessor(target, name):
        reader.put(reader.variables, (target.name, f"@{name}"), value)


def own_variable(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return the value of ``@name`` of a class itself."""
    return reader.own_variable(scope.me, text(node))


def shared_variable(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return the value of ``$name`` or ``@@name`` that the code gave it."""
    return reader.variables.get(shared_key(node, scope), UNKNOWN)


def shared_key(node: Any, scope: RubyScope) -> tuple[str, str]:
    """Return the key of ``$name`` or ``@@name`` among the variables."""
    is_global = node.type == "global_variable" or not scope.nesting
    return "" if is_global else scope.nesting[-1], text(node)


def set_variable(type_: TypeBuilder, name: str, value: Any) -> None:
    """``@isomorphic = false`` and ``@apply_to = …`` in a type's body."""
    if name == "@isomorphic" and value is not UNKNOWN:
        type_.isomorphic = bool(static_truth(value))
    elif name == "@apply_to" and value.__class__ is str:
        type_.applies_to = value


def operator_assignment(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate assignments such as ``a += b`` and ``a ||= b``."""
    left = node.child_by_field_name("left")
    operator = text(node.child_by_field_name("operator")).removesuffix("=")
    added = reader.evaluate(node.child_by_field_name("right"), scope)
    if left.type == "identifier":
        old_in = scope.find(text(left))
        old = old_in[text(left)] if old_in else None
    elif left.type == "constant":
        old = reader.constant(text(left), scope)
    elif left.type == "instance_variable":
        old = reader.own_variable(scope.me, text(left))
    else:
        return UNKNOWN
    if operator == "||":
        known = static_truth(old)
        value = UNKNOWN if known is None else old if known else added
    else:
        value = call_method(old, operator, [added])
    if left.type == "identifier":
        reader.assign(text(left), value, scope)
    elif left.type == "instance_variable" and isinstance(scope.me, ModuleName):
        reader.put(reader.variables, (scope.me.name, text(left)), value)
    return value


def binary(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``left operator right``."""
    left = reader.evaluate(node.child_by_field_name("left"), scope)
    operator = text(node.child_by_field_name("operator"))
    right = node.child_by_field_name("right")
    if operator in {"&&", "and", "||", "or"}:
        known = static_truth(left)
        if known is None:
            return reader.maybe([right], scope)
        return reader.evaluate(right, scope) if known == (operator in {"&&", "and"}) else left
    if isinstance(left, TypeBuilder) or operator in {"===", "<=>"}:
        return UNKNOWN
    value = reader.evaluate(right, scope)
    if operator in {"=~", "!~"}:
        found = matched(left, value)
        return found if found is UNKNOWN or operator == "=~" else found is None
    return call_method(left, operator, [value])


def unary(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``!value``, ``not value``, ``-value``, ``defined? value``."""
    operator = text(node.child_by_field_name("operator"))
    if operator == "defined?":
        return defined(reader, node.child_by_field_name("operand"), scope)
    value = reader.evaluate(node.child_by_field_name("operand"), scope)
    if operator in {"!", "not"}:
        known = static_truth(value)
        return UNKNOWN if known is None else not known
    return -value if operator == "-" and value.__class__ is int else UNKNOWN


def defined(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``defined? @name`` for an own variable of a class."""
    while node.type == "parenthesized_statements" and len(named(node)) == 1:
        [node] = named(node)
    if node.type != "instance_variable" or reader.own_variable(scope.me, text(node)) is UNKNOWN:
        return UNKNOWN
    return "instance-variable" if (scope.me.name, text(node)) in reader.variables else None


def define_method(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``def name`` and ``def self.name``."""
    name = text(node.child_by_field_name("name"))
    method = Method(node, scope.path, scope.nesting)
    owner = scope.me
    if node.type == "singleton_method":
        target = node.child_by_field_name("object")
        owner = scope.me if target.type == "self" else reader.evaluate(target, scope)
        reader.add_singleton(owner, name, method)
    elif isinstance(owner, ModuleName):
        reader.instances[owner.name, name] = method
    elif isinstance(owner, TypeBuilder):
        owner.instance_methods.add(name)
    return name


def singleton_class(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``class << self``: its methods are the module's or the type's own."""
    for child in named(node.child_by_field_name("body")):
        if child.type == "method":
            name = text(child.child_by_field_name("name"))
            reader.add_singleton(scope.me, name, Method(child, scope.path, scope.nesting))
        elif child.type == "alias":
            new, old = (text(one).removeprefix(":") for one in named(child)[:2])
            reader.add_singleton(scope.me, new, reader.method_of(scope.me, old))
        elif child.type == "call":
            singleton_call(reader, child, scope)


def singleton_call(reader: SchemaReader, node: Any, scope: RubyScope) -> None:
    """Evaluate a call in the body of ``class << self``."""
    name = text(node.child_by_field_name("method"))
    arguments, handed = arguments_of(reader, node.child_by_field_name("arguments"), scope)
    if name == "define_method" and arguments:
        code = block_code(node, scope) or handed or arguments[-1]
        reader.add_singleton(scope.me, arguments[0], code)
    elif name == "alias_method" and len(arguments) == 2:
        reader.add_singleton(scope.me, arguments[0], reader.method_of(scope.me, arguments[1]))
    elif name == "include":
        mix_in(reader, scope.me, arguments, "extended")
    elif name.startswith("attr") and isinstance(scope.me, ModuleName):
        reader.accessors |= {(scope.me.name, each) for each in arguments if each.__class__ is str}


def module_body(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``module A::B … end`` and ``class``."""
    name = text(node.child_by_field_name("name")).removeprefix("::")
    superclass = node.child_by_field_name("superclass")
    above = first_child(reader, superclass, scope) if superclass is not None else None
    reader.open_module(name, scope, node.child_by_field_name("body"), above)


def scoped_constant(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``A::B``."""
    name = text(node.child_by_field_name("name"))
    around_node = node.child_by_field_name("scope")
    if around_node is None:
        return reader.constants.get(name, ModuleName(name))
    around = reader.evaluate(around_node, scope)
    if not isinstance(around, ModuleName):
        return UNKNOWN
    full = f"{around.name}::{name}"
    return reader.constants.get(full, ModuleName(full))


def identifier(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return a local variable, or a call without arguments."""
    name = text(node)
    variables = scope.find(name)
    if variables is not None:
        return variables[name]
    if name == "__FILE__":
        return scope.path
    if name == "__dir__":
        return posixpath.dirname(scope.path)
    return dispatch(reader, scope.me, name, [], None, node, scope)


def element(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``object[key]``."""
    target = reader.evaluate(node.child_by_field_name("object"), scope)
    keys = [reader.evaluate(child, scope) for child in named(node)[1:]]
    if isinstance(target, ModuleName):
        return dispatch(reader, target, "[]", keys, None, node, scope)
    return call_method(target, "[]", keys)


def words(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``%w[…]`` and ``%i[…]``."""
    return [string_value(reader, child, scope) for child in named(node)]


def chained(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``'a' 'b'``: strings written one after another."""
    parts = [reader.evaluate(child, scope) for child in named(node)]
    return "".join(parts) if is_known(parts) else UNKNOWN


def whole_number(_reader: SchemaReader, node: Any, _scope: RubyScope) -> Any:
    """Return a whole number in any notation."""
    try:
        return int(text(node).replace("_", ""), 0)
    except ValueError:
        return UNKNOWN


def first_child(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return the content of a splat or a similar wrapper."""
    inner = named(node)
    return reader.evaluate(inner[0], scope) if inner else UNKNOWN


def constantly(value: Any) -> Handler:
    """Return a handler for a literal that is one value."""
    return lambda _reader, _node, _scope: value


def body_of(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return a sequence of statements."""
    return reader.run(node, scope)


HANDLERS: dict[str, Handler] = {
    "program": body_of,
    "body_statement": begin_value,
    "begin": begin_value,
    "begin_block": body_of,
    "block_body": body_of,
    "then": body_of,
    "else": body_of,
    "when": body_of,
    "do": body_of,
    "parenthesized_statements": body_of,
    "if": if_value,
    "elsif": if_value,
    "unless": if_value,
    "if_modifier": if_value,
    "unless_modifier": if_value,
    "conditional": if_value,
    "case": branches,
    "case_match": branches,
    "rescue_modifier": rescued,
    "return": leave,
    "next": leave,
    "break": leave,
    "assignment": assignment,
    "operator_assignment": operator_assignment,
    "binary": binary,
    "unary": unary,
    "method": define_method,
    "singleton_method": define_method,
    "singleton_class": singleton_class,
    "module": module_body,
    "class": module_body,
    "constant": lambda reader, node, scope: reader.constant(text(node), scope),
    "scope_resolution": scoped_constant,
    "identifier": identifier,
    "call": call,
    "element_reference": element,
    "lambda": lambda _reader, node, scope: code_of(node, scope),
    "super": again,
    "yield": yielded,
    "self": lambda _reader, _node, scope: scope.me,
    "string": string_value,
    "bare_string": string_value,
    "bare_symbol": string_value,
    "delimited_symbol": string_value,
    "chained_string": chained,
    "simple_symbol": lambda _reader, node, _scope: text(node)[1:],
    "hash_key_symbol": lambda _reader, node, _scope: text(node),
    "string_array": words,
    "symbol_array": words,
    "regex": regexp_value,
    "array": array_value,
    "right_assignment_list": array_value,
    "hash": hash_value,
    "pair": pair_value,
    "splat_argument": first_child,
    "hash_splat_argument": first_child,
    "integer": whole_number,
    "true": constantly(True),
    "false": constantly(False),
    "nil": constantly(None),
    "file": lambda _reader, _node, scope: scope.path,
    "heredoc_beginning": constantly(UNKNOWN),
    "float": constantly(UNKNOWN),
    "instance_variable": own_variable,
    "class_variable": shared_variable,
    "global_variable": shared_variable,
    "range": constantly(UNKNOWN),
    "alias": constantly(UNKNOWN),
    "undef": constantly(UNKNOWN),
}
