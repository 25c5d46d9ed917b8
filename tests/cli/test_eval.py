"""``bunraku eval`` and ``bunraku types show``."""

from __future__ import annotations

import json

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.types.text.indented import indented


def said(capfd, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capfd.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("code", "value", "type_"),
    [
        ("1 + 2", "3", "Integer[3, 3]"),
        ("'a'", "'a'", "String"),
        ("undef", "undef", "Undef"),
        ("$x = [1, 'b']\n$x + [2.5]", "[1, 'b', 2.5]", "Tuple[Integer[1, 1], String, Float[2.5, 2.5]]"),
        ("{a => {b => true}}", "{'a' => {'b' => true}}", "Struct[{'a' => Struct[{'b' => Boolean[true]}]}]"),
        ("Integer[1, 2]", "Integer[1, 2]", "Type[Integer[1, 2]]"),
        ("Sensitive('hush')", "#<Sensitive [value redacted]>", "Sensitive[String]"),
        ("[1, 2].map |$n| { $n * 2 }", "[2, 4]", "Tuple[Integer[2, 2], Integer[4, 4]]"),
    ],
)  # fmt: skip
def test_shows_a_value_and_its_type(code, value, type_, capfd):
    assert said(capfd, "eval", code) == (exits.OK, f"{value}\n{type_}\n", "")


@pytest.mark.parametrize(
    ("mode", "type_"),
    [
        ("detailed", "Tuple[Integer[1, 1], Float[2.0, 2.0]]"),
        ("reduced", "Array[Numeric, 2, 2]"),
        ("generalized", "Array[Numeric]"),
    ],
)
def test_infers_as_asked(mode, type_, capfd):
    assert said(capfd, "eval", "[1, 2.0]", "--type", mode)[1].splitlines()[1] == type_


def test_reads_a_file_facts_and_standard_input(capfd, tmp_path, monkeypatch):
    manifest = tmp_path / "a.pp"
    manifest.write_text("$facts['n'] + 1\n")
    facts = tmp_path / "facts.json"
    facts.write_text('{"n": 41}')
    assert said(capfd, "eval", "--file", str(manifest), "--facts", str(facts))[1][:3] == "42\n"
    assert said(capfd, "eval", "-e", "4")[1][:2] == "4\n"
    manifest.write_text("1 +\n 'x'")
    code, out, err = said(capfd, "eval", "--file", str(manifest))
    assert (code, out) == (exits.FINDINGS, "")
    assert f"{manifest}:2:2: error:" in err


def test_json_holds_rich_data(capfd):
    found = json.loads(
        said(capfd, "eval", "[Timespan(1), :x]".replace(":x", "'é'"), "--format", "json")[1]
    )
    assert found["value"] == [{"__ptype": "Timespan", "__pvalue": "0-00:00:01.0"}, "é"]
    assert found["type"] == "Tuple[Timespan['0-00:00:01.0'], String]"


def test_notices_go_to_standard_error(capfd):
    _code, out, err = said(capfd, "eval", "notice('n') 5")
    assert out.startswith("5\n")
    assert err == "Notice: Scope(Class[main]): n\n"


@pytest.mark.parametrize("arguments", [[], ["1", "-e", "2"]])
def test_wants_one_piece_of_code(arguments, capfd):
    assert said(capfd, "eval", *arguments)[0] == exits.TROUBLE


MODULE_TYPES = {
    "port.pp": "type M::Port = Integer[1, 65535]",
    "tree.pp": "type M::Tree = Variant[M::Port, Array[M::Tree]]",
    "car.pp": "type M::Car = Object[{attributes => {wheels => Integer}}]",
}


@pytest.fixture
def modules(tmp_path):
    folder = tmp_path / "m" / "types"
    folder.mkdir(parents=True)
    for name, text in MODULE_TYPES.items():
        (folder / name).write_text(text)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("M::Port", "M::Port = Integer[1, 65535]"),
        ("Optional[M::Port]", "Optional[Integer[1, 65535]]"),
        ("M::Tree", "M::Tree = Variant[Integer[1, 65535], Array[M::Tree]]"),
        ("M::Car", "Object[{name => 'M::Car', attributes => {'wheels' => Integer}}]"),
        ("Data", "Data = Variant[ScalarData, Undef, Hash[String, Data], Array[Data]]"),
        ("File['/a']", "File['/a']"),
        ("type A = Enum[a]\nArray[A]", "Array[Enum['a']]"),
    ],
)
def test_shows_a_type_expanded(expression, text, modules, capfd):
    assert said(capfd, "types", "show", expression, "--modulepath", modules) == (
        exits.OK, f"{text}\n", "",
    )  # fmt: skip


def test_types_as_json(modules, capfd):
    out = said(capfd, "types", "show", "M::Port", "--modulepath", modules, "--format", "json")[1]
    assert json.loads(out) == {
        "name": "M::Port", "type": "M::Port = Integer[1, 65535]", "expanded": "Integer[1, 65535]",
    }  # fmt: skip


def test_what_is_no_type(capfd):
    code, out, err = said(capfd, "types", "show", "3")
    assert (code, out) == (exits.TROUBLE, "")
    assert "'3' is not a type" in err
    code, _out, err = said(capfd, "types", "show", "Nope::Nope")
    assert code == exits.FINDINGS
    assert "Nope::Nope" in err


def test_long_types_are_broken_at_their_own_brackets_only():
    text = "Variant[Pattern[/[,]\\/{2}]/, /b/], Enum['],', \"[{\"], Struct[{'a' => Integer[1, 2]}]]"
    assert indented(text, 40) == (
        "Variant[\n"
        "  Pattern[/[,]\\/{2}]/, /b/],\n"
        "  Enum['],', \"[{\"],\n"
        "  Struct[{'a' => Integer[1, 2]}]\n"
        "]"
    )
    assert "".join(indented(text, 10).split()) == "".join(text.split())
