"""Type aliases that later compiles of a process take from earlier ones: they mean what they say now."""

from __future__ import annotations

import os
from random import Random

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.runtime import type_aliases

NAMES = "abcde"
RIGHT_SIDES = [
    "Integer[1, 5]",
    "Pattern[/^x/]",
    "M::{0}",
    "Variant[M::{0}, M::{1}]",
    "Optional[M::{0}]",
    "Variant[Integer, Array[M::{0}], Struct[{{k => M::{1}, Optional[o] => M::{2}}}]]",
    "Hash[String, M::{0}]",
    "Tuple[M::{0}, 1]",
    "Integer[$size]",
    "Object[{{attributes => {{k => M::{0}}}}}]",
    "Type[M::{0}]",
    "File",
    "M::Missing",
    "Integer[0, Class['m']['size']]",
    "1",
    "Variant[",
]
VALUES = (
    "[1, 'x', undef, [1], ['x', [2]], {k => 1}, {k => 'x', o => 3}, {a => 'x'}, [3], Integer, File]"
)
CODE = """\
$size = {size}
class {{ 'm': size => {size} }}
{values}.each |$value| {{
  notice($value =~ M::A, $value =~ M::B, $value =~ M::C, $value =~ M::D, $value =~ M::E)
}}
notice(M::A, M::B, M::C, M::D, M::E)
"""


@pytest.fixture
def module(tmp_path):
    module = tmp_path / "modules" / "m"
    for name in ("manifests", "types"):
        (module / name).mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class m(Integer $size = 7) { }\n")
    for name in NAMES:
        write(module, name, "Integer[1, 5]")
    yield module
    kept.forget()


def write(module, name, text):
    """Write an alias, or a defined type of its name if the text is None."""
    alias, define = module / "types" / f"{name}.pp", module / "manifests" / f"{name}.pp"
    for path in (alias, define):
        path.unlink(missing_ok=True)
    if text is None:
        define.write_text(f"define m::{name}() {{ }}\n")
    else:
        alias.write_text(f"type M::{name.upper()} = {text}\n")


def outcome(module, size=3):
    """Return the log of a compile and its error."""
    logs: list[str] = []
    code = CODE.format(size=size, values=VALUES)
    request = Request(code=code, modulepath=[str(module.parent)])
    error = None
    try:
        compile_catalog(request, lambda entry: logs.append(entry.message))
    except PuppetError as found:
        error = str(found)
    return logs, error


def test_aliases_of_an_unchanged_file_are_the_same_objects(module):
    write(module, "b", "Variant[M::A, Array[M::B]]")
    outcome(module)
    before = {id(one.alias) for one in type_aliases.SHARED.values()}
    assert outcome(module)[1] is None
    assert {id(one.alias) for one in type_aliases.SHARED.values()} == before


@pytest.mark.parametrize("seed", range(int(os.environ.get("BUNRAKU_ALIAS_SEEDS", "3"))))
def test_every_edit_counts(module, seed):
    """A compile after edits has the outcome of one that begins without anything of an earlier one."""
    chance = Random(seed)
    shared = 0
    for _ in range(12):
        for name in chance.sample(NAMES, chance.randint(1, 2)):
            sides = RIGHT_SIDES if chance.random() < 0.4 else RIGHT_SIDES[:8]
            text = chance.choice(sides).format(*(chance.choice("ABCDE") for _ in range(3)))
            write(module, name, None if chance.random() < 0.05 else text)
        warm = [outcome(module, size) for size in (1, 3)]
        shared += len(type_aliases.SHARED)
        cold = []
        for size in (1, 3):
            kept.forget()
            cold.append(outcome(module, size))
        assert warm == cold
    assert shared > 12
