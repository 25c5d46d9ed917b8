"""Errors about refused arguments name the data that the value comes from."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request

FILES = {
    "hiera.yaml": (
        "version: 5\n"
        "defaults: {datadir: data, data_hash: yaml_data}\n"
        "hierarchy:\n"
        "  - {name: common, path: common.yaml}\n"
    ),
    "data/common.yaml": "m::size: wrong\nother: wrong\nm::hash: {a: wrong}\nm::no: {}\n",
    "environment.conf": "modulepath = modules\n",
    "modules/m/manifests/init.pp": "class m($size, $hash, $how, $plain = 'x') {\n  include \"m::${how}\"\n}\n",
    "modules/m/manifests/d.pp": "define m::d(Integer $size) { }\n",
    "modules/m/manifests/around.pp": 'define m::around($size) {\n  m::d { "in_${title}": size => $size }\n}\n',
    "modules/m/manifests/c.pp": "class m::c($given) {\n  m::d { 'c': size => $given }\n}\n",
    "modules/m/functions/f.pp": "function m::f(Integer $n) { $n }\n",
    "modules/m/functions/two.pp": "function m::two($first, Integer $n) { $n }\n",
}
SIZE = "value of 'm::size' from {}:1 (level 'common')"
OTHER = "value of 'other' from {}:2 (level 'common')"


def hint_of(tmp_path, body: str) -> str | None:
    """The hint of the error that code of a class ends with, and the path of the data."""
    for name, text in {**FILES, "modules/m/manifests/way.pp": f"class m::way {{ {body} }}"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    request = Request(
        code="class { 'm': how => 'way' }",
        node="x",
        environment_directory=str(tmp_path),
        modulepath=[str(tmp_path / "modules")],
    )
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _entry: None)
    assert caught.value.diagnostic.code in {
        "INVALID_PARAMETERS",
        "TYPE_MISMATCH",
        "TYPE_CONVERSION",
    }
    return caught.value.diagnostic.hint


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("m::d { 'a': size => $m::size }", SIZE),
        ("$x = $m::size m::d { 'a': size => $x }", SIZE),
        ("m::around { 'a': size => $m::size }", SIZE),
        ("class { 'm::c': given => $m::size }", SIZE),
        ("$x = lookup('other') m::d { 'a': size => $x }", OTHER),
        ("m::d { 'a': size => lookup('other') }", OTHER),
        (
            "m::d { 'a': size => $m::hash['a'] }",
            "value of 'm::hash' from {}:3 (level 'common')",
        ),
        ("m::f($m::size)", SIZE),
        ("m::two($m::hash, $m::size)", SIZE),
        ("$m::size.m::f", SIZE),
        ("Integer($m::size)", SIZE),
        ("m::d { 'a': size => $m::plain }", None),
        ("m::d { 'a': size => 'written' }", None),
        ("m::f('written')", None),
    ],
)
def test_the_place_of_refused_data_is_the_hint(body, expected, tmp_path):
    data = tmp_path / "data/common.yaml"
    assert hint_of(tmp_path, body) == (expected and expected.format(data))
