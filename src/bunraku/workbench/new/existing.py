"""The test of a definition that exists: it compiles, with sample values for what must be given."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.new import texts

SAMPLES = {
    "Array": "[]",
    "Boolean": "True",
    "Float": "1.5",
    "Hash": "{}",
    "Integer": "1",
    "Numeric": "1",
    "Struct": "{}",
    "Tuple": "[]",
    "Undef": "None",
    "Stdlib::Absolutepath": '"/tmp/example"',
    "Stdlib::Unixpath": '"/tmp/example"',
    "Stdlib::Port": "80",
    "Stdlib::Httpurl": '"https://example.com"',
    "Stdlib::Fqdn": '"example.com"',
    "Stdlib::Host": '"example.com"',
}
"""The name of a type → a value of it, as Python writes it."""
AROUND = frozenset({"NotUndef", "Optional", "Sensitive", "Type", "Variant"})
"""Types of which the first parameter has the values."""
ANY = '"example"'
TESTED = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.FunctionDefinition,
    nodes.TypeAlias,
)
Tested = nodes.ClassDefinition | nodes.DefineDefinition | nodes.FunctionDefinition | nodes.TypeAlias


def text_of_test(definition: Tested, name: str) -> str:
    """Return the text of the test of a definition."""
    if isinstance(definition, nodes.TypeAlias):
        return texts.OF_TYPE % {"type": definition.name, "value": sample(definition.type)}
    required = [one for one in definition.parameters if one.value is None]
    values = [(one.name, sample(one.type)) for one in required]
    if isinstance(definition, nodes.FunctionDefinition):
        arguments = "".join(f", {value}" for _, value in values)
        return texts.OF_FUNCTION % {"name": name, "arguments": arguments}
    pairs = ", ".join(f'"{key}": {value}' for key, value in values)
    text = texts.OF_CLASS if isinstance(definition, nodes.ClassDefinition) else texts.OF_DEFINE
    return text % {"name": name, "parameters": f", params={{{pairs}}}" if pairs else ""}


def sample(type_: Node | None) -> str:
    """Return a value of a type, as Python writes it; a word for types that are not known.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.parser.parser import parse
    >>> def of(text):
    ...     return sample(parse(Source(text)).program.body)
    >>> of("Enum['a', 'b']"), of("Optional[Integer[3, 5]]"), of("Array[String, 1]"), of("A::B")
    ('"a"', '3', '["example"]', '"example"')
    """
    keys: Sequence[Node] = type_.keys if isinstance(type_, nodes.Access) else ()
    plain = type_.left if isinstance(type_, nodes.Access) else type_
    name = plain.value if isinstance(plain, nodes.Reference) else ""
    first = keys[0] if keys else None
    if name in AROUND:
        return sample(first)
    if name == "Enum" and isinstance(first, nodes.String | nodes.Name):
        return f'"{first.value}"'
    if name in ("Integer", "Float") and isinstance(first, nodes.Integer):
        return str(first.value)
    if name == "Array" and len(keys) > 1:
        return f"[{sample(first)}]"
    return SAMPLES.get(name, ANY)
