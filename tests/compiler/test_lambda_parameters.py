"""Lambdas with several parameters of one name: as Puppet 7.23 answers (observed)."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request

CASES = {
    "with(1, 2) |$i, $i| { notice($i) }": "2",
    "with(1) |$i, $i = 5| { notice($i) }": "5",
    "with(1, 2) |$i, *$i| { notice($i) }": "[2]",
    'with(1, 2, 3) |$a, $a, $b| { notice("$a $b") }': "2 3",
    "with(1) |$a, $a = $a| { notice($a) }": "1",
    "with() |$a = 3, $a = $a| { notice($a) }": "3",
    "with('x', 2) |Integer $a, Integer $a| { notice($a) }": "2",
    "{a => 1}.each |$k, $k| { notice($k) }": "1",
}


@pytest.mark.parametrize("code", CASES)
def test_the_last_parameter_of_a_name_has_its_value(code):
    logs = []
    compile_catalog(Request(code), logs.append)
    assert [entry.message for entry in logs] == [CASES[code]]


def test_every_type_of_a_name_is_that_of_the_last_value():
    with pytest.raises(PuppetError, match="expects an Integer value, got String"):
        compile_catalog(Request("with(1, 'x') |Integer $a, String $a| { }"), lambda _entry: None)
