"""Each kind of question that a cache records is asked again: one without an answer fails here.

The first part walks over all kinds. The second reads each kind of kept thing in a second process.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from bunraku.engine.dependencies import (
    OF_TABLE,
    Checker,
    Digests,
    changed_facts,
    dependencies_of,
)
from bunraku.hiera.data import PARSERS
from bunraku.modules.fact_reads import HASH, VALUE, FactTable
from bunraku.modules.files import FileTable, RecordedTable
from bunraku.ruby.schema.libraries import LOOKUPS, Libraries
from bunraku.web.requests import HttpRequest
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.protocol import World
from bunraku.world.recording import Recording
from support.ruby import needs_ruby

DIGESTS = Digests(b"key")
FILES = {
    "/m/a/lib/puppet_x/a.rb": b"A",
    "/m/a/lib/puppet/provider/thing/one.rb": b"B",
    "/data.yaml": b"a: 1\n",
    "/data.json": b'{"a": 1}',
    "/data.conf": b"a: 1\n",
}
A = "/m/a/lib/puppet_x/a.rb"


def public_methods(cls: type) -> list[str]:
    """The methods that a class defines."""
    found = inspect.getmembers(cls, inspect.isfunction)
    return [name for name, _ in found if not name.startswith("_")]


# -- all kinds of questions ------------------------------------------------------------------------

LOOKED_UP = {
    "digest": A,
    "find": "puppet_x/a.rb",
    "is_file": A,
    "providers": "thing",
}


@pytest.mark.parametrize("kind", sorted({*LOOKUPS, *LOOKED_UP}))
def test_lookups_of_a_resource_type_are_asked_again(kind):
    first, second = (
        Libraries(FileTable(DictionaryWorld(FILES)), ["/m/a/lib"]) for _process in range(2)
    )
    getattr(first, kind)(LOOKED_UP[kind])
    assert [question for question, _ in first.asked] == [kind]
    assert second.still(first.asked.items())
    assert second.asked == first.asked
    changed = Libraries(FileTable(DictionaryWorld({})), ["/m/a/lib"])
    assert not changed.still(first.asked.items())


def test_a_lookup_that_reads_records_what_it_asks():
    libraries = Libraries(FileTable(DictionaryWorld(FILES)), ["/m/a/lib"])
    for name in {*public_methods(Libraries)} - {"still"}:
        libraries.asked.clear()
        getattr(libraries, name)(LOOKED_UP.get(name, A))
        assert libraries.asked, f"{name} records nothing"
        assert {kind for kind, _ in libraries.asked} <= LOOKUPS.keys()


OF_WORLD = {
    "beginning": (A, 1),
    "disk_path": (A,),
    "disk_space": ("/",),
    "environment_variable": ("HOME",),
    "environment_variables": (),
    "expose": (),
    "http": (HttpRequest("GET", "http://127.0.0.1:9/"),),
    "ipv4_addresses": (),
    "is_directory": ("/m",),
    "is_executable": (A,),
    "is_file": (A,),
    "reason_against": (A, "/"),
    "list_directory": ("/m",),
    "complete": (["x"], {}, 0),
    "now": (),
    "read": (A,),
    "run": (["x"],),
    "signature": (A,),
    "spawn": (["x"],),
    "temporary_file": (b"",),
}


def answered_again(recording: Recording, below: World) -> None:
    """Ask what was recorded again: no answer differs."""
    dependencies = dependencies_of(recording, DIGESTS, FactTable({}))
    assert dependencies is not None
    assert list(Checker(below, DIGESTS).changes(dependencies)) == []


@pytest.mark.parametrize("kind", public_methods(World))
def test_questions_of_the_world_are_asked_again(kind):
    below = DictionaryWorld(FILES)
    recording = Recording(below)
    with suppress(OSError, subprocess.CalledProcessError):
        getattr(recording, kind)(*OF_WORLD[kind])
    if recording.readings:
        assert dependencies_of(recording, DIGESTS, FactTable({})) is None
        assert recording.unrepeatable == "it reads the time"
    elif recording.unrepeatable is None:
        assert [question[0] for question in recording.asked] == [kind]
        answered_again(recording, below)


OF_FILES = {
    "computed": ("key", lambda: 1),
    "exists": (A,),
    "first_holder": (("/m", "/m/a/lib"), "puppet_x/a.rb"),
    "glob": ("/m/*/lib/puppet_x/*.rb",),
    "is_folder": ("/m/a",),
    "is_there": (A,),
    "made": (A, "kind", len),
    "made_of": (b"", A, "kind", len),
    "matches": ("/m/*/lib",),
    "names": ("/m/a/lib",),
    "refresh": (),
    "shared": (),
}
WITHOUT_QUESTIONS = {"computed", "made_of", "refresh", "shared"}


@pytest.mark.parametrize("kind", public_methods(FileTable))
def test_questions_of_the_table_of_files_are_asked_again(kind):
    below = DictionaryWorld(FILES)
    recording = Recording(below)
    table = RecordedTable(recording, FileTable(below))
    getattr(table, kind)(*OF_FILES[kind])
    assert bool(recording.asked) == (kind not in WITHOUT_QUESTIONS)
    assert {question[0] for question in recording.asked} <= {*OF_TABLE, *OF_WORLD}
    answered_again(recording, below)


@pytest.mark.parametrize("kind", sorted(OF_TABLE))
def test_the_table_answers_what_is_asked_of_it(kind):
    checker = Checker(DictionaryWorld(FILES), DIGESTS)
    expected = DIGESTS.of(getattr(checker.table, kind)(*OF_FILES[kind]))
    assert checker.ask((kind, *OF_FILES[kind])) == expected


@pytest.mark.parametrize(
    ("function", "path"),
    [("yaml_data", "/data.yaml"), ("json_data", "/data.json"), ("hocon_data", "/data.conf")],
)
def test_keys_of_data_are_asked_again(function, path):
    assert function in PARSERS
    recording = Recording(DictionaryWorld(FILES))
    recording.keys_of(function, path, FILES[path])["a"] = 1
    answered_again(recording, DictionaryWorld({**FILES, path: FILES[path] + b"\n"}))


def test_all_parsers_of_data_are_asked():
    assert PARSERS.keys() == {"yaml_data", "json_data", "hocon_data"}


@pytest.mark.parametrize(("kind", "answer"), [(VALUE, {"family": "Debian"}), (HASH, True)])
def test_facts_are_asked_again(kind, answer):
    facts = FactTable({"os": {"family": "Debian"}})
    recording = Recording(DictionaryWorld({}))
    recording.note_fact((kind, "os"))
    dependencies = dependencies_of(recording, DIGESTS, facts)
    assert facts.answer((kind, "os")) == answer
    assert list(changed_facts(dependencies, facts, DIGESTS)) == []
    assert list(changed_facts(dependencies, FactTable({}), DIGESTS)) == [(kind, "os")]


# -- each kind of kept thing, in a second process ---------------------------------------------------

MODULE = {
    "lib/puppet/type/alone.rb": "Puppet::Type.newtype(:alone) { newparam(:name) }\n",
    "lib/puppet/type/by_path.rb": (
        "require_relative '../../puppet_x/m/common'\n"
        "require_relative '../../puppet_x/m/absent'\n"
        "Puppet::Type.newtype(:by_path) { newparam(:name); M::Common.add(self) }\n"
    ),
    "lib/puppet/type/by_name.rb": (
        "require 'puppet_x/m/common'\nrequire 'puppet/util/absent'\n"
        "Puppet::Type.newtype(:by_name) { newparam(:name); M::Common.add(self) }\n"
    ),
    "lib/puppet/type/by_provider.rb": (
        "Puppet::Type.newtype(:by_provider) { newparam(:name); newproperty(:size) }\n"
    ),
    "lib/puppet/provider/by_provider/one.rb": (
        "require_relative '../../../puppet_x/m/common'\n"
        "Puppet::Type.type(:by_provider).provide(:one) { mk_resource_methods }\n"
    ),
    "lib/puppet/type/by_mixin.rb": (
        "require File.expand_path('../../../puppet_x/m/mixin', __FILE__)\n"
        "Puppet::Type.newtype(:by_mixin) { newparam(:name); extend M::Mixin; add_size }\n"
    ),
    "lib/puppet_x/m/common.rb": (
        "require_relative 'mixin'\n"
        "module M\n module Common\n  def self.add(type)\n"
        "   type.newparam(:size)\n  end\n end\nend\n"
    ),
    "lib/puppet_x/m/mixin.rb": (
        "module M\n module Mixin\n  def add_size\n   newparam(:size)\n  end\n end\nend\n"
    ),
    "lib/puppet/functions/m/present.rb": (
        "Puppet::Functions.create_function(:'m::present') { def present(a) a + 'x' end }\n"
    ),
    "lib/puppet/functions/m/in_ruby.rb": (
        "require_relative '../../../puppet_x/m/mixin'\n"
        "Puppet::Functions.create_function(:'m::in_ruby') { def in_ruby(a) eval('a * 2') end }\n"
    ),
    "lib/puppet/parser/functions/m_old.rb": (
        "module Puppet::Parser::Functions\n"
        "  newfunction(:m_old, :type => :rvalue) { |args| args[0].upcase }\nend\n"
    ),
    "functions/own.pp": 'function m::own($a) { "<${a}>" }\n',
    "types/size.pp": "type M::Size = Integer[0, 9]\n",
    "templates/a.erb": "<%= @v.map { |x| x * 2 }.join(' ') %>\n",
    "templates/in_ruby.erb": "<%= eval('@v.length') %>\n",
    "templates/a.epp": "<%- |$v| -%>\n<%= $v.join(' ') %>\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: a, paths: [a.yaml, '%{role}.yaml']}]\n",
    "data/a.yaml": "m::given: data\nlookup_options: {m::given: {merge: first}}\n",
    "manifests/init.pp": """
class m(String $given, M::Size $size = 3) {
  $v = ['a', 'b']
  alone { 'a': }
  by_path { 'a': size => 1 }
  by_name { 'a': size => 1 }
  by_provider { 'a': size => 1, provider => 'one' }
  by_mixin { 'a': size => 1 }
  notify { [m::present($given), m::own($given), template('m/a.erb'),
            epp('m/a.epp', { 'v' => $v })]: }
}
class m::ruby {
  $v = ['a', 'b']
  notify { [m::in_ruby('c'), m_old('d'), template('m/in_ruby.erb')]: }
}
""",
}


@pytest.fixture
def site(tmp_path):
    """A module with one of each kind of thing that is kept on disk."""
    for path, text in MODULE.items():
        file = tmp_path / "modules/m" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("include m\n", encoding="utf-8")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts/n.json").write_text('{"role": "web"}', encoding="utf-8")
    return tmp_path


def compiled(site, *arguments):
    """The output of a process that compiles, and the entries of its cache."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(site / "cache")}
    command = [sys.executable, "-m", "bunraku", "compile", *arguments]
    output = subprocess.check_output(
        command, cwd=site, env=environment, stderr=subprocess.STDOUT, text=True
    )
    entries = {
        path.name: path.stat().st_ino
        for suffix in ("code", "data")
        for path in (site / "cache").rglob(f"*.{suffix}")
    }
    return output, entries


def test_a_second_process_reads_all_from_the_cache(site):
    arguments = ("--modulepath", "modules", "-e", "include m", "--node", "n")
    output, entries = compiled(site, *arguments)
    assert len([name for name in entries if name.endswith(".data")]) >= 5
    assert "datax" in output
    assert compiled(site, *arguments) == (output, entries)


@needs_ruby
def test_a_second_process_runs_ruby_with_the_same_result(site):
    arguments = ("--modulepath", "modules", "-e", "include m\ninclude m::ruby", "--node", "n")
    output, entries = compiled(site, *arguments)
    assert '"cc"' in output
    assert compiled(site, *arguments) == (output, entries)


def test_kept_catalogs_are_those_of_a_second_process(site):
    arguments = (
        "--nodes",
        "--facts-folder",
        "facts",
        "--modulepath",
        "modules",
        "manifests/site.pp",
    )
    printed = ("--output-folder", "out", "--summary", "json")
    catalog = site / "out/n.json"
    first, _ = compiled(site, *arguments, *printed)
    text = catalog.read_text(encoding="utf-8")
    second, _ = compiled(site, *arguments, *printed)
    assert (json.loads(first)["compiled"], json.loads(second)["unchanged"]) == (1, 1)
    assert catalog.read_text(encoding="utf-8") == text
