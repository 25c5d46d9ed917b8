"""The type of an expression as far as the code shows it, without running it.

A literal has its exact type. What only a run can give is :data:`UNKNOWN`; so is a part of an array
or hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Optional

from bunraku.syntax import nodes as n
from bunraku.syntax.nodes import Node
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.infer import EMPTY_ARRAY, EMPTY_HASH
from bunraku.types.relations.overlap import can_overlap
from bunraku.workbench.analysis.bindings import Binding, Bindings
from bunraku.workbench.analysis.declared_types import UNKNOWN, DeclaredTypes
from bunraku.workbench.analysis.functions import Functions

DEEPEST = 60
"""Most nested expressions that are followed."""
BOOLEAN = m.BooleanType()
NUMBERS = m.VariantType((m.IntegerType(), m.FloatType()))
ANY_TYPE = m.TypeType()
MAKES_ITSELF = (
    m.IntegerType,
    m.FloatType,
    m.StringType,
    m.BooleanType,
    m.ArrayType,
    m.HashType,
    m.SemVerType,
    m.TimespanType,
    m.TimestampType,
    m.RegexpType,
    m.BinaryType,
    m.SensitiveType,
)
"""Types whose ``new`` returns a value of the type."""


Classes = dict[str, Optional["Inference"]]
"""The inference for each class whose variables were read; None for a name without a class."""


class Inference:
    """Infers types of expressions in one body; ``classes`` is shared by all bodies."""

    def __init__(
        self,
        declared: DeclaredTypes,
        functions: Functions,
        body: Node,
        parameters: Iterable[n.Parameter] = (),
        *,
        classes: Classes,
        definition: n.ClassDefinition | n.DefineDefinition | None = None,
    ) -> None:
        self.declared = declared
        self.functions = functions
        self.classes = classes
        self.definition = definition
        self.bindings = Bindings(body, parameters)
        self.depth = 0
        self.known: dict[int, Type] = {}

    def of(self, node: Node) -> Type:
        """Return the type of an expression."""
        rule = RULES.get(node.__class__)
        if rule is None or self.depth > DEEPEST:
            return UNKNOWN
        self.depth += 1
        try:
            return rule(self, node)
        finally:
            self.depth -= 1

    def of_all(self, given: Iterable[Node]) -> Type:
        """Return the type of a value that is that of one of some expressions."""
        return union([self.of(one) for one in given])

    def variable(self, node: n.Variable) -> Type:
        """Return the type of a variable."""
        binding = self.bindings.of(node)
        if binding is not None:
            return self.bound(binding)
        if "::" in node.name:
            class_name, _, name = node.name.removeprefix("::").rpartition("::")
            return self.of_class(class_name, name)
        if self.definition is not None and node.name in {"title", "name"}:
            return m.StringType()
        if node.name in self.bindings.by_name:
            return UNKNOWN
        return self.inherited(node.name)

    def bound(self, binding: Binding) -> Type:
        """Return the type of a variable with a binding."""
        if binding.parameter is not None:
            return self.parameter(binding.parameter)
        if not binding.values:
            return UNKNOWN
        key = id(binding)
        if key not in self.known:
            self.known[key] = UNKNOWN  # for a value that contains its own variable
            self.known[key] = self.of_all(binding.values)
        return self.known[key]

    def inherited(self, name: str) -> Type:
        """Return the type of a variable of the class that this class inherits from."""
        if not isinstance(self.definition, n.ClassDefinition) or self.definition.parent is None:
            return UNKNOWN
        around = self.definition.name.lower().removeprefix("::")
        parent = self.declared.definitions.class_near(self.definition.parent, around)
        return UNKNOWN if parent is None else self.of_class(parent.name, name)

    def of_class(self, class_name: str, name: str) -> Type:
        """Return the type of a variable of a class; reading it before that is an error if strict."""
        definitions = self.declared.definitions
        key = class_name.lower().removeprefix("::")
        if not key or not definitions.resolved.settings.get("strict_variables"):
            return UNKNOWN
        if key not in self.classes:
            found = definitions.definition(key)
            made = None
            if isinstance(found, n.ClassDefinition):
                made = inference_of(self.declared, self.functions, found, self.classes)
            self.classes[key] = made
        inference = self.classes[key]
        return UNKNOWN if inference is None else inference.at_end(name)

    def at_end(self, name: str) -> Type:
        """Return the type that a variable has when its class was evaluated."""
        binding = self.bindings.at_end(name)
        if binding is not None:
            return self.bound(binding)
        return UNKNOWN if name in self.bindings.by_name else self.inherited(name)

    def parameter(self, node: n.Parameter) -> Type:
        """Return the type of the values of a parameter."""
        if node.type is None:
            return m.ArrayType(UNKNOWN) if node.captures_rest else UNKNOWN
        found = self.declared.of_argument(node)
        return m.ArrayType(found) if node.captures_rest else found

    def array(self, node: n.List) -> Type:
        """Return the type of an array, with the type of each element."""
        if not node.values:
            return EMPTY_ARRAY
        if any(isinstance(one, n.Unfold) for one in node.values):
            return m.ArrayType(UNKNOWN)
        return m.TupleType(tuple(map(self.of, node.values)))

    def hash(self, node: n.Hash) -> Type:
        """Return the type of a hash, with the type of each entry if its keys are written."""
        if not node.entries:
            return EMPTY_HASH
        entries: dict[str, Type] = {}
        for one in node.entries:
            if not isinstance(one.key, n.String | n.Name) or not one.key.value:
                return m.HashType(UNKNOWN, UNKNOWN, 1, len(node.entries))
            entries[one.key.value] = self.of(one.value)
        return m.StructType(tuple(m.StructElement(key, one) for key, one in entries.items()))

    def concatenation(self, node: n.Concatenation) -> Type:
        """Return the type of a string: at least as long as the written parts."""
        written = sum(len(one.value) for one in node.segments if isinstance(one, n.String))
        return m.StringType(written)

    def negated(self, node: n.UnaryMinus) -> Type:
        """Return the type of a negative number."""
        match self.of(node.expression):
            case m.IntegerType(low=int(number), high=high) if number == high:
                return m.IntegerType(-number, -number)
            case m.FloatType(low=float(fraction), high=high) if fraction == high:
                return m.FloatType(-fraction, -fraction)
            case found:
                return UNKNOWN if found is UNKNOWN else NUMBERS

    def arithmetic(self, node: n.Arithmetic) -> Type:
        """Return the type of a sum, a product and so on."""
        left, right = self.of(node.left), self.of(node.right)
        if UNKNOWN in (left, right):
            return UNKNOWN
        if is_within(left, m.IntegerType) and is_within(right, m.IntegerType):
            return m.IntegerType()
        if not any(can_overlap(NUMBERS, one) for one in (left, right)):
            return self.joined(node, left)
        return NUMBERS if is_number(left) and is_number(right) else UNKNOWN

    @staticmethod
    def joined(node: n.Arithmetic, left: Type) -> Type:
        """Return the type of two arrays or hashes as one."""
        if node.operator in {"+", "-", "<<"} and is_within(left, m.ArrayType, m.TupleType):
            return m.ArrayType(UNKNOWN)
        return UNKNOWN

    def condition(self, node: n.If | n.Unless) -> Type:
        """Return the type of a conditional as a value."""
        return self.of_all((node.then, node.otherwise))

    def case(self, node: n.Case) -> Type:
        """Return the type of a case as a value; undef if no option is chosen."""
        found = [self.of(one.then) for one in node.options]
        return union([*found, m.UNDEF])

    def selector(self, node: n.Selector) -> Type:
        """Return the type of a selector."""
        return self.of_all(one.value for one in node.entries)

    def block(self, node: n.Block) -> Type:
        """Return the type of the last statement."""
        return self.of(node.statements[-1]) if node.statements else m.UNDEF

    def access(self, node: n.Access) -> Type:
        """Return the type of ``File['/a']``, which is a type; elements are not known."""
        return ANY_TYPE if isinstance(node.left, n.Reference) else UNKNOWN

    def call(self, node: n.Call) -> Type:
        """Return the type of the result of a call."""
        if isinstance(node.callee, n.Name):
            return self.result(node.callee.value, node.arguments, node.block)
        if isinstance(node.callee, n.Reference | n.Access):
            made = self.declared.of_node(node.callee)
            return made if isinstance(made, MAKES_ITSELF) else UNKNOWN
        return UNKNOWN

    def method_call(self, node: n.MethodCall) -> Type:
        """Return the type of the result of ``receiver.name()``."""
        if not isinstance(node.name, n.Name):
            return UNKNOWN
        return self.result(node.name.value, [node.receiver, *node.arguments], node.block)

    def result(self, name: str, arguments: list[Node], block: n.Lambda | None) -> Type:
        """Return the type of the result of a function."""
        name = name.removeprefix("::")
        if name == "lookup":
            return self.looked_up(arguments, block)
        if name == "assert_type" and block is None and len(arguments) == 2:
            first = arguments[0]
            return self.declared.of_node(first) if isinstance(first, TYPE_NODES) else UNKNOWN
        return self.functions.result(name)

    def looked_up(self, arguments: list[Node], block: n.Lambda | None) -> Type:
        """Return the type that a call of ``lookup`` declares."""
        if len(arguments) > 1 and isinstance(arguments[1], TYPE_NODES):
            return self.declared.of_node(arguments[1])
        if arguments and isinstance(arguments[-1], n.Hash) and block is None:
            for one in arguments[-1].entries:
                if isinstance(one.key, n.String | n.Name) and one.key.value == "value_type":
                    if isinstance(one.value, TYPE_NODES):
                        return self.declared.of_node(one.value)
        return UNKNOWN


TYPE_NODES = (n.Reference, n.Access)


def inference_of(
    declared: DeclaredTypes, functions: Functions, body: Node, classes: Classes
) -> Inference:
    """Return the inference for the code of a definition, or of a whole program."""
    code, parameters, definition = body, [], None
    if isinstance(body, n.ClassDefinition | n.DefineDefinition):
        code, parameters, definition = body.body, body.parameters, body
    elif isinstance(body, n.FunctionDefinition | n.PlanDefinition):
        code, parameters = body.body, body.parameters
    elif isinstance(body, n.NodeDefinition):
        code = body.body
    return Inference(declared, functions, code, parameters, classes=classes, definition=definition)


def union(types: Iterable[Type]) -> Type:
    """Return the type of a value that is of one of some types."""
    found = list(dict.fromkeys(types))
    if UNKNOWN in found or not found:
        return UNKNOWN
    return found[0] if len(found) == 1 else m.VariantType(tuple(found))


def is_within(type_: Type, *classes: type[Type]) -> bool:
    """Return whether a type is of a class, or a union of such types."""
    if isinstance(type_, m.VariantType):
        return bool(type_.types) and all(is_within(one, *classes) for one in type_.types)
    return isinstance(type_, classes)


def is_number(type_: Type) -> bool:
    """Return whether an operand is a number, or a text that becomes one."""
    return is_within(type_, m.IntegerType, m.FloatType, m.NumericType, m.StringType)


Rule = Callable[[Inference, Any], Type]


def constant(type_: Type) -> Rule:
    """Return the rule of expressions that always have the same type."""
    return lambda _inference, _node: type_


RULES: dict[type[Node], Rule] = {
    n.Nop: constant(m.UNDEF),
    n.Undef: constant(m.UNDEF),
    n.Default: constant(m.DEFAULT_TYPE),
    n.Integer: lambda _, node: m.IntegerType(node.value, node.value),
    n.Float: lambda _, node: m.FloatType(node.value, node.value),
    n.Boolean: lambda _, node: m.BooleanType(node.value),
    n.String: lambda _, node: m.StringType(value=node.value),
    n.Name: lambda _, node: m.StringType(value=node.value),
    n.Regexp: lambda _, node: m.RegexpType(node.pattern),
    n.Heredoc: lambda inference, node: inference.of(node.text),
    n.Parenthesized: lambda inference, node: inference.of(node.expression),
    n.Assignment: lambda inference, node: inference.of(node.right),
    n.Reference: constant(ANY_TYPE),
    n.Not: constant(BOOLEAN),
    n.And: constant(BOOLEAN),
    n.Or: constant(BOOLEAN),
    n.In: constant(BOOLEAN),
    n.Match: constant(BOOLEAN),
    n.Comparison: constant(BOOLEAN),
    n.Concatenation: Inference.concatenation,
    n.Variable: Inference.variable,
    n.List: Inference.array,
    n.Hash: Inference.hash,
    n.UnaryMinus: Inference.negated,
    n.Arithmetic: Inference.arithmetic,
    n.If: Inference.condition,
    n.Unless: Inference.condition,
    n.Case: Inference.case,
    n.Selector: Inference.selector,
    n.Block: Inference.block,
    n.Access: Inference.access,
    n.Call: Inference.call,
    n.MethodCall: Inference.method_call,
}
"""The rules by the class of the expression; other expressions have values that are not known."""
