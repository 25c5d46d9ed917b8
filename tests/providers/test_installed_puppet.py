"""Resources that bunraku's providers do not manage are managed by an installed Puppet, in one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bunraku
from bunraku.apply.direct import Direct
from bunraku.apply.log import Message, console_line
from bunraku.apply.plan import plan_data, plan_of
from bunraku.apply.run import apply_catalog
from bunraku.base.errors import PuppetError
from bunraku.cli.apply.plan_text import plan_text
from bunraku.providers.ruby_process import OWN_RUBY, SCRIPT, find_ruby
from bunraku.world.host import CommandTimeout
from bunraku.world.linux import LinuxHost
from support.applying import SETTINGS, Applied, apply, declared
from support.host import MemoryHost, Scripted, file
from support.installed_puppet import needs_puppet

TYPE = """
Puppet::Type.newtype(:motd) do
  ensurable
  newparam(:name)
  newproperty(:text)
  def refresh
    notice "refreshed #{self[:name]}"
  end
end
"""
PROVIDER = """
Puppet::Type.type(:motd).provide(:plain) do
  def exists?
    true
  end

  def text
    case resource[:name]
    when 'fails' then raise Puppet::Error, "no text of #{resource[:text]}"
    when 'exits' then exit 3
    when 'dies' then Process.kill(:KILL, Process.pid)
    when 'aborts' then raise NotImplementedError, 'later'
    when 'loops' then text
    when 'prints' then puts '{"answer": 5}'
    when 'moves' then Dir.chdir('/') { Dir.chdir('/usr'); File.umask(0) }
    when 'forks' then exit!(0) if fork.nil?
    when 'leaves' then fork
    when 'tells' then Process.wait(fork { Puppet.notice('from a child'); exit!(0) })
    when 'closes' then (3..60).each { |one| IO.for_fd(one).close rescue nil }
    end
    'old'
  end

  def text=(value); end
end
"""


STARTED = {"answer": {"version": "7.23.0"}}
SUITABLE = {"answer": {"suitable": True, "provider": "plain"}}
PREFETCHED = {"answer": {"error": None}}
RELATED: Any = {"answer": {}}
FINISHED: Any = {"answer": {}}


def described(**more: Any) -> dict[str, Any]:
    """Return the answer to the creation of a resource."""
    plain = ("refreshes_itself", "depth_first", "generates", "grows", "removes")
    facts = {"name": "a", "refreshable": True, **dict.fromkeys(plain, False)}
    return {"answer": [{**facts, **more}]}


def applied(*events: dict[str, Any], failed: bool = False) -> dict[str, Any]:
    """Return the answer to the application of a resource."""
    return {"answer": {"failed": failed, "events": events, "audited": {}, "values": {}}}


def event(status: str = "success") -> dict[str, Any]:
    """Return an event of Puppet."""
    no = dict.fromkeys(("audited", "redacted", "corrective", "drops_refresh"), False)
    return {
        "property": "text",
        "name": "text_changed",
        "status": status,
        "message": "text changed 'a' to 'b'",
        "previous": "a",
        "desired": "b",
        "historical": None,
        **no,
    }


def machine(*scripts: Scripted) -> MemoryHost:
    """Return a machine with Puppet, whose processes give prepared answers."""
    return MemoryHost(installed=["ruby", "puppet"], dialogues=scripts)


def catalog(code: str, tmp_path: Path) -> bunraku.Catalog:
    """Return the catalog of code with a type that only Ruby can manage."""
    library = tmp_path / "motd/lib/puppet"
    for name, text in (("type/motd.rb", TYPE), ("provider/motd/plain.rb", PROVIDER)):
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(text, encoding="utf-8")
    return bunraku.compile(code, modulepath=[str(tmp_path)])


# -- finding Puppet --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "programs", "ruby"),
    [
        ({}, [], None),
        ({OWN_RUBY: file(mode=0o755)}, [], OWN_RUBY),
        (
            {"/usr/bin/puppet": "#!/usr/bin/env ruby3.1\n"},
            ["puppet", "ruby3.1"],
            "/usr/bin/ruby3.1",
        ),
        ({"/usr/bin/puppet": "#!/bin/sh\n"}, ["puppet", "ruby"], "/usr/bin/ruby"),
        ({"/usr/bin/puppet": "#!/usr/bin/env ruby\n"}, ["puppet"], None),
    ],
)
def test_the_ruby_of_puppet_is_found(files: Any, programs: list[str], ruby: str | None) -> None:
    assert find_ruby(MemoryHost(files, installed=programs)) == ruby


# -- the process -----------------------------------------------------------------------------------


def test_one_process_does_it_all(tmp_path: Path) -> None:
    said = {"log": ["notice", "text changed 'a' to 'b'", "/Stage[main]/Main/Motd[a]/text"]}
    script = Scripted(
        STARTED, described(), RELATED, SUITABLE, PREFETCHED, said, applied(event()), FINISHED
    )
    host = machine(script)

    done = apply(host, catalog("motd { 'a': text => 'b' }", tmp_path))

    assert done.changes == ["Motd[a]/text: text changed 'a' to 'b'"]
    assert done.lines == [
        "Info: An installed Puppet manages 1 resource: motd",
        "Notice: /Stage[main]/Main/Motd[a]/text: text changed 'a' to 'b'",
    ]
    actions = [one.get("action", "start") for one in script.sent]
    assert actions == ["start", "create", "relations", "suitable", "prefetch", "apply", "finish"]
    assert host.started == [("/usr/bin/ruby", str(SCRIPT))]
    assert script.has_ended


def test_a_plan_names_what_puppet_manages(tmp_path: Path) -> None:
    script = Scripted(
        STARTED, described(), RELATED, SUITABLE, PREFETCHED, applied(event("noop")), FINISHED
    )
    settings = {**SETTINGS, "noop": True}
    done = apply(machine(script), catalog("motd { 'a': text => 'b' }", tmp_path), settings=settings)

    plan = plan_of(done.report)

    assert plan_data(plan)["by_puppet"] == ["Motd[a]"]
    assert "An installed Puppet manages Motd[a].\nPlan: " in plan_text(plan, lambda _, text: text)


def test_without_such_a_resource_there_is_no_process() -> None:
    host = machine()
    apply(host, "notify { 'a': }")
    assert host.started == []


def test_a_puppet_that_cannot_start_stops_the_run(tmp_path: Path) -> None:
    host = machine(Scripted({"ended": "cannot load such file -- puppet"}))
    with pytest.raises(PuppetError, match="cannot load such file"):
        apply(host, catalog("file { '/x': ensure => file } motd { 'a': }", tmp_path))
    assert "/x" not in host.entries


def test_a_refusal_of_puppet_stops_the_run_before_any_change(tmp_path: Path) -> None:
    host = machine(Scripted(STARTED, {"answer": [{"error": "Parameter text failed on Motd[a]"}]}))
    host.dialogues[0].lines.append(FINISHED)
    with pytest.raises(PuppetError, match="Parameter text failed on") as caught:
        apply(host, catalog("\nmotd { 'a': text => 'b' }", tmp_path))
    assert caught.value.diagnostic.line == 2


@pytest.mark.parametrize("end", [None, CommandTimeout()])
def test_a_process_that_dies_fails_one_resource(tmp_path: Path, end: Any) -> None:
    first = Scripted(STARTED, described(), RELATED, SUITABLE, PREFETCHED, end)
    first.lines[1] = {"answer": [*described()["answer"], *described(name="b")["answer"]]}
    second = Scripted(STARTED, first.lines[1], SUITABLE, applied(event()), FINISHED)

    done = apply(machine(first, second), catalog("motd { ['a', 'b']: text => 'b' }", tmp_path))

    failed, changed = done.report.statuses["Motd[a]"], done.report.statuses["Motd[b]"]
    assert (failed.failed, changed.failed, changed.changed) == (True, False, True)
    assert "the Ruby process" in failed.events[0].message
    assert [one.get("action") for one in second.sent][:3] == [None, "create", "suitable"]


def test_an_interrupt_kills_the_process(tmp_path: Path) -> None:
    script = Scripted(STARTED, described(), RELATED, SUITABLE, PREFETCHED, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        apply(machine(script), catalog("motd { 'a': text => 'b' }", tmp_path))
    assert script.has_ended


def test_secrets_are_named_and_hidden(tmp_path: Path) -> None:
    said = {"log": ["notice", "it is hidden77", "Puppet"]}
    failing = {"answer": {"error": "bad hidden77"}}
    script = Scripted(STARTED, described(), RELATED, SUITABLE, PREFETCHED, said, failing, FINISHED)
    code = "motd { 'a': text => Sensitive('hidden77') }"

    done = apply(machine(script), catalog(code, tmp_path))

    (resource,) = script.sent[1]["resources"]
    assert (resource["parameters"]["text"], resource["sensitive"]) == ("hidden77", ["text"])
    assert "Notice: it is [redacted]" in done.lines
    assert "hidden77" not in str((done.lines, done.report.statuses["Motd[a]"].events))


def test_a_secret_that_puppet_refuses_is_not_shown(tmp_path: Path) -> None:
    refusal = {"answer": [{"error": "Parameter text failed on Motd[a]: not 'hid\\den'"}]}
    host = machine(Scripted(STARTED, refusal, FINISHED))
    with pytest.raises(PuppetError) as caught:
        apply(host, catalog("motd { 'a': text => Sensitive('hidden') }", tmp_path))
    assert caught.value.message == "Motd[a]: [redacted]"


def test_a_provider_that_puppet_refuses_has_a_hint_and_one_place() -> None:
    words = "Parameter provider failed on Vcsrepo[/srv/a]: Invalid vcsrepo provider 'gti'"
    refusal = {"answer": [{"error": f"{words} (file: /a.pp, line: 3)"}]}
    parameters = {"provider": "gti"}
    row = {"type": "Vcsrepo", "title": "/srv/a", "parameters": parameters}
    data = {"name": "host", "resources": [{**row, "file": "/a.pp", "line": 3}]}
    with pytest.raises(PuppetError) as caught:
        apply(machine(Scripted(STARTED, refusal, FINISHED)), bunraku.Catalog(data))
    assert (caught.value.message, caught.value.diagnostic.line) == (words, 3)
    assert (caught.value.diagnostic.hint or "").startswith("did you mean 'git'? the providers of")


def test_questions_of_the_process_are_answered(tmp_path: Path) -> None:
    script = Scripted(
        STARTED, {"ask": "facts"}, {"ask": "catalog"}, described(), RELATED, SUITABLE, PREFETCHED,
        applied(), FINISHED,
    )  # fmt: skip
    apply(machine(script), catalog("motd { 'a': } notify { 'b': message => 'c' }", tmp_path))
    facts, others = script.sent[2:4]
    assert facts == {}
    assert {"type": "notify", "title": "b", "name": "b"}.items() <= others[0].items()
    assert [one["type"] for one in others if one["type"] == "motd"] == []


def test_generated_resources_are_part_of_the_run(tmp_path: Path) -> None:
    child = {
        **described(name="c")["answer"][0],
        "number": 2,
        "type": "motd",
        "title": "c",
        "noop": False,
        "level": "notice",
        "schedule": None,
        "relations": {},
        "related": False,
    }
    script = Scripted(
        STARTED, described(generates=True), {"answer": [child]}, RELATED, SUITABLE, PREFETCHED,
        applied(), SUITABLE, applied(event()), FINISHED,
    )  # fmt: skip

    done = apply(machine(script), catalog("motd { 'a': }", tmp_path))

    assert [(one["action"], one["number"]) for one in script.sent if "number" in one][-1] == (
        "apply",
        2,
    )
    assert done.report.statuses["Motd[c]"].changed


def test_implicit_relationships_may_refresh(tmp_path: Path) -> None:
    related = {"answer": {"1": {"subscribe": [["notify", "b"]], "require": [["notify", "x"]]}}}
    refreshed = Scripted(
        STARTED, described(), related, SUITABLE, PREFETCHED, applied(), {"answer": {}}, FINISHED
    )
    done = apply(machine(refreshed), catalog("motd { 'a': } notify { 'b': }", tmp_path))
    assert done.report.statuses["Motd[a]"].restarted


# -- single resources ------------------------------------------------------------------------------


def direct(*lines: Any) -> tuple[Direct, Scripted]:
    """Return a machine with a module that has the type, and the program that Puppet is."""
    script = Scripted(STARTED, *lines, FINISHED)
    files = {"/m/motd/lib/puppet/type/motd.rb": TYPE}
    host = MemoryHost(files, installed=["ruby", "puppet"], dialogues=[script])
    return Direct(host, SETTINGS, modules=["/m"]), script


def test_resources_are_listed() -> None:
    values = {"text": "b", "ensure": "present", "other": "absent"}
    found = {"title": "a", "provider": "plain", "values": values}
    access, script = direct({"answer": [found]})

    (one,) = access.every("motd")

    assert one.attributes == {"ensure": "present", "provider": "plain", "text": "b"}
    assert script.sent[1:] == [
        {"action": "list", "type": "motd", "title": None},
        {"action": "finish"},
    ]
    assert script.has_ended


def test_a_type_that_cannot_be_listed_is_an_error() -> None:
    access, script = direct({"answer": {"error": "motd has no providers"}})
    with pytest.raises(PuppetError, match="Could not read motd resources: motd has no providers"):
        access.one("motd", "a")
    assert script.has_ended


# -- with a real Puppet ----------------------------------------------------------------------------


def run(code: str, tmp_path: Path, *, noop: bool = False) -> Applied:
    """Apply code with the real Puppet."""
    messages: list[Message] = []
    report = apply_catalog(
        catalog(code, tmp_path),
        LinuxHost(),
        {**SETTINGS, "noop": noop},
        destinations=[messages.append],
        modules=[str(tmp_path)],
    )
    return Applied(report, messages)


@needs_puppet
def test_what_a_provider_does_to_its_process_fails_one_resource(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    names = [
        "fails",
        "exits",
        "dies",
        "aborts",
        "loops",
        "prints",
        "moves",
        "forks",
        "leaves",
        "tells",
        "closes",
        "last",
    ]
    code = "\n".join(f"motd {{ '{name}': ensure => present, text => 'new' }}" for name in names)

    done = run(code, tmp_path)

    statuses = done.report.statuses
    failed = {name: statuses[f"Motd[{name}]"].events[-1].message for name in names
              if statuses[f"Motd[{name}]"].failed}  # fmt: skip
    assert failed.keys() == {"fails", "exits", "dies", "aborts", "loops", "closes"}
    assert failed["fails"] == "no text of new"
    assert failed["exits"] == "the provider called exit (3)"
    assert failed["dies"] == "the Ruby process ended (signal 9)"
    assert failed["closes"] == "the Ruby process ended (exit code 1)"
    assert failed["aborts"] == "NotImplementedError: later"
    assert failed["loops"].startswith("SystemStackError: stack level too deep")
    assert statuses["Motd[last]"].changed
    printed = capfd.readouterr().err
    assert '{"answer": 5}' in printed
    assert "installed_puppet.rb" not in printed
    assert "from a child" not in [message.text for message in done.messages]


@needs_puppet
@pytest.mark.parametrize(
    ("text", "reason"),
    [("raise 'not here'", "not here"), ("exit 3", r"exit \(3\) was called in .*/type/other.rb:1")],
)
def test_a_type_whose_file_cannot_be_loaded_is_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    types = tmp_path / "motd/lib/puppet/type"
    types.mkdir(parents=True)
    (types / "other.rb").write_text(f"{text}\n")
    with pytest.raises(PuppetError, match=f"Could not autoload puppet/type/other: {reason}"):
        apply_catalog(declared("other", {"a": {}}), LinuxHost(), SETTINGS, modules=[str(tmp_path)])


@needs_puppet
def test_a_noop_run_and_refreshes(tmp_path: Path) -> None:
    code = "notify { 'b': notify => Motd['a'] } motd { 'a': text => 'c' }"

    found = run(code, tmp_path, noop=True)
    assert [one.message for one in found.report.events()][-1] == (
        "current_value 'old', should be 'c' (noop)"
    )

    lines = [console_line(one) for one in run(code, tmp_path).messages]
    assert "Notice: /Stage[main]/Main/Motd[a]/text: text changed 'old' to 'c'" in lines
    assert "Notice: /Stage[main]/Main/Motd[a]: refreshed a" in lines


@needs_puppet
def test_types_get_bytes_and_patterns_as_from_puppet(tmp_path: Path) -> None:
    code = "motd { 'a': text => Binary('aGVsbG8=') } motd { 'b': text => /a.b/ }"
    done = run(code, tmp_path)
    assert [(event.message, event.desired) for event in done.report.events()] == [
        ("text changed 'old' to 'hello'", "aGVsbG8="),
        ("text changed 'old' to a.b", "/a.b/"),
    ]
