"""Collected fragments."""

import re


def test_haproxy(compile):
    catalog = compile("haproxy")
    assert catalog.contains("Package[haproxy]")
    assert catalog.contains("Service[haproxy]", ensure="running").that_requires("Package[haproxy]")
    assert catalog.contains("Concat[/etc/haproxy/haproxy.cfg]", mode="0640")


def test_members_that_other_nodes_export(compile, exported):
    exported(
        "Haproxy::Balancermember[web1]",
        node="web1.example.com",
        listening_service="shop",
        ports="8080",
        server_names="web1",
        ipaddresses="192.0.2.11",
    )
    listen = "haproxy::listen { 'shop': ipaddress => '*', ports => '80' }"
    catalog = compile("haproxy", post=listen)
    assert catalog.contains(
        "Concat::Fragment[haproxy-shop_balancermember_web1]",
        content=re.compile("server web1 192.0.2.11:8080"),
    )
