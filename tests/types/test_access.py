"""Types with parameters, aliases, Object types and TypeSets, as a real Puppet makes and prints them."""

from __future__ import annotations

import pytest
from tests.support.type_values import define, evaluate

from bunraku.base.errors import PuppetError
from bunraku.types import model as m
from bunraku.types.parameters.parameters import access_type
from bunraku.types.parse import parse_type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.equality import equal
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display, display_expanded
from bunraku.types.value_text import to_text
from bunraku.values.pcore import PcoreObject

SHOWN = [
    ("Integer[default, 5]", "Integer[default, 5]"),
    ("Integer[default]", "Integer"),
    ("Float[1]", "Float[1.0]"),
    ("String[Integer[1, 5]]", "String[1, 5]"),
    ("String[-1]", "String[0]"),
    ("Array[1, 2]", "Array[Any, 1, 2]"),
    ("Array[Integer, 0, 0]", "Array[0, 0]"),
    ("Array[Any]", "Array"),
    ("Hash[0, 0]", "Hash[0, 0]"),
    ("Tuple[Integer, default, 3]", "Tuple[Integer, 0, 3]"),
    ("Struct[{a => Optional[Integer]}]", "Struct[{'a' => Optional[Integer]}]"),
    ("Struct[{NotUndef[a] => Optional[Integer]}]", "Struct[{NotUndef['a'] => Optional[Integer]}]"),
    ("Struct[{Optional[a] => Integer}]", "Struct[{Optional['a'] => Integer}]"),
    ("Struct[{a => 1}]", "Struct[{'a' => Integer}]"),
    ("Variant[Integer, Variant[String, Integer]]", "Variant[Integer, String]"),
    ("Variant[Integer]", "Integer"),
    ("Enum[b, a, a]", "Enum['a', 'b']"),
    ("Enum[[a, b], true]", "Enum['a', 'b', true]"),
    ('Enum["a\'b", "c\\nd"]', "Enum['a\\'b', \"c\\nd\"]"),
    ("Pattern[Pattern[a, b], /c/]", "Pattern[/a/, /b/, /c/]"),
    ("Regexp['a/b']", "Regexp[/a\\/b/]"),
    ("Optional['a']", "Optional['a']"),
    ("Sensitive[String[1]]", "Sensitive[String]"),
    ("Callable[[], Integer]", "Callable[[0, 0], Integer]"),
    ("Callable[Callable]", "Callable[0, 0, Callable]"),
    ("Callable[Integer, 1, 1]", "Callable[Integer, 1, 1]"),
    ("Callable[Integer, 0, default, Callable]", "Callable[Integer, 0, Callable]"),
    ("Callable[[Callable], Any]", "Callable[0, 0, Callable]"),
    ("Runtime['ruby', 'Symbol']", "Runtime[ruby, 'Symbol']"),
    ("Resource['file', 'a', 'b']", "[File['a'], File['b']]"),
    ("Resource['Foo::Bar', 'x']", "Foo::Bar['x']"),
    ("File[['a', ['b']]]", "[File['a'], File['b']]"),
    ("File[undef]", ""),
    ("Class['::A::b']", "Class[a::b]"),
    ("Class['a', 'b']", "[Class[a], Class[b]]"),
    ("SemVer['1.x', '3.x']", "SemVer['1.x', '3.x']"),
    ("Timespan[1, 2.5]", "Timespan['0-00:00:01.0', '0-00:00:02.5']"),
    ("URI['http://a.b/c']", "URI[{'scheme' => 'http', 'host' => 'a.b', 'path' => '/c'}]"),
    ("Error['a', 'b', 'c']", "Error['a', 'b']"),
    ("Init[Integer, 16]", "Init[Integer, 16]"),
    ("Object[{constants => {a => [1, 'a']}}]", "Object[{constants => {'a' => [1, 'a']}}]"),
    ("Object[{attributes => {a => Integer}, equality => a}]",
     "Object[{attributes => {'a' => Integer}, equality => ['a']}]"),
    ("Object[{functions => {f => Callable[0, 0]}}]", "Object[{functions => {'f' => Callable[0, 0]}}]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "shown"), SHOWN)
def test_a_type_with_parameters_prints_as_in_puppet(code, shown):
    assert to_text(evaluate(code)) == shown


REFUSED = [
    ("Integer['a']", "BAD_INTEGER_SLICE_TYPE"),
    ("Integer[1, 2, 3]", "BAD_INTEGER_SLICE_ARITY"),
    ("Integer[5, 1]", "RUNTIME_ERROR"),
    ("Float[true]", "BAD_INTEGER_SLICE_TYPE"),
    ("String['a']", "BAD_COLLECTION_SLICE_TYPE"),
    ("String[1, 2, 3]", "BAD_STRING_SLICE_ARITY"),
    ("Array['a']", "BAD_TYPE_SLICE_TYPE"),
    ("Array[1]", "BAD_TYPE_SLICE_TYPE"),
    ("Array[Integer, 1, 2, 3]", "BAD_TYPE_SLICE_ARITY"),
    ("Hash[Integer]", "BAD_TYPE_SLICE_ARITY"),
    ("Tuple['a']", "BAD_TYPE_SPECIALIZATION"),
    ("Tuple[1, 2]", "BAD_TYPE_SLICE_ARITY"),
    ("Struct['a']", "BAD_TYPE_SPECIALIZATION"),
    ("Struct[{'' => Integer}]", "RUNTIME_ERROR"),
    ("Optional[1]", "BAD_TYPE_SLICE_TYPE"),
    ("NotUndef[1]", "BAD_NOT_UNDEF_SLICE_TYPE"),
    ("Variant['a']", "BAD_TYPE_SPECIALIZATION"),
    ("Enum[String]", "BAD_TYPE_SPECIALIZATION"),
    ("Enum[true]", "BAD_TYPE_SLICE_ARITY"),
    ("Pattern[1]", "BAD_TYPE_SPECIALIZATION"),
    ("Regexp['(']", "RUNTIME_ERROR"),
    ("Boolean[1]", "BAD_TYPE_SPECIALIZATION"),
    ("Type['Integer']", "BAD_TYPE_SLICE_TYPE"),
    ("Callable[[Integer], Integer, Integer]", "BAD_TYPE_SLICE_ARITY"),
    ("Any[1]", "OPERATOR_NOT_APPLICABLE"),
    ("Data[1]", "OPERATOR_NOT_APPLICABLE"),
    ("URI[{foo => 1}]", "BAD_TYPE_SLICE_TYPE"),
    ("Runtime['ruby']", "BAD_TYPE_SLICE_ARITY"),
    ("Resource['a b']", "ILLEGAL_CLASSREF"),
    ("Resource[1]", "ILLEGAL_RESOURCE_SPECIALIZATION"),
    ("Class['a b']", "ILLEGAL_NAME"),
    ("Class[1]", "ILLEGAL_HOSTCLASS_NAME"),
    ("Error[1]", "RUNTIME_ERROR"),
    ("Deferred['a']", "RUNTIME_ERROR"),
    ("Object[{a => 1}]", "RUNTIME_ERROR"),
    ("Object[{attributes => {a => {type => Integer, value => 'x'}}}]", "RUNTIME_ERROR"),
    ("Object[{attributes => {a => Integer}, functions => {a => Callable[0, 0]}}]", "RUNTIME_ERROR"),
]


@pytest.mark.parametrize(("code", "issue"), REFUSED)
def test_wrong_parameters_are_refused_with_puppets_code(code, issue):
    with pytest.raises(PuppetError) as caught:
        evaluate(code)
    assert caught.value.puppet_code == issue


def test_a_name_nobody_knows_is_a_reference():
    assert display(parse_type("Array[Foo]")) == "Array[TypeReference['Foo']]"
    assert display(parse_type("Foo[1]")) == "TypeReference['Foo[1]']"
    assert (
        display(access_type(m.TypeReferenceType("Foo"), [1, "a"]))
        == "TypeReference['Foo[1, \\'a\\']']"
    )


@pytest.mark.parametrize("text", ["1", "", "Integer[", "integer", "Integer[$x]"])
def test_text_that_is_no_type_is_refused(text):
    with pytest.raises(PuppetError) as caught:
        parse_type(text)
    assert caught.value.code == "NOT_A_TYPE"


def test_an_alias_prints_with_its_definition_at_the_top_only():
    loader = define("type Port = Integer[1, 65535]\ntype Ends = Struct[{a => Port, b => Port}]")
    assert display(loader.types["port"]) == "Port = Integer[1, 65535]"
    assert display(m.ArrayType(loader.types["port"])) == "Array[Port]"
    expected = "Ends = Struct[{'a' => Port = Integer[1, 65535], 'b' => Port = Integer[1, 65535]}]"
    assert display(loader.types["ends"]) == expected
    assert display_expanded(m.ArrayType(loader.types["port"])) == "Array[Integer[1, 65535]]"


def test_an_alias_equals_its_definition():
    port = define("type Port = Integer[1, 9]").types["port"]
    assert equal(port, m.IntegerType(1, 9))
    assert is_instance(9, port)
    assert not is_instance(10, port)


def test_recursive_aliases():
    loader = define(
        "type Tree = Variant[Integer, Array[Tree]]\ntype Other = Variant[Integer, Array[Other]]"
    )
    tree, other = loader.types["tree"], loader.types["other"]
    assert is_instance([1, [2, [3]]], tree)
    assert not is_instance([1, ["a"]], tree)
    assert is_assignable(tree, other)
    assert equal(tree, other)
    assert display(tree) == "Tree = Variant[Integer, Array[Tree]]"


def test_an_alias_that_is_only_itself_is_an_error():
    with pytest.raises(PuppetError):
        define("type Bad = Bad")
    assert display(define("type T = Variant[T, Integer]").types["t"]) == "T = Integer"


def test_two_aliases_that_are_each_other_are_an_error():
    with pytest.raises(PuppetError):
        define("type A = B\ntype B = A")


def objects():
    return define("""
      type P = Object[{attributes => {x => Integer, y => {type => Integer, value => 0}}}]
      type Q = {parent => P, attributes => {z => Integer}}
      type E = Object[{attributes => {x => Integer, y => Integer}, equality => x}]
      type K = Object[{type_parameters => {k => String}, attributes => {k => String}}]
    """).types


def test_objects_print_without_default_values():
    types = objects()
    assert to_text(PcoreObject(types["p"], {"x": 1, "y": 0})) == "P({'x' => 1})"
    made = PcoreObject(types["q"], {"x": 1, "y": 3, "z": 2})
    assert to_text(made) == "Q({'x' => 1, 'y' => 3, 'z' => 2})"
    expected = "Object[{name => 'Q', parent => P, attributes => {'z' => Integer}}]"
    assert display(types["q"]) == expected


def test_objects_are_within_their_parents():
    types = objects()
    assert is_assignable(types["p"], types["q"])
    assert not is_assignable(types["q"], types["p"])
    assert is_instance(PcoreObject(types["q"], {"x": 1, "y": 0, "z": 1}), types["p"])
    assert is_assignable(m.OBJECT, types["q"])


def test_equality_of_objects_counts_what_the_type_says():
    type_ = objects()["e"]
    one, two, other = (PcoreObject(type_, {"x": x, "y": y}) for x, y in ((1, 2), (1, 3), (2, 2)))
    assert equal(one, two)
    assert not equal(one, other)


def test_type_parameters_of_objects():
    type_ = objects()["k"]
    of_a = access_type(type_, ["a"])
    assert display(of_a) == "K['a']"
    assert is_instance(PcoreObject(type_, {"k": "a"}), of_a)
    assert not is_instance(PcoreObject(type_, {"k": "b"}), of_a)
    assert is_assignable(type_, of_a)
    assert not is_assignable(of_a, type_)


def test_members_of_a_type_set_know_one_another():
    shapes = define("""
      type Shapes = TypeSet[{
        pcore_version => '1.0.0', version => '1.0.0',
        types => {
          Square => Object[{attributes => {side => Small}}],
          Small => Integer[0, 9],
          Both => Variant[Square, Small],
        },
      }]
    """).types["shapes"]
    assert isinstance(shapes, m.TypeSetType)
    small, square = shapes.lookup("small"), shapes.lookup("Square")
    assert small is not None
    assert is_instance(4, small)
    assert not is_instance(40, small)
    assert isinstance(square, m.ObjectType)
    assert square.name == "Shapes::Square"
    both = shapes.lookup("Both")
    assert both is not None
    assert is_instance(3, both)
    assert is_instance(shapes, m.TYPE_SET)
