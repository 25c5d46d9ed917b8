"""Catalogs of tests are taken from the cache on disk only while a compile would make the same."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from bunraku import PuppetError
from bunraku.base.records import replace
from bunraku.engine.kept import forget
from bunraku.testing import Sensitive
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.project import code_under_test
from bunraku.workbench.testing.stored import catalog_place
from bunraku.workbench.testing.subject_compiler import subject_of
from bunraku.world.machine import Machine
from support.cache_texts import texts_on_disk
from support.control_repository import FILES, NODES, edit, edit_facts, write

EDITS = int(os.environ.get("BUNRAKU_EDITS", "16"))
METADATA = '{"name": "example-things", "version": "1.0.0", "author": "a", "license": "MIT", "source": "s", "dependencies": []}'
MODULE = {
    "metadata.json": METADATA,
    "manifests/init.pp": "class things($text, $level = things::level()) {\n"
    "  notify { \"${text} ${level} ${facts['color']}\": message => epp('things/text.epp') }\n}\n",
    "manifests/secret.pp": "class things::secret(Variant[Sensitive, String] $word) {\n"
    "  notify { 'a': message => $word }\n}\n",
    "templates/text.epp": "a text",
    "functions/level.pp": "function things::level() { 3 }\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n",
    "data/all.yaml": "things::text: from data\nother: 1\n",
}
CHANGES = {
    "manifests/init.pp": MODULE["manifests/init.pp"].replace("{level}", "{level}!"),
    "templates/text.epp": "another text",
    "functions/level.pp": "function things::level() { 4 }\n",
    "hiera.yaml": MODULE["hiera.yaml"].replace("name: all", "name: everything"),
    "data/all.yaml": "things::text: from other data\nother: 1\n",
}


@pytest.fixture
def module(tmp_path):
    """A module with data, a template and a function."""
    root = tmp_path / "puppet-things"
    write(root, {}, MODULE)
    return root


def compiler_of(root: Path, **defaults) -> Compiler:
    """A compiler as a new process would have it."""
    forget()
    return Compiler(code_under_test(str(root), Machine()), {"facts": {"color": "red"}, **defaults})


def is_stored(root: Path, **options) -> bool:
    """Return whether the catalog of a subject comes from the cache now."""
    return would_be_stored(compiler_of(root), options)


def would_be_stored(compiler: Compiler, options) -> bool:
    """Return whether a compiler takes the catalog of a subject from the cache."""
    given = compiler.all_options(None, options)
    request = compiler.request(given, subject_of(given))
    place = catalog_place(request)
    return place is not None and place.contents() is not None


def titles(root: Path, **options) -> list[str]:
    """Return the titles of the notifications in a catalog."""
    return [one.title for one in compiler_of(root)(**options).by_type("Notify")]


def test_nothing_is_compiled_while_nothing_changes(module):
    assert not is_stored(module, class_="things")
    first = compiler_of(module)("things")
    assert is_stored(module, class_="things")
    second = compiler_of(module)("things")
    assert (second.to_data(), second.log) == (first.to_data(), first.log)
    write(module, {}, {"data/all.yaml": "things::text: from data\nother: 2\n", "README": "x"})
    assert is_stored(module, class_="things")


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_file_compiles_again(module, name):
    before = titles(module, class_="things")
    write(module, {}, {name: CHANGES[name]})
    assert not is_stored(module, class_="things")
    compiler_of(module)("things")
    assert is_stored(module, class_="things")
    write(module, {}, {name: MODULE[name]})
    assert titles(module, class_="things") == before


def test_other_facts_and_data_of_a_test_are_other_catalogs(module):
    assert titles(module, class_="things") == ["from data 3 red"]
    assert titles(module, class_="things", facts={"color": "blue"}) == ["from data 3 blue"]
    assert titles(module, class_="things", hiera={"things::text": "mine"}) == ["mine 3 red"]
    assert titles(module, class_="things", hiera={"things::text": "yours"}) == ["yours 3 red"]
    for options in ({}, {"facts": {"color": "blue"}}, {"hiera": {"things::text": "mine"}}):
        assert is_stored(module, class_="things", **options)


def test_messages_and_exported_resources_are_stored(module):
    code = "warning('mind') @@notify { 'far': } notify { 'near': }"
    seen = []
    for _ in range(2):
        catalog = compiler_of(module)(code=code)
        assert catalog.exports("Notify[far]")
        assert catalog.lacks("Notify[far]")
        seen.append((catalog.warnings, catalog.to_data(), catalog.stored_data()))
    assert is_stored(module, code=code)
    assert seen[0] == seen[1]


SECRETS = [
    {"code": "notify { 'a': message => Sensitive('hunter2') }"},
    {"class_": "things::secret", "params": {"word": Sensitive("hunter2")}},
    {
        "class_": "things::secret",
        "hiera": {
            "lookup_options": {"things::secret::word": {"convert_to": "Sensitive"}},
            "things::secret::word": "hunter2",
        },
    },
]


@pytest.mark.parametrize("options", SECRETS)
def test_catalogs_with_secrets_are_sealed(module, options):
    first = compiler_of(module)(**options)
    assert is_stored(module, **options)
    assert compiler_of(module)(**options).to_data() == first.to_data()
    assert "hunter2" in str(first.to_data())
    assert "hunter2" not in texts_on_disk()


def test_what_differs_each_time_is_not_stored(module):
    compiler_of(module)(code="notify { String(Timestamp()): }")
    assert not is_stored(module, code="notify { String(Timestamp()): }")


def test_numbers_that_json_does_not_have_are_not_stored(module):
    code = "notify { 'a': message => Float('1e400') }"
    first, second = (compiler_of(module)(code=code).to_data() for _ in range(2))
    assert repr(first) == repr(second)


def test_the_cache_can_be_switched_off(module, monkeypatch):
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    compiler_of(module)("things")
    assert not is_stored(module, class_="things")


def outcome(compiler: Compiler, node: str):
    """Return all that a test can see of a compile: the catalogs and the messages, or the error."""
    try:
        catalog = compiler(host=node)
    except PuppetError as error:
        return str(error), getattr(error, "__notes__", [])
    return catalog.to_data(), catalog.stored_data(), catalog.log


def test_random_edits_change_what_a_compile_would_change(tmp_path):
    random, files, facts = Random(41), dict(FILES), {**NODES}
    root, reused = tmp_path / "repository", 0
    write(root, {}, files)
    for _ in range(EDITS):
        before = dict(files)
        if random.random() < 0.2:
            name = random.choice([*facts])
            facts[name], _done = edit_facts(facts[name], random)
        done = edit(files, random)
        write(root, before, files)
        if random.random() < 0.5:
            forget()
        for node in random.sample([*NODES], 2):
            project = code_under_test(str(root), Machine())
            compiler = Compiler(project, {"facts": facts[node]})
            reused += would_be_stored(compiler, {"host": node})
            found = outcome(compiler, node)
            assert found == outcome(replace(compiler, reuses=False), node), f"{node} after: {done}"
        if isinstance(found[0], str):  # errors are not stored: begin with what compiles
            write(root, files, FILES)
            files = dict(FILES)
    assert reused > EDITS // 4
