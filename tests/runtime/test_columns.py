"""Columns of errors, as Puppet 8 has them."""

from __future__ import annotations

import pytest

import bunraku
from bunraku.base.errors import PuppetError

COLUMNS = [
    ("notice([1, 2][1, 0.0])", "0.0"),
    ("notice([1, 2][0, 'x'])", "'x'"),
    ("notice('abc'[1, x])", "x]"),
    ("notice(Binary('aaaa')[1, 2.0])", "2.0"),
    ("notice(Resource[a, 0])", "a,"),
    ("notice(Resource[a, b, 0])", "b,"),
    ("notice(Regexp[a, b])", "b]"),
    ("notice(Array[1, x])", "x]"),
    ("notify { 'id': } notice(Notify['id']['nope'])", "Notify["),
    ("with(1) |$x, $y| { }", "$y"),
    ("1.with |$x, String $y| { }", "$y"),
    ("[$a] = Class['c']", "Class"),
    ("class c { } include c [$a, $b] = Class['c']", "$a"),
]


@pytest.mark.parametrize(("code", "blamed"), COLUMNS)
def test_the_column_is_that_of_the_part_to_blame(code: str, blamed: str) -> None:
    with pytest.raises(PuppetError) as caught:
        bunraku.compile(code, node="n")
    assert caught.value.diagnostic.column == code.index(blamed) + 1
