"""Types in the JSON of catalogs are read as they were written."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.rich_data import from_data, to_data
from bunraku.types.parse import parse_type
from bunraku.types.text.display import display

TYPES = """
Any
Array
Array[0, 3]
Array[Integer, 1]
Array[Variant[String, File['/a b']]]
Binary
Boolean
Callable
Callable[0, 0]
Callable[2, 3]
Callable[String, 1]
Callable[String, Callable]
Callable[[String], Integer]
Class
Variant[Class['a::b'], String]
Collection[1]
Default
Enum['a', 'b']
Float[0.5, 2.0]
Hash
Hash[1, 2]
Hash[String, Array[Integer], 1, 3]
Init[Integer, 1]
Integer
Integer[1]
Integer[default, 3]
Iterable[String]
Iterator[Integer]
My::Alias
NotUndef[String]
Optional['a']
Pattern[/a/, /b/]
Regexp[/a/]
Resource
Resource['file']
Resource['a::b']
Runtime['ruby', 'X']
SemVer
SemVer['>=1.0.0']
String
String[1, 3]
Struct[{'a' => Integer, Optional['b'] => String}]
Timespan['0-00:01:00.0', '0-00:02:00.0']
Timestamp
Tuple[String, Integer]
Tuple[String, 1, 3]
Type[Array[String]]
URI
Undef
Variant[Integer, Undef]
""".strip().splitlines()


@pytest.mark.parametrize("text", TYPES)
def test_a_type_is_read_as_it_was_written(text):
    type_ = parse_type(text)
    written = to_data([type_])
    assert from_data(written) == [type_]
    assert to_data(from_data(written)) == written
    assert display(from_data(written)[0]) == display(type_)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"__ptype": "Pcore::IntegerType", "from": "a"}, "from: expected an Integer, got a String"),
        ({"__ptype": "Pcore::ArrayType", "element_type": 1}, "element_type: expected a type"),
        ({"__ptype": "Pcore::EnumType", "values": "a"}, "values: expected an Array"),
        ({"__ptype": "Pcore::StructType", "elements": [1]}, "elements: expected a key and a type"),
        ({"__ptype": "Pcore::HashType", "size_type": "a"}, "size_type: expected an Integer type"),
    ],
)
def test_a_wrong_part_is_an_error_with_its_name(data, reason):
    with pytest.raises(PuppetError, match=reason):
        from_data(data)


def test_objects_of_other_types_stay_hashes():
    data = {"__ptype": "Pcore::ObjectType", "name": "A"}
    assert from_data([data, {"__ptype": "My::Type", "a": 1}]) == [
        data,
        {"__ptype": "My::Type", "a": 1},
    ]
