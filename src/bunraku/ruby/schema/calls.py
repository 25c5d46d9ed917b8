"""Calls that are evaluated while a resource type is read: Puppet's class methods, helpers, loops."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from bunraku.ruby.schema.reader import (
    DEFINERS,
    MOST_STEPS,
    PUPPETS_OWN,
    SchemaReader,
    Stopped,
    line,
)
from bunraku.ruby.schema.static_values import (
    UNKNOWN,
    Attribute,
    Code,
    ModuleName,
    RubyRegexp,
    RubyScope,
    TypeBuilder,
    call_method,
    called,
    flatten,
    is_known,
    named,
    regexp_union,
    static_truth,
    text,
)
from bunraku.values.regexp.regexp import escape

HARMLESS = frozenset(
    [
        "autorequire",
        "autobefore",
        "autonotify",
        "autosubscribe",
        "validate",
        "desc",
        "doc",
        "attr_accessor",
        "attr_reader",
        "attr_writer",
        "private",
        "public",
        "protected",
        "private_class_method",
        "public_class_method",
        "module_function",
        "private_constant",
        "alias_method",
        "undef_method",
        "remove_method",
        "instance_variable_set",
        "class_variable_set",
        "raise",
        "fail",
        "puts",
        "print",
        "p",
        "pp",
        "warn",
        "debug",
        "info",
        "notice",
        "err",
        "warning",
        "autoload",
        "load",
        "using",
        "attr",
        "initvars",
        "hidden",
        "binding",
        "block_given?",
        "format",
        "sprintf",
        "respond_to?",
        "instance_variable_get",
        "is_a?",
        "method_defined?",
        "class_variable_get",
        "lambda",
        "proc",
        "loop",
        "const_get",
        "self_refresh",
        "instance_method",
        "method_added",
        "provider_feature",
        "rand",
        "sleep",
        "catch",
        "throw",
        "deprecate",
        "defined?",
        "nil?",
        "to_s",
        "name",
        "class",
        "hash",
        "object_id",
        "frozen?",
        "srand",
        "gem",
        "_",
        "n_",
        "validattr?",
        "attrclass",
        "attrtype",
        "paramclass",
        "propertybyname",
        "validproperty?",
        "validparameter?",
        "properties",
        "parameters",
        "allattrs",
        "key_attributes",
        "validproperties",
        "features",
        "instances",
        "provider",
        "providers",
        "suitableprovider",
        "defaultprovider",
        "default_provider",
    ]
)
"""Methods that can be called in the body of a type without adding an attribute."""

LOOPS = frozenset(
    [
        "each",
        "each_pair",
        "each_with_index",
        "each_entry",
        "reverse_each",
        "each_key",
        "each_value",
        "times",
    ]
)
MAPS = frozenset(["map", "collect", "flat_map", "collect_concat", "map!", "collect!"])
FILTERS = frozenset(["select", "filter", "reject", "find_all"])
RUN_WITH_SELF = frozenset(
    ["class_eval", "instance_eval", "class_exec", "instance_exec", "module_eval"]
)


def is_foreign(name: str) -> bool:
    """Return whether a module is Ruby's or Puppet's own: it adds no attributes to a type."""
    return name.startswith("Puppet::") or "::" not in name


def mix_in(reader: SchemaReader, me: Any, modules: list[Any], hook: str) -> None:
    """``include`` and ``extend``: the hook of each module runs, its methods may be called."""
    for module in modules:
        if not isinstance(module, ModuleName):
            reader.blame(me, f"{hook} of a module that is computed")
            continue
        if isinstance(me, TypeBuilder) and hook == "extended":
            for (owner, name), method in reader.instances.items():
                if owner == module.name:
                    me.methods.setdefault(name, method)
        method_ = reader.singletons.get((module.name, hook))
        if method_ is not None:
            reader.invoke(method_, module, [me], None)
        elif module.name not in reader.constants and not is_foreign(module.name):
            reader.blame(me, f"the module {module.name} was not found")


def type_call(
    reader: SchemaReader, type_: TypeBuilder, name: str, arguments: list[Any], block: Any, node: Any
) -> Any:
    """Return a call of one of the methods that every type's class has."""
    match name:
        case "newparam" | "newproperty" | "ensurable":
            return reader.define(type_, name, arguments, block)
        case "feature":
            if arguments and arguments[0].__class__ is str:
                type_.features.append(arguments[0])
        case "provide":
            type_.has_providers = True
            if arguments and arguments[0].__class__ is str:
                type_.providers.append(arguments[0])
        case "providify":
            type_.has_providers = True
            type_.parameters.setdefault("provider", Attribute("provider", is_parameter=True))
        case "paramclass" if arguments and arguments[0].__class__ is str:
            return type_.parameters.get(arguments[0], UNKNOWN)
        case "apply_to_device" | "apply_to_host":
            type_.applies_to = name.removeprefix("apply_to_")
        case "apply_to_all":
            type_.applies_to = "both"
        case "isomorphic":
            return type_.isomorphic
        case _ if name in HARMLESS:
            return UNKNOWN
        case _:
            type_.open(f"calls {name} on line {line(node)}, which was not found")
    return UNKNOWN


def block_code(node: Any, scope: RubyScope) -> Code | None:
    """Return the block of a call as a value."""
    block = node.child_by_field_name("block")
    return code_of(block, scope) if block is not None else None


def code_of(node: Any, scope: RubyScope) -> Code:
    """Return a block or a lambda literal as a value."""
    body = node.child_by_field_name("body")
    if body is not None and body.type in {"block", "do_block"}:
        body = body.child_by_field_name("body")
    return Code(node.child_by_field_name("parameters"), body, scope)


def merge_pair(items: list[Any], pair: Any) -> list[Any]:
    """Arguments with one more ``key => value`` gathered into a hash at their end."""
    if items and isinstance(items[-1], dict):
        return [*items[:-1], {**items[-1], **pair}]
    return [*items, pair]


def arguments_of(reader: SchemaReader, node: Any, scope: RubyScope) -> tuple[list[Any], Any]:
    """Return the arguments of a call, and the block handed on as ``&block``."""
    items: list[Any] = []
    handed: Any = None
    for child in named(node):
        if child.type == "block_argument":
            inner = named(child)
            handed = reader.evaluate(inner[0], scope) if inner else scope.block
            continue
        value = reader.evaluate(child, scope)
        if child.type == "splat_argument":
            items.extend(value if isinstance(value, list) else [UNKNOWN])
        elif child.type in {"pair", "hash_splat_argument"}:
            items = merge_pair(items, value) if isinstance(value, dict) else [*items, UNKNOWN]
        else:
            items.append(value)
    return items, handed


def call(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return any call with a receiver, arguments or a block."""
    method = node.child_by_field_name("method")
    if method is not None and method.type == "super":
        return again(reader, node, scope)
    name = text(method) if method is not None else "call"
    receiver_node = node.child_by_field_name("receiver")
    me = scope.me if receiver_node is None else reader.evaluate(receiver_node, scope)
    block = block_code(node, scope)
    if block is not None and name in {"lambda", "proc"} and receiver_node is None:
        return block
    if block is not None and name == "new" and me == ModuleName("Proc"):
        return block
    arguments, handed = arguments_of(reader, node.child_by_field_name("arguments"), scope)
    me = reader.type_of(me) or me
    return dispatch(reader, me, name, arguments, block or handed, node, scope)


def dispatch(
    reader: SchemaReader,
    me: Any,
    name: str,
    arguments: list[Any],
    block: Any,
    node: Any,
    scope: RubyScope,
) -> Any:
    """Find the method of a call: the code's own methods, Puppet's, Ruby's."""
    if name in {"send", "public_send", "__send__"} and arguments:
        if arguments[0].__class__ is not str:
            reader.blame(me, f"sends a computed name on line {line(node)}")
            return UNKNOWN
        return dispatch(reader, me, arguments[0], arguments[1:], block, node, scope)
    own = reader.method_of(me, name)
    if own is None and name in STOPS and (me is scope.me or me in KERNEL):
        stop(reader, name, arguments, node, scope)
    if own is not None and not (isinstance(me, ModuleName) and me.name in PUPPETS_OWN):
        return reader.invoke(own, me, arguments, block)
    if name in SPECIAL and not isinstance(me, PLAIN):
        return special_call(reader, me, name, arguments, block, scope)
    if isinstance(me, TypeBuilder):
        return type_call(reader, me, name, arguments, block, node)
    if isinstance(me, Attribute):
        if name == "isnamevar":
            me.is_namevar = True
        return UNKNOWN
    if isinstance(me, ModuleName):
        return module_call(reader, me, name, arguments, block, node, scope)
    if isinstance(block, (Code, str)):
        return iterate(reader, me, name, block, node, scope)
    return call_method(me, name, arguments)


STOPS = frozenset({"raise", "fail", "exit", "exit!", "abort"})
"""The methods of Ruby that end the loading of a file."""
KERNEL = (ModuleName("Kernel"), ModuleName("Process"))
"""The modules by which code may call these methods."""


def stop(
    reader: SchemaReader, name: str, arguments: list[Any], node: Any, scope: RubyScope
) -> None:
    """End the reading of a file if a call that ends its loading surely runs."""
    if reader.doubtful:
        return
    texts = [one for one in arguments if one.__class__ is str]
    if name in {"raise", "fail"}:
        classes = [one.name for one in arguments if isinstance(one, ModuleName)]
        reason = [*texts, *classes, text(node)][0]
    else:
        reason = f"the file calls {text(node)}"
    raise Stopped(reason, scope.path, line(node))


TRANSPORTS = frozenset(
    [
        ("Puppet::ResourceApi", "register_transport"),
        ("Puppet::ResourceApi::Transport", "register"),
    ]
)
"""The functions that register a transport."""


def module_call(
    reader: SchemaReader,
    me: ModuleName,
    name: str,
    arguments: list[Any],
    block: Any,
    node: Any,
    scope: RubyScope,
) -> Any:
    """Return a call on a module or class: the ways to make a type, and a few of Ruby's own."""
    if name == "newtype" and me.name in {"Puppet", "Puppet::Type"}:
        made = new_type(reader, arguments, block, node)
        if isinstance(made, TypeBuilder):
            made.old_call = me.name == "Puppet"
        return made
    if name == "register_type" and me.name == "Puppet::ResourceApi":
        reader.apis.append((arguments[0] if arguments else UNKNOWN, line(node)))
        return UNKNOWN
    if (me.name, name) in TRANSPORTS:
        reader.transports.append((arguments[0] if arguments else UNKNOWN, line(node)))
        return UNKNOWN
    if name == "type" and me.name == "Puppet::Type" and arguments:
        found = reader.types.get(str(arguments[0]).lower())
        return UNKNOWN if found is None else found
    if (me.name, name) == ("Class", "new"):
        made = reader.new_class(arguments[0] if arguments else None)
        reader.call_block(block, [made], made)
        return made
    if not arguments and reader.has_accessor(me, name):
        return reader.own_variable(me, f"@{name}")
    known = MODULE_METHODS.get((me.name, name))
    if known is not None:
        return called(known, *arguments) if is_known(arguments) else UNKNOWN
    types = [each for each in (scope.me, *arguments) if isinstance(each, TypeBuilder)]
    if types and any(isinstance(each, TypeBuilder) for each in arguments):
        types[-1].open(f"is handed to {me.name}.{name}, which was not found")
    return UNKNOWN


def new_type(reader: SchemaReader, arguments: list[Any], block: Any, node: Any) -> Any:
    """Evaluate ``Puppet::Type.newtype(:name) do … end``."""
    if not arguments or arguments[0].__class__ is not str:
        return UNKNOWN
    type_ = TypeBuilder(arguments[0].lower(), line(node))
    reader.types[type_.name] = type_
    if isinstance(block, Code):
        reader.call_block(block, [type_], type_)
    patterns = reader.method_of(type_, "title_patterns")
    if patterns is not None:
        type_.title_patterns = later(reader, patterns, type_)
    isomorphic = reader.method_of(type_, "isomorphic?")
    if isomorphic is not None:
        truth = static_truth(later(reader, isomorphic, type_))
        type_.isomorphic = type_.isomorphic if truth is None else truth
    return type_


def later(reader: SchemaReader, method: Any, type_: TypeBuilder) -> Any:
    """Return the value of a method that Puppet calls after the file was loaded."""
    try:
        return reader.invoke(method, type_, [], None)
    except Stopped:
        return UNKNOWN


def elements(value: Any, loop: str) -> list[Any] | None:
    """Return the items that a loop passes to its block, in order; None when unknown."""
    if isinstance(value, dict):
        items: list[Any] = [[key, item] for key, item in value.items()]
        if loop in {"each_key", "each_value"}:
            items = [pair[loop == "each_value"] for pair in items]
    elif isinstance(value, list):
        items = value[::-1] if loop == "reverse_each" else list(value)
    elif value.__class__ is int and loop == "times":
        items = list(range(min(value, MOST_STEPS)))
    else:
        return None
    return [[item, at] for at, item in enumerate(items)] if loop == "each_with_index" else items


def iterate(
    reader: SchemaReader, me: Any, name: str, block: Any, node: Any, scope: RubyScope
) -> Any:
    """Return a method with a block on a plain value: loops and maps over known values."""
    if isinstance(block, str):
        if name in MAPS and isinstance(me, list):
            return [call_method(item, block, []) for item in me]
        return UNKNOWN
    items = elements(me, name)
    if items is None:
        if DEFINERS.search(text(node)):
            reader.blame(scope.me, f"attributes are made in a loop on line {line(node)}")
        return UNKNOWN
    results = [reader.call_block(block, [item]) for item in items]
    if name in LOOPS:
        return me
    if name in MAPS:
        return flatten(results) if name in {"flat_map", "collect_concat"} else results
    if name in FILTERS and all(static_truth(result) is not None for result in results):
        wanted = name != "reject"
        kept = [
            item
            for item, result in zip(items, results, strict=True)
            if static_truth(result) is wanted
        ]
        return dict(kept) if isinstance(me, dict) else kept
    return UNKNOWN


# -- methods with effects of their own -------------------------------------------------------------
HOOKS = {"include": "included", "prepend": "prepended", "extend": "extended"}
PLAIN = (str, list, dict, int, RubyRegexp, type(None))
DEFINES = frozenset({"define_singleton_method", "define_method"})
SPECIAL = frozenset(
    {"require", "require_relative", "call", "tap", *HOOKS, *DEFINES, *RUN_WITH_SELF}
)


def special_call(
    reader: SchemaReader, me: Any, name: str, arguments: list[Any], block: Any, scope: RubyScope
) -> Any:
    """Return the methods of :data:`SPECIAL`, which any object has."""
    if name in {"require", "require_relative"}:
        for argument in arguments[:1]:
            reader.require(argument, scope, relative=name == "require_relative")
    elif name in HOOKS:
        mix_in(reader, me, arguments, HOOKS[name])
    elif name in DEFINES:
        define(reader, me, name, arguments, block)
    elif name == "call":
        return reader.call_block(me, arguments)
    elif name == "tap":
        reader.call_block(block, [me])
        return me
    elif isinstance(block, Code):
        reader.call_block(block, arguments or [me], me)
    else:
        reader.blame(me, "evaluates a string")
    return UNKNOWN


def define(reader: SchemaReader, me: Any, kind: str, arguments: list[Any], block: Any) -> None:
    """Evaluate ``define_method`` and ``define_singleton_method``."""
    name = arguments[0] if arguments else UNKNOWN
    if kind == "define_singleton_method":
        reader.add_singleton(me, name, arguments[1] if len(arguments) > 1 else block)
    elif isinstance(me, TypeBuilder) and name.__class__ is str:
        me.instance_methods.add(name)


def expand_path(path: str, base: str = "/") -> str:
    """Evaluate ``File.expand_path``; like Ruby it counts the file itself as a folder."""
    return posixpath.normpath(posixpath.join(base, path))


MODULE_METHODS: dict[tuple[str, str], Callable[..., Any]] = {
    ("File", "join"): lambda *parts: "/".join(map(str, flatten(parts))),
    ("File", "dirname"): posixpath.dirname,
    ("File", "expand_path"): expand_path,
    ("File", "absolute_path"): expand_path,
    ("Regexp", "new"): lambda source, *flags: (
        source
        if isinstance(source, RubyRegexp)
        else RubyRegexp(source)
        if isinstance(source, str) and not flags
        else UNKNOWN
    ),
    ("Regexp", "union"): lambda *parts: regexp_union(list(parts)),
    ("Regexp", "escape"): escape,
    ("Regexp", "quote"): escape,
    ("Object", "Array"): lambda value: value if isinstance(value, list) else [value],
    ("Hash", "[]"): dict,
}


def again(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``super`` in a method of a type: the default method of every type."""
    if scope.frame is None or not isinstance(scope.me, TypeBuilder):
        return UNKNOWN
    name, block, arguments = scope.frame
    given = node.child_by_field_name("arguments") if node.type == "call" else None
    if given is not None:
        arguments, handed = arguments_of(reader, given, scope)
        block = block_code(node, scope) or handed or block
    return type_call(reader, scope.me, name, arguments, block, node)


def yielded(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Evaluate ``yield``: the block that the method was given."""
    inner = named(node)
    arguments = arguments_of(reader, inner[0], scope)[0] if inner else []
    return reader.call_block(scope.block, arguments)
