"""The resource types firewalld_…: commands for a running and a stopped service, wrong values."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku import Catalog
from bunraku.base.errors import PuppetError
from support.applying import apply
from support.host import Expected, MemoryHost

PORT = {"zone": "public", "port": 80, "protocol": "tcp"}


def declared(kind: str, title: str, **parameters: Any) -> Catalog:
    """Return a catalog with one resource."""
    resource = {"type": kind, "title": title, "parameters": parameters}
    return Catalog({"name": "web", "resources": [resource]})


def machine(*commands: Expected) -> MemoryHost:
    """Return a machine with firewalld."""
    return MemoryHost(commands=commands, installed=["firewall-cmd", "firewall-offline-cmd"])


def test_a_running_service_gets_permanent_settings() -> None:
    host = machine(
        Expected(("firewall-cmd", "--state"), "running"),
        Expected(
            ("firewall-cmd", "--permanent", "--zone", "public", "--query-port", "80/tcp"), code=1
        ),
        Expected(("firewall-cmd", "--permanent", "--zone", "public", "--add-port", "80/tcp")),
    )

    done = apply(host, declared("Firewalld_port", "web", **PORT))

    assert done.changes == ["Firewalld_port[web]/ensure: created"]
    assert host.expected == []


def test_a_stopped_service_is_changed_by_its_files() -> None:
    host = machine(
        Expected(("firewall-cmd", "--state"), "not running", code=252),
        Expected(("firewall-offline-cmd", "--get-services"), "dns http https"),
        Expected(("firewall-offline-cmd", "--policy", "nat", "--list-services"), "dns http"),
        Expected(("firewall-cmd", "--state"), "not running", code=252),
        Expected(("firewall-offline-cmd", "--policy", "nat", "--remove-service-from-zone", "dns")),
        Expected(("firewall-cmd", "--state"), "not running", code=252),
    )

    catalog = declared("Firewalld_service", "dns", policy="nat", ensure="absent")

    assert apply(host, catalog).changes == ["Firewalld_service[dns]/ensure: removed"]


def test_a_rich_rule_is_one_argument() -> None:
    rule = 'rule family="ipv4" source NOT address="10.0.0.0/8" service name="ssh" log accept'
    place = ("firewall-cmd", "--permanent", "--zone", "public")
    host = machine(
        Expected(("firewall-cmd", "--state"), "running"),
        Expected((*place, "--query-rich-rule", rule), code=1),
        Expected((*place, "--add-rich-rule", rule)),
    )
    source = {"address": "10.0.0.0/8", "invert": True}

    catalog = declared(
        "Firewalld_rich_rule",
        "ssh",
        zone="public",
        source=source,
        service="ssh",
        log=True,
        action="accept",
    )

    assert apply(host, catalog).changes == ["Firewalld_rich_rule[ssh]/ensure: created"]


def test_a_set_with_another_option_is_made_again() -> None:
    command = ("firewall-cmd", "--permanent")
    host = machine(
        Expected(("firewall-cmd", "--state"), "running"),
        Expected((*command, "--get-ipsets"), "web\n"),
        Expected((*command, "--info-ipset=web"), "web\n  type: hash:ip\n  options: maxelem=9\n"),
        Expected((*command, "--ipset=web", "--get-entries"), "192.0.2.1\n"),
        Expected((*command, "--delete-ipset=web")),
        Expected((*command, "--new-ipset=web", "--type=hash:ip", "--option=maxelem=10")),
        Expected((*command, "--ipset=web", "--add-entry=192.0.2.1")),
    )

    catalog = declared("Firewalld_ipset", "web", maxelem=10, entries=["192.0.2.1/32"])

    assert apply(host, catalog).changes == [
        "Firewalld_ipset[web]/maxelem: maxelem changed '9' to 10"
    ]
    assert host.expected == []


@pytest.mark.parametrize(
    ("kind", "attributes", "reason"),
    [
        ("Firewalld_port", {"protocol": "tcp"}, "one of the parameters zone and policy must be"),
        ("Firewalld_port", {**PORT, "policy": "nat"}, "only one of the parameters zone and policy"),
        ("Firewalld_zone", {"zone": "x" * 18}, "must be less than 18 characters long"),
        ("Firewalld_policy", {"egress_zones": ["ANY"]}, "ingress_zones must be an array"),
        ("Firewalld_rich_rule", {"zone": "a", "action": "allow"}, "Authorized action values are"),
        ("Firewalld_rich_rule", {"zone": "a", "service": "a", "protocol": "b"}, "Only one element"),
        ("Firewalld_direct_purge", {"ensure": "absent"}, "Valid values are purgable, purged."),
    ],
)
def test_wrong_values_are_refused_before_the_run(
    kind: str, attributes: dict[str, Any], reason: str
) -> None:
    title = "rule" if kind == "Firewalld_direct_purge" else "a"

    with pytest.raises(PuppetError) as caught:
        apply(machine(), declared(kind, title, **attributes))

    assert reason in caught.value.message


def test_services_fail_before_they_are_compared_without_the_programs() -> None:
    catalog = declared("Firewalld_service", "dns", zone="public")

    done = apply(MemoryHost(), catalog)

    reason = "Prefetch failed for firewalld_service provider 'firewall_cmd'"
    assert done.changes == [f"Firewalld_service[dns]/None: {reason}"]


def test_a_rule_fails_when_it_is_compared_without_the_programs() -> None:
    catalog = declared("Firewalld_rich_rule", "drop", zone="public", action="drop")

    done = apply(MemoryHost(), catalog)

    assert done.changes == ["Firewalld_rich_rule[drop]/None: Command firewall_cmd is missing"]
