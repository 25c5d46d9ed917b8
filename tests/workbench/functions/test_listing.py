"""The list of all functions: complete, documented, current on the page that shows it."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.dialects.puppet_3.functions.libraries import PUPPET_3_8
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.functions.registry import PUPPET_8
from bunraku.functions.stdlib.history import era
from bunraku.workbench.functions.listing import LIBRARIES, entries, key
from bunraku.world.dictionary import DictionaryWorld

ROOT = Path(__file__).parents[3]
INVENTORY = dict(
    line.split(": ", 1)
    for line in (ROOT / "tests/data/functions_inventory.txt").read_text().splitlines()
    if not line.startswith("#")
)
"""``core`` and, for versions of the standard library, the added (``+``) and removed (``-``) functions."""
CORE = INVENTORY.pop("core").split()
RELEASES = list(dict.fromkeys(line.split()[0] for line in INVENTORY if line != "head +"))


def test_no_core_function_is_missing():
    assert len(CORE) == 104
    beside = {"puppetdb_query"}  # functions that PuppetDB's plugin adds to Puppet
    assert sorted({*CORE, *beside}) == sorted(PUPPET_8.core)
    gone = {entry.name for entry in entries() if entry.library == "core" and entry.last}
    assert gone == set(PUPPET_3_8.core) - set(PUPPET_8.core) == {"extlookup", "search"}


def library(version):
    """The names in a version of the standard library, by the inventory."""
    names = set()
    for line, listed in INVENTORY.items():
        at, sign = line.split()
        if at != "head" and key(at) <= key(version):
            names = names | set(listed.split()) if sign == "+" else names - set(listed.split())
    return names


@pytest.mark.parametrize("version", RELEASES)
def test_each_version_of_the_standard_library_has_its_functions(version):
    listed = {entry.name for entry in entries() if entry.library == "stdlib"}
    assert {name for name in listed if era(name, key(version))} == library(version)


def test_no_function_of_the_standard_library_is_missing():
    names = {name for line in INVENTORY if line.endswith("+") for name in INVENTORY[line].split()}
    assert len(names) == 194  # 191 up to 9.7.0, 3 after it
    assert names == {entry.name for entry in entries() if entry.library == "stdlib"}


def test_each_dialect_adds_functions_to_the_one_before():
    called = {
        dialect: {
            one.name for one in entries() if one.library == "core" and dialect in one.dialects
        }
        for dialect in LIBRARIES
    }
    assert called["3.0"] < called["3.8"] < called["3.8-future"]
    for dialect, library in LIBRARIES.items():
        assert called[dialect] <= set(library.core)


def test_remarks_are_about_five_functions():
    remarks = {entry.name for entry in entries() if entry.status != "complete"}
    assert remarks == {"import", "inline_template", "pry", "template", "validate_augeas"}


def test_indexes_are_what_the_functions_declare():
    for path, content in import_module("tools.write_indexes").pages().items():
        assert path.read_text(encoding="utf-8") == content, "run `make pages`"


def test_every_function_says_what_it_is_for():
    for entry in entries():
        assert re.match(r"[-A-Z`].*\.$", entry.summary, re.DOTALL), entry.name
        assert entry.signatures, entry.name


def test_the_page_of_functions_is_current():
    page = import_module("tools.update_functions").page()
    written = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    assert written == page, "run `make readme`"


# -- examples --------------------------------------------------------------------------------------
FACTS = {"os": {"name": "Debian", "release": {"major": "12"}}, "operatingsystem": "Debian"}
FACTS |= {"operatingsystemmajrelease": "12", "networking": {"fqdn": "n.example.com"}}


ADDED = {"notice(notice('a', [1, undef], { b => 2 }) == undef)": ["a [1, ] {b => 2}"]}
"""The log of an example itself."""


def notices(code, version):
    metadata = {"name": "puppetlabs-stdlib", "version": version, "source": "s", "author": "a"}
    metadata |= {"license": "l", "summary": "s", "dependencies": []}
    files = {"/modules/stdlib/metadata.json": json.dumps(metadata).encode()}
    entries_ = []
    request = Request(code=code, facts=FACTS, modulepath=["/modules"], world=DictionaryWorld(files))
    request.settings = {"strict": "warning"}
    compile_catalog(request, entries_.append)
    return [entry.message for entry in entries_ if entry.level == "notice"]


def examples():
    """Lines and version of each function that has examples, but two that start programs."""
    for entry in entries():
        if entry.examples and entry.name not in {"inline_template", "validate_cmd"}:
            version = entry.last or (entry.first if key(entry.first) > (9, 7, 0) else "9.7.0")
            yield pytest.param(entry.examples, version, id=f"{entry.library}-{entry.name}")


@pytest.mark.parametrize(("lines", "version"), list(examples()))
def test_examples_are_true(lines, version):
    code = "\n".join(f"notice({line})" for line in lines)
    assert [text for text in notices(code, version) if text != "true"] == ADDED.get(code, [])


# -- the command -----------------------------------------------------------------------------------


def test_lists_all_functions(capfd):
    assert main(["functions"]) == exits.OK
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 105 + 2 + 194
    assert any(re.match(r"abs +core +The distance", line) for line in lines)


def test_describes_functions(capfd):
    assert main(["functions", "regsubst", "::dig"]) == exits.OK
    text = capfd.readouterr().out
    assert text.startswith("regsubst(")
    assert "Puppet, since 0.24.8; language 3.0, 3.8, 3.8-future, 8, 9; complete" in text
    assert "the standard library, 4.12.0 to 8.6.0" in text


def test_describes_functions_as_json(capfd):
    assert main(["functions", "slice", "--format", "json"]) == exits.OK
    (found,) = json.loads(capfd.readouterr().out)
    assert found["name"] == "slice"
    assert found["examples"][0] == "[1, 2, 3].slice(2) == [[1, 2], [3]]"


def test_an_unknown_function_is_a_finding_with_a_guess(capfd):
    assert main(["functions", "abs", "regsub"]) == exits.FINDINGS
    printed = capfd.readouterr()
    assert printed.out.startswith("abs(")
    assert printed.err == "error: unknown function 'regsub'; did you mean 'regsubst'?\n"


RUBY_FUNCTIONS = {
    "lib/puppet/functions/m/given.rb": """
        Puppet::Functions.create_function(:'m::given') do
          # A comment
          dispatch :first do
            param 'String[1]', :text
            optional_param('Integer', 'count')
            repeated_param "Any", :rest
            return_type 'String'
          end
          dispatch :second do
            required_repeated_param 'Hash', :hashes
            optional_block_param 'Callable[1,1]', :work
          end
          dispatch(:third) { block_param }
          argument_mismatch(:fourth) { param 'Any', :wrong }
          def first(text, count = 1, *rest) = text
        end""",
    "lib/puppet/functions/m/plain.rb": """
        Puppet::Functions.create_function(:'m::plain') do
          def helper(x) = x
          def plain(one, two = 2, *others, &work) = one
        end""",
    "lib/puppet/functions/m/inherited.rb": """
        Puppet::Functions.create_function(:'m::inherited', Base) do
        end""",
    "lib/puppet/parser/functions/two.rb": """
        module Puppet::Parser::Functions
          newfunction(:two, :type => :rvalue, :arity => -3, :doc => 'Two.') { |args| args }
        end""",
    "lib/puppet/parser/functions/any.rb": """
        Puppet::Parser::Functions.newfunction(:any) { |args| args }""",
}


def test_functions_of_modules_in_ruby_have_their_signatures(tmp_path, monkeypatch, capsys):
    for name, text in RUBY_FUNCTIONS.items():
        path = tmp_path / "modules/m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    found = {}
    for name in ("m::given", "m::plain", "m::inherited", "two"):
        assert main(["functions", "--modulepath", "modules", name]) == exits.OK
        lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
        found[name] = lines
    assert found == {
        "m::given": [
            "m::given(String[1] $text, Integer $count = ?, Any *$rest)",
            "m::given(Hash *$hashes, Optional[Callable[1,1]] &$work)",
            "m::given(Callable &$block)",
        ],
        "m::plain": ["m::plain(Any $one, Any $two = ?, Any *$others, Optional[Callable] &$work)"],
        "m::inherited": ["m::inherited(…)"],
        "two": ["two(Any $arg1, Any $arg2, Any *$args)"],
    }
