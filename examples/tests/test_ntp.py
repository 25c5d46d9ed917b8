"""A class: its files, values found with patterns, relationships, operating systems."""

import re

import pytest

CONFIG = "File[/etc/ntp.conf]"


def test_defaults(compile):
    catalog = compile("ntp")
    assert catalog.compiles()
    assert catalog.contains("Package[ntp]", ensure="present")
    assert catalog.contains(
        CONFIG, owner=0, mode="0644", content=re.compile(r"^server \S+", re.MULTILINE)
    )
    assert catalog.contains("Service[ntp]", ensure="running", enable=True)


def test_order(compile):
    catalog = compile("ntp")
    assert catalog.contains(CONFIG).that_requires("Package[ntp]").that_notifies("Service[ntp]")


@pytest.mark.parametrize("servers", [["a.example.com"], ["a.example.com", "b.example.com"]])
def test_servers(compile, servers):
    catalog = compile("ntp", params={"servers": servers, "pool": []})
    for server in servers:
        assert catalog.contains(CONFIG, content=re.compile(rf"^server {server}", re.MULTILINE))


def test_servers_from_hiera(compile, hiera):
    hiera({"ntp::servers": ["time.example.com"]})
    assert compile("ntp").contains("Class[ntp]", servers=["time.example.com"])


def test_unmanaged_service(compile):
    assert compile("ntp", params={"service_manage": False}).lacks("Service[ntp]")


def test_wrong_parameter(compile):
    with compile.raises("parameter 'servers' expects an Array"):
        compile("ntp", params={"servers": "a.example.com"})


@pytest.mark.on_supported_os("debian-11", "ubuntu-20.04", "centos-8")
def test_systems(compile, facts):
    name = {"Debian": "ntp", "RedHat": "ntpd"}[facts["os"]["family"]]
    assert compile("ntp").contains(f"Service[{name}]")
