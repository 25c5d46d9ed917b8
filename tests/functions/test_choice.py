"""Which implementation serves a function: the module's file, or Python for a file that is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request, resolve
from bunraku.functions.index import STDLIB
from bunraku.functions.stdlib import releases
from bunraku.functions.stdlib.history import API_3, era, parse_version
from bunraku.functions.stdlib.known_files import content_digest, needed_by, release_of
from bunraku.world.dictionary import DictionaryWorld
from support.ruby import needs_ruby

DEBIAN = Path("/usr/share/puppet/modules")
OLD = "m/stdlib/lib/puppet/parser/functions"
NEW = "m/stdlib/lib/puppet/functions"
METADATA = {
    "name": "puppetlabs-stdlib",
    "version": "8.5.0",
    "source": "s",
    "author": "a",
    "license": "l",
    "dependencies": [],
}


def world(version="8.5.0", **files):
    """A modulepath /m with a standard library of these files, given by path or function name."""
    found = {"/m/stdlib/metadata.json": json.dumps({**METADATA, "version": version}).encode()}
    for name, content in files.items():
        path = name if "/" in name else f"{OLD}/{name}.rb"
        found[f"/{path}"] = content
    return DictionaryWorld(found)


def choose(name, given, language="8", known=None):
    """Choose an implementation where the files in ``known`` are those of the library."""
    request = Request(modulepath=["/m"], world=given, language=language)
    chooser = resolve(request, lambda entry: None).chooser
    if known is not None:
        chooser.releases = lambda: known
    return chooser.choose(name)


def choice_of(request, name):
    return resolve(request, lambda entry: None).chooser.choose(name)


def known(name, kind="3x", versions="8.0.0-8.6.0"):
    """Return the table in which ``b"known NAME"`` is a function's file in some releases."""
    return {f"{kind} {name}": f"{content_digest(b'known ' + name.encode())}:{versions}"}


def notices(code, given):
    entries = []
    compile_catalog(Request(code=code, modulepath=["/m"], world=given), entries.append)
    return [entry.message for entry in entries if entry.level == "notice"]


def test_a_known_file_has_a_python_implementation():
    choice = choose("pick", world(pick=b"known pick\r\n"), known=known("pick"))
    assert choice.function is not None
    assert choice.release == "8.5.0"
    assert choice.found.path == f"/{OLD}/pick.rb"


def test_a_changed_file_runs_as_it_is():
    choice = choose("pick", world(pick=b"known pick # changed"), known=known("pick"))
    assert choice.function is None
    assert choice.changed == f"/{OLD}/pick.rb"


def test_a_known_file_whose_calls_lead_to_a_changed_one_runs_as_it_is():
    both = known("any2bool") | known("num2bool")
    released = world(any2bool=b"known any2bool", num2bool=b"known num2bool")
    assert choose("any2bool", released, known=both).function
    changed = world(any2bool=b"known any2bool", num2bool=b"mine")
    choice = choose("any2bool", changed, known=both)
    assert choice.function is None
    assert choice.changed == f"/{OLD}/num2bool.rb"


def test_both_files_of_a_function_must_be_known():
    table = known("is_array", "4x") | known("is_array", "3x")
    both = {"is_array": b"known is_array", f"{NEW}/is_array.rb": b"known is_array"}
    assert choose("is_array", world(**both), known=table).function is not None
    choice = choose("is_array", world(**{**both, "is_array": b"mine"}), known=table)
    assert choice.function is None
    assert choice.found.path == f"/{NEW}/is_array.rb"


def test_the_release_of_the_content_counts_where_the_stated_one_has_another():
    table = known("loadyaml", versions="1.0.0-4.1.0")
    for stated, expected in (("8.5.0", "4.1.0"), ("3.2.0", "3.2.0")):
        given = world(version=stated, loadyaml=b"known loadyaml")
        assert choose("loadyaml", given, known=table).release == expected


def test_a_function_without_a_file_is_unknown():
    given = world(pick=b"anything")
    assert choose("concat", given) is None
    with pytest.raises(PuppetError) as raised:
        notices("notice(concat([1], 2))", given)
    assert raised.value.code == "UNKNOWN_FUNCTION"


def test_without_function_files_the_stated_release_counts():
    assert choose("has_key", world()).release == "8.5.0"
    assert choose("has_key", world(version="9.4.1")) is None


def test_without_the_library_the_newest_functions_are_there():
    assert choose("pick", DictionaryWorld({})).source == "standard"
    assert choose("pick", DictionaryWorld({}), language="3.8") is None


def test_a_file_of_another_module_counts_by_its_content():
    path = "m/vendored/lib/puppet/parser/functions/pick.rb"
    released, changed = world(**{path: b"known pick"}), world(**{path: b"mine"})
    assert choose("pick", released, known=known("pick")).function is not None
    assert choose("pick", changed, known=known("pick")).function is None


def test_old_dialects_know_files_of_the_old_kind_only():
    table = known("is_array", "3x", "4.0.0-4.25.1")
    both = {"is_array": b"known is_array", f"{NEW}/is_array.rb": b"mine"}
    given = world("4.25.1", **both)
    assert choose("is_array", given, language="3.8", known=table).function is not None
    assert choose("is_array", given, known=table).function is None


@needs_ruby
def test_a_changed_function_has_its_own_value(tmp_path):
    file = tmp_path / "stdlib/lib/puppet/parser/functions/pick.rb"
    file.parent.mkdir(parents=True)
    file.write_text("Puppet::Parser::Functions.newfunction(:pick, :type => :rvalue) { |a| 'mine' }")
    entries = []
    request = Request(code="notice(pick(undef, 1))", modulepath=[str(tmp_path)])
    compile_catalog(request, entries.append)
    assert [entry.message for entry in entries] == ["mine"]


# -- the table -------------------------------------------------------------------------------------


def contents():
    for key, entry in releases.RELEASES.items():
        kind, name = key.split()
        for item in entry.split():
            digest, _, versions = item.partition(":")
            yield kind, name, digest, versions


def test_the_table_is_well_formed():
    for kind, name, digest, versions in contents():
        assert kind in {"3x", "4x", "pp", "lib"}
        assert len(digest) == 16
        assert int(digest, 16) >= 0
        assert kind in {"pp", "lib"} or name in STDLIB
        for span in versions.split(","):
            first, _, last = span.partition("-")
            assert parse_version(first) <= parse_version(last or first)


def test_every_known_content_has_an_implementation():
    missing = {
        (name, span)
        for kind, name, _, versions in contents()
        if kind in {"3x", "4x"}
        for span in versions.replace("-", ",").split(",")
        if era(name, parse_version(span), frozenset({kind})) is None
    }
    # The file of the old kind only calls the new function, which comes first.
    assert {name for name, _ in missing} <= {"ensure_packages"}
    assert era("ensure_packages", (7, 1, 0), API_3).place == "catalog.older"


def test_what_a_function_needs_is_in_the_table():
    names = {name for _, name, _, _ in contents()}
    for name in names:
        assert set(needed_by(name)) <= names, name


def test_an_unknown_content_is_of_no_release():
    assert release_of("3x", "pick", b"nothing", "8.5.0", releases.RELEASES) is None


@pytest.mark.skipif(not (DEBIAN / "stdlib").exists(), reason="Debian's stdlib is not installed")
def test_the_files_of_debian_are_known():
    version = json.loads((DEBIAN / "stdlib/metadata.json").read_text())["version"]
    request = Request(modulepath=[str(DEBIAN)])
    for kind, name, _, versions in contents():
        spans = (span.partition("-") for span in versions.split(","))
        if kind == "lib" or not any(
            parse_version(first) <= parse_version(version) <= parse_version(last or first)
            for first, _, last in spans
        ):
            continue
        choice = choice_of(request, name)
        assert choice is not None, name
        assert choice.changed is None, name


# -- the command -----------------------------------------------------------------------------------


def explained(capfd, tmp_path, *names):
    code = main(["functions", "--explain", *names, "--modulepath", str(tmp_path), "--no-project"])
    return code, capfd.readouterr()


def test_explains_a_changed_file(capfd, tmp_path):
    file = tmp_path / "stdlib/lib/puppet/parser/functions/pick.rb"
    file.parent.mkdir(parents=True)
    file.write_text("changed")
    code, printed = explained(capfd, tmp_path, "pick", "abs")
    assert code == exits.OK
    assert printed.out == (
        f"pick: Ruby function of the 3.x kind\n    file: {file}\n"
        "    why: the content of the file is not that of any known release of stdlib\n"
        "abs: core function of Puppet, in Python\n"
        "    why: core functions come before those of modules\n"
    )


def test_explains_functions_of_modules(capfd, tmp_path):
    file = tmp_path / "own/functions/f.pp"
    file.parent.mkdir(parents=True)
    file.write_text("function own::f() { 1 }")
    code, printed = explained(capfd, tmp_path, "own::f", "concat", "concta")
    assert code == exits.FINDINGS
    assert f"own::f: function in the Puppet language\n    file: {file}\n" in printed.out
    assert "concat: Python implementation of stdlib (newest release)" in printed.out
    assert printed.err.startswith("error: unknown function 'concta'; did you mean ")
