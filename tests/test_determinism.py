"""The same request gives the same bytes: whatever Python's hashes, the disk's order and the cache hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import MODULES

MANIFESTS = {
    "resources": """
$all = { 'b' => 1, 'a' => [1, 2.5, undef], 3 => true, [1] => default, 'é' => Sensitive('x') }
$all.each |$key, $value| { notify { "n ${key}": message => $value, tag => ['z', 'y', 'x'] } }
include m
include m::base
file { ['/b', '/a']: ensure => file, tag => 'many' }
File <| tag == 'many' |> -> Notify <| tag == 'z' |>
notice($all.keys, unique([3, 1, 3, 2]), sort(['b', 'a']), union([3, 1], [2, 1]), $facts)
""",
    "virtual": """
define d($n) { @notify { "${title}-${n}": tag => "t${n}" } }
['c', 'a', 'b'].each |$x| { d { $x: n => 1 } }
Notify <| tag == 't1' and title != 'a-1' |> { message => 'seen' }
@@notify { 'exported': }
tag('one', 'two')
""",
    "random": """
notify { 'r': message => [fqdn_rand(1000), fqdn_rand(1000, 'seed')] }
notify { 't': message => [Variant[Integer, String, Enum['b', 'a']], Struct[{ b => Integer, a => String }]] }
notify { 'm': message => { b => 1 } + { a => 2 } + { 'c' => 3 } - ['b'] }
notify { 'g': message => ['a', 'bb', 'c'].group_by |$x| { $x.length } }
""",
    "wrong": "class a { $x = 1 $x = 2 } include a $y = [1, 2, $nosuch]",
}
STDLIB = {"stdlib/manifests/init.pp": "class stdlib { contain m::other }\n"}


def write_modules(folder: Path, order: int) -> Path:
    """The modules, written in one order or the other, among files that belong to none."""
    files = sorted((MODULES | STDLIB).items(), reverse=bool(order))
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if order:
            (path.parent / "zz-other").write_text("")
            (path.parent / "zz-other").unlink()
    return folder


def compiled(manifest: Path, modules: Path, cache: Path, seed: str) -> tuple[int, bytes, bytes]:
    """The output of the command line for a manifest."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "bunraku",
            "compile",
            manifest.name,
            "--node",
            "n.example.com",
            "--modulepath",
            os.path.relpath(modules, manifest.parent),
        ],
        capture_output=True,
        check=False,
        cwd=manifest.parent,
        env={**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(cache)},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", MANIFESTS)
def test_same_bytes(name: str, tmp_path: Path) -> None:
    """With hashes of three kinds, files written in two orders, and a cache that is cold, then warm."""
    results = []
    for order, seed in ((0, "0"), (0, "4242"), (1, "random")):
        place = tmp_path / str(order)
        modules = place / "modules"
        if not modules.exists():
            place.mkdir(0o755)  # whatever the umask: a cache below a folder for all is not used
            place.chmod(0o755)
            write_modules(modules, order)
            (place / "site.pp").write_text(MANIFESTS[name])
        # The second run finds the code that the first one kept; the third has a cache of its own.
        results.append(compiled(place / "site.pp", modules, place / "cache", seed))
    assert [result[0] for result in results] == [1 if name == "wrong" else 0] * 3
    first, warm, other = results
    assert warm == first
    folders = [str(tmp_path / number).encode() for number in "01"]
    assert [text.replace(folders[1], folders[0]) for text in other[1:]] == list(first[1:])
    assert first[2] if name == "wrong" else b'"resources"' in first[1]
    if name != "wrong":
        assert list((tmp_path / "0" / "cache").rglob("*.code"))
