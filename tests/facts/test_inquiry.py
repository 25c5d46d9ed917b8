"""Lookups for this machine collect only the facts that they read."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.request import Request
from bunraku.facts.collect import ALL, COLLECTORS, MachineFacts
from bunraku.facts.probe import Probe
from bunraku.modules.fact_reads import Gathering
from bunraku.modules.node import agent_facts
from bunraku.world.dictionary import DictionaryWorld

HIERA = """\
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: system, path: "%{facts.os.family}.yaml"}
  - {name: mapped, mapped_paths: [roles, os, "roles/%{os}.yaml"]}
  - {name: common, path: common.yaml}
"""
DATA = """\
plain: 1
kernel: "%{facts.kernel} %{facts.kernelrelease}"
flat: "%{kernel} %{::is_virtual}"
part: "%{facts.networking.hostname}"
other: "%{facts.nothing.at.all}%{facts.rack}%{nowhere}"
within: "a %{lookup('kernel')} %{alias}"
alias: "%{alias('memory')}"
memory: {total: "%{memory.system.total}"}
whole: "%{facts}"
wrong: "%{facts.kernel.x.y}"
to_integer: "7"
lookup_options: {to_integer: {convert_to: Integer}}
"""
SITE = {
    "/e/p/hiera.yaml": HIERA,
    "/e/p/data/Debian.yaml": "system: 'of %{facts.os.name}'\n",
    "/e/p/data/common.yaml": DATA,
    "/e/p/modules/m/hiera.yaml": """\
version: 5
hierarchy:
  - {name: by function, data_hash: m::data}
""",
    "/e/p/modules/m/functions/data.pp": """\
function m::data($options, $context) {
  { 'm::a' => $facts['processors']['count'], 'foreign' => 1 }
}
""",
    "/e/p/modules/n/hiera.yaml": "version: 5\nhierarchy: [{name: own, path: own.yaml}]\n",
    "/e/p/modules/n/data/own.yaml": "n::a: '%{facts.timezone}'\nforeign: 1\n",
}
MACHINE = {
    "/etc/os-release": 'ID=debian\nVERSION_ID="12"\nNAME="Debian GNU/Linux"\n',
    "/etc/debian_version": "12.5\n",
    "/proc/sys/kernel/hostname": "web1\n",
    "/proc/meminfo": "MemTotal: 2048 kB\nMemAvailable: 1024 kB\n",
    "/proc/cpuinfo": "processor : 0\nmodel name : x\n\nprocessor : 1\nmodel name : x\n",
}
PROGRAMS = {
    ("uname", "-srmp"): "Linux 6.1.0 x86_64 unknown\n",
    ("date", "+%Z"): "CET\n",
    ("/etc/facter/facts.d/rack",): "rack=7\n",
}
FACTS_PROGRAM = {"/etc/facter/facts.d/rack": "#!/bin/sh"}
NODE = "web1"


class Machine(DictionaryWorld):
    """A machine that keeps which programs were asked for."""

    def run(self, command, directory=None):
        self.asked.append(command[0])
        return super().run(command, directory)


def machine(variables=()):
    files = {**MACHINE, **FACTS_PROGRAM}
    made = Machine(
        {path: text.encode() for path, text in files.items()},
        programs=PROGRAMS,
        variables=dict(variables),
    )
    made.asked = []
    return made


def request(files=(), **fields):
    site = {path: text.encode() for path, text in {**SITE, **dict(files)}.items()}
    settings = {"environmentpath": "/e", "environment": "p", "strict": "warning"}
    settings.update(fields.pop("settings", {}))
    return Request(node=NODE, settings=settings, world=DictionaryWorld(site), **fields)


class Outcome:
    """The result of a lookup, and its cost."""

    def __init__(self, question, given, here, *, lazily):
        self.logged = []
        here.asked.clear()
        known = MachineFacts(here, lambda _: None)
        agent = agent_facts(NODE)
        self.wanted = []

        def facts(names):
            self.wanted.append(names)
            return {**agent, **known.facts(names)}

        if lazily:
            gathering = Gathering(ALL, facts, frozenset({"networking"}))
        else:
            given, gathering = replace(given, facts=facts(None)), None
        answer = look_up(given, question, self.note, gathering)
        self.asked = set(here.asked)
        self.external_runs = here.asked.count("/etc/facter/facts.d/rack")
        self.value = answer.value
        self.error = answer.error and (answer.error.code, str(answer.error.diagnostic))
        self.explanation = answer.explanation and (
            answer.explanation.text(),
            answer.explanation.data(),
        )

    def note(self, entry):
        self.logged.append((entry.level, entry.message, entry.file, entry.line, entry.code))

    @property
    def visible(self):
        return self.value, self.error, self.explanation, self.logged


def programs_for(*names):
    """The programs that the collectors of facts ask for on the machine."""
    here = machine()
    for collector, provided in COLLECTORS.items():
        if not provided.isdisjoint({"networking", *names}):
            collector(Probe(here))
    return set(here.asked) | {"/etc/facter/facts.d/rack"}


EVERYTHING = tuple(ALL)
KEYS = [
    ("plain", ("os",)),
    ("system", ("os",)),
    ("kernel", ("os", "kernel")),
    ("flat", ("os", "kernel", "virtual")),
    ("part", ("os",)),
    ("other", ("os",)),
    ("within", ("os", "kernel")),
    ("alias", ("os", "memory")),
    ("wrong", ("os", "kernel")),
    ("n::a", ("os", "timezone")),
    ("absent", ("os",)),
    ("whole", EVERYTHING),
    ("to_integer", EVERYTHING),
    ("m::a", EVERYTHING),
]


@pytest.mark.parametrize(("key", "needed"), KEYS)
@pytest.mark.parametrize("language", ["8", "3.8-future"])
def test_a_lookup_collects_the_facts_that_it_reads_and_no_others(key, needed, language):
    here = machine()
    given = request(language=language)
    eager = Outcome(Question([key]), given, here, lazily=False)
    lazy = Outcome(Question([key]), given, here, lazily=True)
    assert lazy.visible == eager.visible
    assert lazy.asked == programs_for(*needed)
    assert lazy.external_runs == 1
    assert eager.asked == programs_for(*EVERYTHING)
    assert (lazy.wanted[-1] is None) is (needed is EVERYTHING)


@pytest.mark.parametrize("key", [key for key, _ in KEYS])
def test_explanations_are_those_with_all_facts(key):
    here = machine()
    for question in (Question([key], explain=True), Question([key], explain_options=True)):
        eager = Outcome(question, request(), here, lazily=False)
        lazy = Outcome(question, request(), here, lazily=True)
        assert lazy.visible == eager.visible


def test_an_explanation_that_prints_all_facts_collects_them():
    here = machine()
    of_hash = Outcome(Question(["kernel"], explain=True), request(), here, lazily=True)
    assert of_hash.wanted[-1] is None
    assert "timezone" in of_hash.explanation[0]
    of_variable = Outcome(Question(["flat"], explain=True), request(), here, lazily=True)
    assert of_variable.asked == programs_for("os", "kernel", "virtual")


def test_the_catalog_is_compiled_with_all_facts():
    site = {"/e/p/manifests/site.pp": "$role = $facts['timezone']"}
    site["/e/p/data/common.yaml"] = "by_manifest: '%{role}'"
    question = Question(["by_manifest"], after_compile=True)
    outcome = Outcome(question, request(site), machine(), lazily=True)
    assert (outcome.value, outcome.wanted) == ("CET", [None])


def test_external_facts_win_over_those_of_the_machine():
    here = machine({"FACTER_KERNEL": "Plan9", "FACTER_OS": "text"}.items())
    for key in ("kernel", "flat", "plain"):
        eager = Outcome(Question([key]), request(), here, lazily=False)
        lazy = Outcome(Question([key]), request(), here, lazily=True)
        assert lazy.visible == eager.visible


def test_a_fact_with_the_name_of_a_server_fact_is_reported():
    given = request(server_facts={"kernel": "Plan9", "serverversion": "8"})
    eager = Outcome(Question(["plain"]), given, machine(), lazily=False)
    lazy = Outcome(Question(["plain"]), given, machine(), lazily=True)
    assert any("kernel" in message for _, message, *_ in eager.logged)
    assert lazy.visible == eager.visible


def test_a_hierarchy_of_version_3_reads_facts_by_name():
    files = {
        "/h/hiera.yaml": ":backends: [yaml]\n:yaml:\n  :datadir: /h/data\n"
        ":hierarchy:\n  - '%{::kernel}'\n  - '%{calling_module}'\n  - common\n",
        "/h/data/Linux.yaml": "old: 'by %{::timezone}'\n",
    }
    given = request(files, hiera_config="/h/hiera.yaml")
    eager = Outcome(Question(["old"]), given, machine(), lazily=False)
    lazy = Outcome(Question(["old"]), given, machine(), lazily=True)
    assert lazy.visible == eager.visible
    assert lazy.value == "by CET"
    assert lazy.asked == programs_for("kernel", "timezone")


def test_a_lookup_that_fails_logs_its_warnings_once():
    files = {"/e/p/data/common.yaml": "broken: '%{nowhere}%{kernel}%{unknown(\"x\")}'"}
    for key in ("broken", "plain"):
        eager = Outcome(Question([key]), request(files), machine(), lazily=False)
        lazy = Outcome(Question([key]), request(files), machine(), lazily=True)
        assert eager.error is not None
        assert lazy.visible == eager.visible


def test_an_environment_that_is_missing_is_an_error_as_without_gathering():
    given = request(settings={"environment": "absent"})
    for lazily in (False, True):
        with pytest.raises(PuppetError, match="absent"):
            Outcome(Question(["plain"]), given, machine(), lazily=lazily)
