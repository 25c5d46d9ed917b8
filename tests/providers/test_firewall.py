"""The resource types firewall and firewallchain: reading, words of commands, order, wrong values."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku import Catalog
from bunraku.base.errors import PuppetError
from bunraku.providers.firewall.commands import NEW_OPTIONS, old_arguments, rule_arguments
from bunraku.providers.firewall.states import state_before_7, state_since_7
from bunraku.providers.iptables import position, rule_of, saved
from support.applying import apply
from support.host import Expected, MemoryHost

EMPTY = "*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n"
DEBIAN = {"/etc/os-release": "ID=debian\n"}
LINE = (
    "-A INPUT ! -s 10.0.0.0/8 -p tcp -m multiport ! --dports 80,8000:8010 -m state "
    '--state NEW -m comment --comment "100 it\\\'s \\"web\\"" -j ACCEPT'
)


def declared(kind: str, title: str, **parameters: Any) -> Catalog:
    """Return a catalog with one resource."""
    return Catalog(
        {"name": "web", "resources": [{"type": kind, "title": title, "parameters": parameters}]}
    )


def test_a_rule_is_read_as_the_module_reads_it_since_version_7() -> None:
    state = state_since_7(rule_of(LINE, "filter", "IPv4"), "100 x")

    assert state["source"] == "! 10.0.0.0/8"
    assert state["dport"] == ["! 80", "8000:8010"]
    assert (state["state"], state["jump"], state["log_uid"]) == ("NEW", "ACCEPT", False)


def test_a_rule_is_read_as_the_module_read_it_before_version_7() -> None:
    state = state_before_7(rule_of(LINE, "filter", "IPv4"), "iptables", 1)

    assert state is not None
    assert state["name"] == '100 it\'s "web"'
    assert state["dport"] == ["! 80", "! 8000-8010"]
    assert (state["action"], state.get("jump"), state["log_uid"]) == ("accept", None, "false")


def test_a_rule_with_unknown_options_is_unknown_to_old_modules() -> None:
    rule = rule_of("-A INPUT -p sctp -m sctp --dport 5 -j ACCEPT", "filter", "IPv4")

    assert state_before_7(rule, "iptables", 1) is None


def test_warnings_within_the_output_are_left_out() -> None:
    text = (
        "*filter\n:INPUT DROP [1:2]\n-A INPUT # Warning: iptables-legacy tables present\n-j DROP\n"
    )

    assert [chain.policy for chain in saved(text, "IPv4").chains] == ["drop"]
    assert [rule.line for rule in saved(text, "IPv4").rules] == ["-A INPUT -j DROP"]


def test_a_name_is_one_word_whatever_it_contains() -> None:
    words = rule_arguments(NEW_OPTIONS, {"name": "1 a'b $(id); x", "jump": "DROP"}, "IPv4")

    assert words == ["-j", "DROP", "-m", "comment", "--comment", "1 a'b $(id); x"]


def test_only_old_modules_always_take_several_ports() -> None:
    values = {"proto": "tcp", "dport": "80", "ipset": ["! a src", "b dst,src"]}

    assert rule_arguments(NEW_OPTIONS, values, "IPv4")[:4] == ["-p", "tcp", "--dport", "80"]
    assert old_arguments(values, "IPv4") == [
        *("-p", "tcp", "-m", "multiport", "--dports", "80"),
        *("-m", "set", "!", "--match-set", "a", "src"),
        *("-m", "set", "--match-set", "b", "dst,src"),
    ]


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("100 a", [], 1),
        ("100 a", ["9001 x"], 1),
        ("100 a", ["9001 x", "200 b"], 1),
        ("300 a", ["9001 x", "200 b", "9003 y"], 3),
        ("200 b", ["9001 x", "200 b", "9003 y"], 2),
        ("999 z", ["100 a", "9002 docker"], 3),
    ],
)
def test_a_rule_gets_its_place_by_name(name: str, names: list[str], expected: int) -> None:
    assert position(name, names) == expected


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"dport": "http", "jump": "accept"}, "firewall.dport expects"),
        ({"iniface": ["lo"], "protocol": "IPv4"}, "firewall.iniface expects"),
        ({"protocol": "IPv4", "provider": "iptables"}, "no parameter named 'protocol'"),
        ({"action": "allow"}, "Valid values are accept, reject, drop."),
        ({"action": "accept", "source": "10.0.0.0/33"}, "host_to_ip failed for 10.0.0.0/33"),
        ({"action": "accept", "uid": "root"}, "uid only applies to chains OUTPUT,POSTROUTING"),
        ({"action": "accept", "jump": "LOG"}, "Only one of the parameters 'action' and 'jump'"),
    ],
)
def test_wrong_values_are_refused_before_the_run(attributes: dict[str, Any], reason: str) -> None:
    host = MemoryHost(
        DEBIAN, commands=[Expected(("getent", "ahostsv4", "--", "10.0.0.0/33"), code=2)]
    )

    with pytest.raises(PuppetError) as caught:
        apply(host, declared("Firewall", "1 a", **attributes))

    assert reason in caught.value.message


def test_the_module_on_the_machine_decides_what_attributes_mean() -> None:
    library = "/modules/firewall/lib/puppet/provider/firewall/iptables.rb"
    rule = (
        *("-p", "tcp", "-m", "multiport", "--dports", "22"),
        *("-m", "comment", "--comment", "1 a"),
    )
    commands = [
        Expected(("iptables-save",), EMPTY),
        Expected(("iptables-save",), EMPTY),
        Expected(("iptables", "-I", "INPUT", "1", "--wait", "-t", "filter", *rule)),
        Expected(("dpkg-query", "-Wf", "${Version}", "netfilter-persistent"), "1.0.20"),
        Expected(("/usr/sbin/service", "netfilter-persistent", "save")),
    ]
    host = MemoryHost({**DEBIAN, library: ""}, commands=commands)

    done = apply(host, declared("Firewall", "1 a", dport=22), modules=["/modules"])

    assert done.changes == ["Firewall[1 a]/ensure: created"]
    assert host.expected == []


def test_two_rules_of_one_name_stop_the_module_since_version_7() -> None:
    twice = EMPTY.replace("COMMIT", '-A INPUT -m comment --comment "1 a" -j DROP\n' * 2 + "COMMIT")
    commands = [Expected(("iptables-save",), twice), Expected(("ip6tables-save",), EMPTY)]

    done = apply(MemoryHost(DEBIAN, commands=commands), declared("Firewall", "1 a", jump="drop"))

    assert any("Duplicate names have been found" in line for line in done.lines)


def test_a_rule_that_cannot_be_saved_is_a_warning() -> None:
    commands = [
        Expected(("iptables-save",), EMPTY),
        Expected(("ip6tables-save",), ""),
        Expected(("iptables", "-t", "filter", "-N", "WEB")),
        Expected(("dpkg-query", "-Wf", "${Version}", "netfilter-persistent"), code=1),
        Expected(("/usr/sbin/service", "iptables-persistent", "save"), "unrecognized", code=1),
    ]
    host = MemoryHost(DEBIAN, commands=commands)

    done = apply(host, declared("Firewallchain", "WEB:filter:IPv4"))

    assert done.changes == ["Firewallchain[WEB:filter:IPv4]/ensure: defined 'ensure' as 'present'"]
    assert any("Unable to persist firewall rules: Execution of" in line for line in done.lines)


MARK = "/var/lib/state/unsaved_firewall_rules"
VERSION = Expected(("dpkg-query", "-Wf", "${Version}", "netfilter-persistent"), "1.0.20")
SAVE = Expected(("/usr/sbin/service", "netfilter-persistent", "save"))
STATE = {**DEBIAN, "/var/lib/state/state.yaml": ""}


def chains(*names: str) -> list[dict[str, Any]]:
    """Return chains as resources of a catalog."""
    return [{"type": "Firewallchain", "title": f"{name}:filter:IPv4"} for name in names]


def test_rules_are_saved_once_for_successive_resources() -> None:
    with_a = EMPTY.replace("COMMIT", ":A - [0:0]\nCOMMIT")
    rules_of_ipv6 = Expected(("ip6tables-save",), "")
    again = Expected(("iptables-save",), with_a)
    commands = [
        *(Expected(("iptables-save",), EMPTY), rules_of_ipv6),
        *(Expected(("iptables", "-t", "filter", "-N", "A")), again),
        *(Expected(("iptables", "-t", "filter", "-N", "B")), VERSION, SAVE, again, rules_of_ipv6),
        *(Expected(("iptables", "-t", "filter", "-N", "C")), SAVE),
    ]
    resources = [*chains("A", "B"), {"type": "Notify", "title": "hello"}, *chains("C")]
    host = MemoryHost(STATE, commands=commands)

    done = apply(host, Catalog({"name": "web", "resources": resources}))

    assert len(done.changes) == 4
    assert host.expected == []
    assert MARK not in host.entries


def test_the_next_run_saves_the_rules_of_a_run_that_was_killed() -> None:
    made = EMPTY.replace("COMMIT", ":A - [0:0]\nCOMMIT")
    commands = [
        Expected(("iptables-save",), made),
        Expected(("ip6tables-save",), ""),
        VERSION,
        SAVE,
    ]
    host = MemoryHost({**STATE, MARK: "IPv4 0\n"}, commands=commands)

    done = apply(host, Catalog({"name": "web", "resources": chains("A")}))

    assert done.changes == []
    assert host.expected == []
    assert MARK not in host.entries
