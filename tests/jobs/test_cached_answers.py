"""Answers of ``batch`` under a key: used again while nothing changed, and compiled again otherwise."""

from __future__ import annotations

import json
from itertools import count

import pytest

from bunraku.engine.kept import forget
from bunraku.jobs.batch import answer

NUMBERS = count()
FILES = {
    "manifests/init.pp": "class things($text, $level = things::level()) {\n"
    "  notify { \"${text} ${level} ${facts['color']}\": message => epp('things/text.epp') }\n}\n",
    "templates/text.epp": "a text",
    "functions/level.pp": "function things::level() { 3 }\n",
    "lib/puppet/type/thing.rb": "Puppet::Type.newtype(:thing) { newparam(:name) }\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n",
    "data/all.yaml": "things::text: from data\nother: 1\n",
}
CHANGES = {
    "manifests/init.pp": FILES["manifests/init.pp"] + "\n# a comment\n",
    "templates/text.epp": "another text",
    "functions/level.pp": "function things::level() { 4 }\n",
    "hiera.yaml": FILES["hiera.yaml"].replace("name: all", "name: everything"),
    "data/all.yaml": "things::text: from other data\nother: 1\n",
}


@pytest.fixture
def modules(tmp_path):
    """A directory of modules with one module."""
    for name, text in FILES.items():
        write(tmp_path, name, text)
    return tmp_path


def write(modules, name, text):
    """Write a file of the module."""
    path = modules / "things" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def ask(**fields):
    """Return the answer to a request; a new process would give the same."""
    forget()
    found = json.loads(answer(json.dumps(fields).encode()))
    del found["ms"]
    return found


def compiled(modules, key, code="include things", **fields):
    """Return the answer to a request for a catalog."""
    fields = {"facts": {"color": "red"}, **fields}
    return ask(do="catalog", code=code, key=key, modulepath=[str(modules)], **fields)


def cached(key):
    """Return the answer that is cached under a key; None if there is none."""
    found = ask(do="cached", key=key)
    return None if found["status"] == "absent" else found


def new_key():
    """Return a key that no other test has."""
    return f"key {next(NUMBERS)}"


def titles(found):
    """Return the titles of the notifications in a catalog."""
    return [one["title"] for one in found["catalog"]["resources"] if one["type"] == "Notify"]


def test_nothing_is_compiled_while_nothing_changes(modules):
    key = new_key()
    assert cached(key) is None
    found = compiled(modules, key)
    assert titles(found) == ["from data 3 red"]
    assert cached(key) == found
    write(modules, "data/all.yaml", "things::text: from data\nother: 2\n")
    write(modules, "manifests/unused.pp", "class things::unused {}\n")
    assert cached(key) == found


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_file_compiles_again(modules, name):
    key = new_key()
    compiled(modules, key)
    write(modules, name, CHANGES[name])
    assert cached(key) is None
    found = compiled(modules, key)
    assert cached(key) == found


@pytest.mark.parametrize("name", ["templates/text.epp", "functions/level.pp", "data/all.yaml"])
def test_a_file_that_is_gone_compiles_again(modules, name):
    key = new_key()
    compiled(modules, key)
    (modules / "things" / name).unlink()
    assert cached(key) is None
    assert compiled(modules, key)["status"] == "eval_error"


def test_a_type_that_changed_compiles_again(modules):
    key = new_key()
    compiled(modules, key, "thing { 'a': }")
    assert cached(key)["status"] == "ok"
    write(
        modules, "lib/puppet/type/thing.rb", FILES["lib/puppet/type/thing.rb"].replace("name", "id")
    )
    assert cached(key) is None


def test_another_key_is_another_request(modules):
    one, other = new_key(), new_key()
    compiled(modules, one)
    found = compiled(modules, other, facts={"color": "blue"})
    assert titles(found) == ["from data 3 blue"]
    assert (titles(cached(one)), cached(other)) == (["from data 3 red"], found)


def test_errors_and_messages_are_cached_too(modules):
    key = new_key()
    found = compiled(modules, key, "notice('seen')\nwarning('mind')\nfail('no')")
    assert found["error"]["message"].endswith("no")
    assert [one["message"] for one in found["notices"]] == ["seen"]
    assert cached(key) == found
    key = new_key()
    found = compiled(modules, key, "class {")
    assert found["status"] == "parse_error"
    assert cached(key) == found


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("notify { 'a': message => Sensitive('secret') }", {}),
        ("notify { String(Timestamp()): }", {}),
        ("notify { '/run/folder-7/a': }", {}),
        ("$found = find_file('/run/folder-7/a')", {}),
        ("notify { $settings::vardir: }", {"settings": {"vardir": "/run/folder-7"}}),
    ],
)
def test_answers_that_differ_in_the_next_run_are_not_cached(modules, code, fields):
    key = new_key()
    compiled(modules, key, code, temporary=["/run/folder-7"], **fields)
    assert cached(key) is None


def test_a_secret_of_data_is_not_written(modules):
    key = new_key()
    write(modules, "hiera.yaml", FILES["hiera.yaml"])
    options = "lookup_options:\n  things::text: {convert_to: Sensitive}\n"
    write(modules, "data/all.yaml", f"{options}things::text: hunter2\n")
    write(
        modules, "manifests/init.pp", "class things($text) { notify { 'a': message => $text } }\n"
    )
    assert "hunter2" in json.dumps(compiled(modules, key))
    assert cached(key) is None


def test_modules_of_the_request_are_not_cached():
    key = new_key()
    ask(do="catalog", code="include a", key=key, modules={"a/manifests/init.pp": "class a {}"})
    assert cached(key) is None


def test_a_question_without_a_key_is_a_mistake():
    found = ask(do="cached")
    assert (found["status"], found["error"]["message"]) == ("bad_input", "do: cached needs a key")


def test_the_cache_can_be_switched_off(modules, monkeypatch):
    key = new_key()
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    assert compiled(modules, key)["status"] == "ok"
    assert cached(key) is None
