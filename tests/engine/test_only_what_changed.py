"""A catalog is compiled again only if something that it depends on changed; the result is the same."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from hashlib import blake2b
from random import Random

import pytest

from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.affected import fact_name
from bunraku.engine.compile import compile_catalog
from bunraku.engine.dependencies import Checker, Digests, dependencies_of
from bunraku.engine.kept_catalogs import CatalogStore, recorded
from bunraku.engine.nodes import SHARED, Task, as_json, compile_tasks, with_kept
from bunraku.engine.request import DISK, Request, fact_table
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.recording import Recording
from support.control_repository import (
    FILES,
    NODES,
    edit,
    edit_facts,
    write,
    write_facts,
)
from support.ruby import needs_ruby

EDITS = int(os.environ.get("BUNRAKU_EDITS", "300"))
SEED = int(os.environ.get("BUNRAKU_EDITS_SEED", "17"))
DIGESTS = Digests(b"key")


class OnlyRecorded(DictionaryWorld):
    """A world with the recorded answers only; everything else in it is absent.

    Files that were looked for and not read are there, but reading them is an error.
    """

    def read(self, path):
        content = super().read(path)
        assert content is not UNREAD, f"{path} is read, and was not recorded"
        return content


UNREAD = b"never read"


def only_recorded(recording: Recording) -> OnlyRecorded:
    """A world that holds what a compile asked for."""
    files: dict[str, bytes] = {}
    there: set[str] = set()
    for (kind, *arguments), answer in recording.asked.items():
        match kind:
            case "read" if answer is not None:
                files[arguments[0]] = answer
            case "exists" | "is_file" if answer:
                there.add(arguments[0])
            case "is_directory" | "is_folder" if answer:
                there.add(f"{arguments[0]}/.unread")
            case "names" | "list_directory":
                there.update(f"{arguments[0]}/{name}" for name in answer or ())
            case "matches":
                start = min(at for at in map(arguments[0].find, "*?[{") if at >= 0)
                there.update(arguments[0][:start] + rest for rest in answer)
            case "first_holder" if answer < len(arguments[0]):
                there.add(f"{arguments[0][answer]}/{arguments[1]}")
    for (_function, path), (_content, keys) in recording.data.items():
        known = {key: value for key, value in keys.items() if not isinstance(key, tuple)}
        present = {key: value for key, value in known.items() if not missing(value)}
        files.setdefault(path, json.dumps(present).encode())
    for path in sorted(there):
        if not any(
            name == path or name.startswith(f"{path}/") for name in (*files, *there - {path})
        ):
            files[path] = UNREAD
    return OnlyRecorded(files)


def missing(value) -> bool:
    return repr(value) == "MISSING"


@pytest.fixture
def repository(tmp_path):
    """The control repository, with facts beside it."""
    root = tmp_path / "repository"
    write(root, {}, FILES)
    write_facts(tmp_path / "facts", NODES)
    return root


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return CatalogStore(DiskCache(), DIGESTS, "test", with_text=True)


def request_of(root, node="web01") -> Request:
    return Request(
        node=node,
        facts=NODES[node],
        environment_directory=str(root),
        settings={"basemodulepath": str(root / "basemodules")},
    )


@pytest.mark.parametrize("node", NODES)
def test_the_recorded_answers_are_enough(repository, node):
    request, recording = recorded(request_of(repository, node))
    catalog = as_json(compile_catalog(request, lambda _: None))
    assert recording.unrepeatable is None
    world = only_recorded(recording)
    again = compile_catalog(replace(request, world=world), lambda _: None)
    assert as_json(again) == catalog


def test_a_compile_asks_the_same_whatever_is_kept(repository):
    records = []
    for _ in range(2):
        request, recording = recorded(request_of(repository))
        compile_catalog(request, lambda _: None)
        records.append(dependencies_of(recording, DIGESTS, fact_table(request)))
    assert set(records[0].answers) == set(records[1].answers)
    assert set(records[0].data) == set(records[1].data)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("notice(Timestamp())", "it reads the time"),
        ("notice(shuffle([1, 2]))", "it calls the function shuffle"),
        ("notice(own())", "it calls the Python function own"),
        ("notice(generate('/bin/false'))", "the program /bin/false fails"),
        ("notice(generate('/bin/echo', 'x'))", None),
    ],
)
def test_some_answers_cannot_be_asked_again(repository, code, reason):
    path = repository / "modules/base/lib/bunraku/functions/own.py"
    path.parent.mkdir(parents=True)
    path.write_text("import bunraku\n\n@bunraku.function('own()')\ndef own():\n    return 1\n")
    request, recording = recorded(replace(request_of(repository), code=code))
    with suppress(PuppetError):
        compile_catalog(request, lambda _: None)
    dependencies = dependencies_of(recording, DIGESTS, fact_table(request))
    assert (dependencies is None) == (reason is not None)
    line = f"<puppet code {blake2b(code.encode(), digest_size=6).hexdigest()}>:1"
    assert recording.unrepeatable == (reason and f"{reason} at {line}")


def test_a_program_is_run_again_to_compare_its_output(repository):
    counter = repository / "counter"
    command = f"/bin/sh -c 'echo x >> {counter}; cat {counter}'"
    counter.write_text("")
    words = ", ".join(f'"{word}"' for word in shlex.split(command))
    request, recording = recorded(
        replace(request_of(repository), code=f"notice(generate({words}))")
    )
    compile_catalog(request, lambda _: None)
    dependencies = dependencies_of(recording, DIGESTS, fact_table(request))
    assert dependencies is not None
    assert [one[0] for one in Checker(DISK, DIGESTS).changes(dependencies)] == ["run"]
    assert counter.read_text() == "x\nx\n"


# -- facts -----------------------------------------------------------------------------------------

ALWAYS = {"environment", "facts", "server_facts", "trusted"}
"""Names that facts share with other variables: whether there is such a fact counts in each compile."""


def facts_read(request: Request) -> list[str]:
    """The facts that a compile reads, as ``bunraku affected`` names them."""
    request, recording = recorded(request)
    catalog = compile_catalog(request, lambda _: None)
    assert as_json(catalog) == as_json(
        compile_catalog(replace(request, world=DISK), lambda _: None)
    )
    dependencies = dependencies_of(recording, DIGESTS, fact_table(request))
    assert dependencies is not None
    found = [fact_name(one) for one, _ in dependencies.facts if one[0] != "hash"]
    return [name for name in found if name not in ALWAYS]


READS = {
    "notice($role)": "role",
    "notice($::role)": "role",
    "notice($facts['role'])": "role",
    "notice($os['family'])": "os.family",
    "notice($facts['os']['family'])": "os.family",
    "notice($facts.get('os.family'))": "os.family",
    "notice($facts.dig('os', 'family'))": "os.family",
    "notice(getvar('facts.os.family'))": "os.family",
    "notice(fact('os.family'))": "os.family",
    "$x = 'role' notice($facts[$x])": "x, role",  # a fact named x would be an error
    "notice($facts['os']['none'])": "os.none",
    "notice('role' in $facts['os'])": "os.role, keys of os",
    "notice(defined('$nothing'))": "nothing",
    "notice(getvar('nothing', 1))": "nothing",
    "notice($facts)": "*",
    "notice($facts.keys)": "keys of *",
    "notice($facts['os'].length)": "keys of os",
    "$facts['os'].each |$k, $v| { notice($k) }": "os",
    "function f($h) { $h['role'] } notice(f($facts))": "role",
    "define d($h) { notice($h['role']) } d { 'x': h => $facts }": "*",
    "class c { notice($role) } include c": "role",
    "class c { $role = 1 notice($role) } include c": "",
    "node default { notice($role) }": "role",
    "$new = 1": "new",
    "[1].each |$role| { notice($role) }": "",
    "notify { $role: }": "role",
    "file { '/a': content => $facts['os']['family'] }": "os.family",
    "notify { 'a': message => $facts['os'] }": "os",
    "notify { 'a': * => { message => $role } }": "role",
    "notice(fqdn_rand(100))": "networking.fqdn",
    "notice(inline_epp('<%= $role %>'))": "role",
    "notice(inline_template('<%= @role %>'))": "role",
    "notice(inline_template('<%= scope[\"role\"] %>'))": "role",
    "notice(inline_template('<%= scope.lookupvar(\"::role\") %>'))": "role",
    'notice(inline_template(\'<%= @facts["os"]["family"] %>\'))': "os.family",
    "notice(inline_template('<%= @none %>'))": "none",
    "notice(lookup('plain'))": "",
    "notice(lookup('of_role'))": "role",
    "notice(lookup('of_family'))": "os.family",
    "notice(reads_role())": "role",
    "notice(1)": "",
    "notice($trusted['certname'])": "",
    "notice($server_facts)": "",
}
DATA = "plain: 1\nof_role: '%{::role}'\nof_family: '%{facts.os.family}'\n"
READER = """Puppet::Functions.create_function(:reads_role) do
  dispatch :read do
  end
  def read
    closure_scope['role']
  end
end
"""


@pytest.fixture
def small(tmp_path):
    """An environment with little in it."""
    files = {
        "hiera.yaml": "version: 5\n",
        "data/common.yaml": DATA,
        "modules/m/lib/puppet/functions/reads_role.rb": READER,
        "modules/stdlib/metadata.json": '{"name": "puppetlabs-stdlib", "version": "9.0.0", '
        '"author": "x", "license": "x", "source": "x", "dependencies": []}',
    }
    write(tmp_path / "small", {}, files)
    return tmp_path / "small"


@pytest.mark.parametrize("code", READS)
def test_the_facts_that_are_read_are_recorded(small, code):
    facts = {**NODES["web01"], "none_of_these": {"a": {"b": 1}}}
    request = replace(request_of(small), code=code, facts=facts)
    assert ", ".join(facts_read(request)) == READS[code]


@pytest.mark.parametrize(
    ("code", "settings", "read"),
    [
        ("node 'a' { } node default { notice($os) }", {}, "fqdn, hostname, domain, os"),
        ("notice($os)", {}, "os"),
        ("notice($os['family'])", {"stringify_facts": False}, "os.family"),
        ("notice($facts['role'])", {"trusted_node_data": True}, "role"),
        ("notice($clientcert)", {}, "clientcert"),
        ("notice(inline_template('<%= @role %>'))", {}, "role"),
    ],
)
def test_the_facts_that_puppet_3_reads_are_recorded(small, code, settings, read):
    request = replace(request_of(small), code=code, language="3.8", environment_directory=None)
    request = replace(request, settings=settings, modulepath=[str(small / "modules")])
    assert ", ".join(facts_read(request)) == read


def test_names_that_others_give_depend_on_the_fact(small):
    """A fact with the name of a variable of the classifier is a warning, and loses."""
    request = replace(request_of(small), code="notice($tier)", node_parameters={"tier": "gold"})
    assert facts_read(request) == ["tier"]


@needs_ruby
def test_templates_see_the_variables_in_the_same_order(small):
    """All variables of a scope are those of a compile without a record, in its order."""
    code = "$z = 1 notice($site) $a = inline_template('<%= scope.to_hash.keys.join(%q( )) %>') notice($a)"
    request = replace(request_of(small), code=code)
    logs: list[list[str]] = []
    for one in (request, recorded(request)[0]):
        entries: list[str] = []
        compile_catalog(one, lambda entry, entries=entries: entries.append(entry.message))
        logs.append(entries)
    assert logs[0] == logs[1]
    assert "role" in logs[0][-1]


@pytest.mark.parametrize(
    ("changed", "reused"),
    [
        ({"uptime": "2 days"}, True),
        ({"memory": {"system": {"total": "9 GiB", "available": "2"}}}, True),
        ({"more": [1]}, True),
        ({"role": "db"}, False),
        ({"os": {"family": "RedHat"}}, False),
        ({"os": "Debian"}, False),
        ({"7": 1}, False),
        ({"title": "x"}, False),
        ({"environment": "x"}, False),
    ],
)
def test_facts_that_were_not_read_may_change(repository, store, changed, reused):
    facts = repository.parent / "facts"
    request = replace(request_of(repository), facts={})
    task = Task(request, str(facts / "web01.json"))

    def outcome():
        (found,) = compile_tasks([with_kept(task, store, Checker(DISK, DIGESTS))], jobs=1)
        return found

    first = outcome()
    write_facts(facts, {"web01": {**NODES["web01"], **changed}})
    again = [outcome(), outcome()]
    assert [one.unchanged for one in (first, again[0])] == [False, reused]
    assert again[1].unchanged
    write_facts(facts, NODES)
    assert outcome().text == first.text
    assert not reused or again[0].text == first.text


@pytest.mark.parametrize("text", ["{", "[]", '{"networking": {"interfaces": "eth0"}}'])
def test_facts_that_cannot_be_used_are_those_of_a_compile(repository, store, text):
    """The compile reports what is wrong with them."""
    facts = repository.parent / "facts"
    settings = {**request_of(repository).settings, "include_legacy_facts": True}
    request = replace(request_of(repository), facts={}, settings=settings)
    task = Task(request, str(facts / "web01.json"))
    compile_tasks([with_kept(task, store, Checker(DISK, DIGESTS))], jobs=1)
    (facts / "web01.json").write_text(text)
    again = with_kept(task, store, Checker(DISK, DIGESTS))
    assert again.kept is None
    assert not compile_tasks([again], jobs=1)[0].ok


# -- random edits ----------------------------------------------------------------------------------


class Site:
    """The repository, the facts and the settings, as random edits change them."""

    def __init__(self, folder, store):
        self.folder = folder
        self.root = folder / "repository"
        self.store = store
        self.random = Random(SEED)
        self.files: dict[str, str] = {}
        self.change(dict(FILES))
        self.facts = dict(NODES)
        self.settings: dict[str, object] = {}
        write_facts(folder / "facts", self.facts)

    def change(self, files) -> None:
        write(self.root, self.files, files)
        self.files = files

    def edit(self) -> str:
        """Make one change; return what was done."""
        kind = self.random.random()
        if kind < 0.25:
            node = self.random.choice(list(self.facts))
            self.facts[node], done = edit_facts(self.facts[node], self.random)
            write_facts(self.folder / "facts", self.facts)
            return f"{done} of {node}"
        if kind < 0.29:
            self.settings = {"strict": self.random.choice(["warning", "error", "off"])}
            return f"settings {self.settings}"
        files = dict(self.files)
        done = edit(files, self.random)
        self.change(files)
        return done

    def tasks(self) -> list[Task]:
        return [
            Task(
                replace(
                    request_of(self.root, node),
                    facts={},
                    settings={"basemodulepath": str(self.root / "none"), **self.settings},
                ),
                str(self.folder / "facts" / f"{node}.json"),
                share=SHARED,
            )
            for node in self.facts
        ]

    def only_what_changed(self):
        checker = Checker(DISK, self.store.digests)
        tasks = [with_kept(task, self.store, checker) for task in self.tasks()]
        return compile_tasks(tasks, jobs=1)


def shown(outcome):
    """What an outcome shows of a catalog, or of the reason that there is none."""
    log = [(one.level, one.message, one.file, one.line) for one in outcome.log]
    findings = [(one.code, one.message, one.place.where) for one in outcome.findings]
    return outcome.node, outcome.text, findings, log, outcome.resources


def test_the_result_is_that_of_compiling_all(tmp_path, store):
    site = Site(tmp_path, store)
    reused = compiled = failed = 0
    done: list[str] = []
    good, failures = site.files, 0
    for _ in range(EDITS):
        done.append(site.edit())
        found = site.only_what_changed()
        expected = compile_tasks(site.tasks(), jobs=1)
        assert list(map(shown, found)) == list(map(shown, expected)), done[-8:]
        reused += sum(one.unchanged for one in found)
        failed += sum(not one.ok for one in found)
        compiled += sum(one.ok and not one.unchanged for one in found)
        failures = 0 if all(one.ok for one in found) else failures + 1
        if not failures:
            good = site.files
        elif failures > 1 or site.random.random() < 0.7:
            # The facts may need what the last good state lacks: then begin again.
            site.change(good if failures < 3 else dict(FILES))
            site.settings = {}
            done.append("take it back")
    print(f"{EDITS} edits: {reused} reused, {compiled} compiled, {failed} failed")
    assert reused > EDITS
    assert compiled > EDITS / 4
