"""A catalog is compiled again only if something that it depends on changed; the result is the same."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from random import Random

import pytest

from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.compile import compile_catalog
from bunraku.engine.dependencies import Checker, Digests, dependencies_of
from bunraku.engine.kept_catalogs import CatalogStore, recorded
from bunraku.engine.nodes import SHARED, Task, as_json, compile_tasks, with_kept
from bunraku.engine.request import DISK, Request
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.recording import Recording
from support.control_repository import FILES, NODES, edit, write, write_facts

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
        records.append(dependencies_of(recording, DIGESTS))
    assert set(records[0].answers) == set(records[1].answers)
    assert set(records[0].data) == set(records[1].data)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("notice(Timestamp())", "it asks for the time"),
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
    assert recording.unrepeatable == reason
    assert (dependencies_of(recording, DIGESTS) is None) == (reason is not None)


def test_a_program_is_run_again_to_compare_its_output(repository):
    counter = repository / "counter"
    command = f"/bin/sh -c 'echo x >> {counter}; cat {counter}'"
    counter.write_text("")
    words = ", ".join(f'"{word}"' for word in shlex.split(command))
    request, recording = recorded(
        replace(request_of(repository), code=f"notice(generate({words}))")
    )
    compile_catalog(request, lambda _: None)
    dependencies = dependencies_of(recording, DIGESTS)
    assert dependencies is not None
    assert [one[0] for one in Checker(DISK, DIGESTS).changes(dependencies)] == ["run"]
    assert counter.read_text() == "x\nx\n"


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
        if kind < 0.06:
            node = self.random.choice(list(self.facts))
            role = self.random.choice(["web", "db", "mon"])
            self.facts[node] = {**self.facts[node], "role": role, "more": self.random.random()}
            write_facts(self.folder / "facts", self.facts)
            return f"facts of {node}: role {role}"
        if kind < 0.10:
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
            # The facts may need what the last good state lacks: then begin anew.
            site.change(good if failures < 3 else dict(FILES))
            site.settings = {}
            done.append("take it back")
    print(f"{EDITS} edits: {reused} reused, {compiled} compiled, {failed} failed")
    assert reused > EDITS
    assert compiled > EDITS / 4
