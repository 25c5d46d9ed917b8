"""Exported resources of other nodes, and settings of Puppet."""

import pytest

pytestmark = pytest.mark.puppet(settings={"strict": "warning"})  # uses validate_hash of old stdlib


def test_ssh(compile):
    catalog = compile("ssh")
    assert catalog.contains("Class[ssh::server]")
    assert catalog.contains("Class[ssh::client]")


def test_server(compile):
    catalog = compile("ssh::server")
    assert catalog.contains("Package[openssh-server]")
    assert catalog.contains("Service[ssh]", enable=True).that_requires("Package[openssh-server]")


def test_client(compile):
    assert (
        compile("ssh::client")
        .contains("File[/etc/ssh/ssh_config]", mode="0644")
        .that_requires("Package[openssh-client]")
    )


def test_known_hosts_of_other_nodes(compile, exported):
    exported("Sshkey[db1_rsa]", node="db1.example.com", type="ssh-rsa", key="AAAA")
    assert compile("ssh::knownhosts", pre="include ssh").contains("Sshkey[db1_rsa]", key="AAAA")


def test_own_keys_are_exported(compile):
    catalog = compile("ssh::server", node="web1.example.com")
    assert catalog.exports("Sshkey[web1.example.com_rsa]")
