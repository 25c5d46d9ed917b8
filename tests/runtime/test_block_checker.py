"""Which lambdas the type of a block takes; recorded from Puppet 7.23 (functions of the 4.x API)."""

from __future__ import annotations

import pytest

from bunraku.runtime.callables import Closure, block_checker
from bunraku.types.model import (
    IntegerType,
    OptionalType,
    StringType,
    Type,
    VariantType,
)
from bunraku.types.parse import parse_type

LAMBDAS = {
    "||": Closure(print, 0, 0, ()),
    "|$x|": Closure(print, 1, 1, ("x",)),
    "|$x, $y|": Closure(print, 2, 2, ("x", "y")),
    "|$x, $y = 1|": Closure(print, 1, 2, ("x", "y")),
    "|$x = 1|": Closure(print, 0, 1, ("x",)),
    "|*$x|": Closure(print, 0, None, ("x",)),
    "|String $x|": Closure(print, 1, 1, ("x",), (StringType(),)),
    "|Integer $x|": Closure(print, 1, 1, ("x",), (IntegerType(),)),
}
TAKEN = {
    "Callable": {*LAMBDAS},
    "Callable[1]": {"|*$x|"},
    "Callable[0]": {"|*$x|"},
    "Callable[1,1]": {*LAMBDAS} - {"||", "|$x, $y|"},
    "Callable[0,0]": {"||", "|$x = 1|", "|*$x|"},
    "Callable[1,2]": {"|$x, $y = 1|", "|*$x|"},
    "Callable[Any]": {"|$x|", "|$x, $y = 1|", "|$x = 1|", "|*$x|"},
    "Callable[String]": {"|$x|", "|$x, $y = 1|", "|$x = 1|", "|*$x|", "|String $x|"},
}


@pytest.mark.parametrize("expected", TAKEN)
def test_takes_lambdas_as_puppet_does(expected):
    check = block_checker(parse_type(expected))
    assert {name for name, closure in LAMBDAS.items() if check(closure)} == TAKEN[expected]
    assert not check(None)
    assert block_checker(OptionalType(parse_type(expected)))(None)


def test_takes_what_one_of_several_types_takes():
    either: Type = VariantType((parse_type("Callable[1,1]"), parse_type("Callable[2,2]")))
    check = block_checker(either)
    assert [check(LAMBDAS[name]) for name in ("||", "|$x|", "|$x, $y|")] == [False, True, True]
