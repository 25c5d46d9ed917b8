"""Answers of ``batch`` under a key: used again while nothing changed, and compiled again otherwise."""

from __future__ import annotations

import json
import os
from itertools import count
from random import Random

import pytest

from bunraku.engine.dependencies import DataFile, Dependencies
from bunraku.engine.kept import forget
from bunraku.engine.kept_catalogs import recorded
from bunraku.engine.request import Request
from bunraku.engine.sealed import digests_for, opened_text, sealed_text, sealing_key
from bunraku.jobs.batch import answer
from bunraku.jobs.cached_answers import cache_answer
from support.cache_texts import texts_on_disk
from support.control_repository import FILES as FILES_OF_A_SITE
from support.control_repository import NODES, edit
from support.control_repository import write as write_site

EDITS = int(os.environ.get("BUNRAKU_EDITS", "10"))
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
    made = compiled(modules, key, "thing { 'a': }")
    assert made["status"] == "ok", made
    assert cached(key) == made
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


OPTIONS = "lookup_options:\n  things::text: {convert_to: Sensitive}\n"
SECRETS = {
    "data": ("include things", f"{OPTIONS}things::text: hunter2\n"),
    "the request": ("notify { 'a': message => Sensitive('hunter2') }", ""),
    "a text that is unwrapped": ("notify { Sensitive('hunter2').unwrap: }", ""),
}


@pytest.mark.parametrize("secret", SECRETS)
def test_an_answer_with_secrets_is_readable_only_with_what_it_was_made_from(modules, secret):
    key = new_key()
    code, data = SECRETS[secret]
    write(modules, "data/all.yaml", f"{data}other: 1\n")
    write(
        modules, "manifests/init.pp", "class things($text) { notify { 'a': message => $text } }\n"
    )
    found = compiled(modules, key, code)
    assert "hunter2" in json.dumps(found)
    assert "hunter2" not in texts_on_disk()
    assert key not in texts_on_disk()
    assert cached(key) == found
    write(modules, "data/all.yaml", f"{data}other: 2\n")
    assert cached(key) == found
    write(modules, "data/all.yaml", data.replace("hunter2", "hunter3"))
    assert cached(key) == (None if data else found)


def test_the_key_of_a_text_needs_each_answer_and_the_request():
    one = digests_for("a request")
    answers = (("read", "/a"), one.of(b"x")), (("exists", "/b"), True)
    data = (DataFile("yaml_data", "/d", b"", (("key", one.of("value")),)),)
    other_data = (DataFile("yaml_data", "/d", b"", (("key", one.of("v")),)),)
    other_answers = ((answers[0][0], one.of(b"y")), answers[1])
    keys = [
        sealing_key("a request", Dependencies(answers, data)),
        sealing_key("another request", Dependencies(answers, data)),
        sealing_key("a request", Dependencies(answers)),
        sealing_key("a request", Dependencies(answers[:1], data)),
        sealing_key("a request", Dependencies(other_answers, data)),
        sealing_key("a request", Dependencies(answers, other_data)),
        sealing_key("a request", Dependencies()),
        sealing_key("another request", Dependencies()),
    ]
    sealed = sealed_text("hunter2", keys[0])
    assert [opened_text(sealed, key) for key in keys] == ["hunter2"] + [None] * 7
    assert len(set(keys)) == len(keys)
    assert sealed_text("hunter2", keys[0]) != sealed


def test_decrypted_data_are_not_cached(modules):
    request, recording = recorded(Request(code="notify { 'a': }"))
    del request
    recording.opened_secrets = True
    key = new_key()
    cache_answer({"key": key, "code": ""}, recording, None, {"status": "ok"})
    assert cached(key) is None


def test_random_edits_never_leave_an_old_answer(tmp_path):
    """Answers for a manifest in a file are sealed: it may have secrets."""
    random, files = Random(41), dict(FILES_OF_A_SITE)
    root, reused = tmp_path / "environments" / "production", 0
    write_site(root, {}, files)
    for _ in range(EDITS):
        before = dict(files)
        done = edit(files, random)
        write_site(root, before, files)
        for node in random.sample([*NODES], 2):
            fields = {
                "node": node,
                "facts": NODES[node],
                "path": str(root / "manifests" / "site.pp"),
                "settings": {"environmentpath": str(root.parent)},
            }
            expected, found = ask(do="catalog", **fields), cached(f"{tmp_path} {node}")
            assert found in (None, expected), f"{node} after: {done}"
            reused += found is not None
            assert ask(do="catalog", key=f"{tmp_path} {node}", **fields) == expected
    assert reused > EDITS // 4


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
