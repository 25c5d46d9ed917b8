"""What manages a resource: a provider of bunraku, an installed Puppet, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bunraku.apply.coverage import Target, choices_of
from bunraku.apply.validate import run_without_machine
from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.rich_data import to_data
from bunraku.values.sensitive import Sensitive
from support.applying import apply
from support.host import MemoryHost

UBUNTU = {"/etc/os-release": "ID=ubuntu\nID_LIKE=debian\n"}
FEDORA = {"/etc/os-release": "ID=fedora\n"}


def catalog(*resources: tuple[str, str, Mapping[str, Any]]) -> Catalog:
    """Return a catalog of resources: type, title and parameters."""
    data = [
        {"type": type_, "title": title, "parameters": to_data(dict(parameters)), "line": number}
        for number, (type_, title, parameters) in enumerate(resources, 1)
    ]
    return Catalog({"name": "node", "resources": data, "edges": []})


@pytest.mark.parametrize(
    ("type_", "parameters", "family", "reason"),
    [
        ("Notify", {"message": "a", "require": "File[/a]", "tag": "b"}, None, None),
        ("Motd", {}, None, "bunraku does not have the type"),
        ("Notify", {"shape": "a", "colour": "b"}, None, "the attributes colour, shape"),
        ("Host", {"provider": "parsed", "ip": "::1"}, None, None),
        ("Package", {"provider": "sun"}, None, "does not have the provider sun"),
        ("Archive", {"provider": "bits"}, None, "the provider bits, only curl, wget, ruby"),
        ("Package", {"provider": "nosuch"}, None, "Invalid package provider 'nosuch'"),
        ("Package", {"provider": Sensitive("sun")}, None, "the provider [redacted]"),
        ("Package", {}, "Debian", None),
        ("Package", {}, "Suse", None),
        ("Service", {}, "Gentoo", None),
        ("Package", {}, "OpenBSD", "does not have the provider openbsd"),
        ("Package", {"provider": {"__ptype": "Deferred", "name": "f"}}, "Windows", None),
        ("Package", {}, "Windows", "does not have the provider windows"),
        ("Package", {"provider": "pip"}, "Windows", None),
        ("File", {"mode": "0644"}, "Windows", None),
        ("Resources", {"name": "host", "purge": True}, None, None),
        ("Resources", {"name": "motd", "purge": True}, None, "does not have the type motd"),
    ],
)
def test_the_rule_needs_no_machine(
    type_: str, parameters: Mapping[str, Any], family: str | None, reason: str | None
) -> None:
    for puppet in (True, False):
        target = Target(puppet=puppet, family=family)
        wanted = catalog((type_, "host", parameters))
        (found,) = choices_of(wanted, run_without_machine(), target)
        assert found.way == ("native" if reason is None else "ruby" if puppet else "none")
        assert (reason or "") in found.reason


def test_containers_need_no_provider() -> None:
    data = catalog(
        ("Class", "A", {}), ("My::Thing", "b", {}), ("Notify", "c", {}), ("My::Other", "d", {})
    ).to_data()
    data["edges"] = [{"source": "My::Thing[b]", "target": "Notify[c]"}]
    found = choices_of(Catalog(data), run_without_machine(), Target())
    assert [one.resource.reference for one in found] == ["Notify[c]"]


@pytest.mark.parametrize(
    ("files", "settings", "hint"),
    [
        (UBUNTU, {}, "install the package puppet-agent"),
        (FEDORA, {}, "install the package openvox-agent"),
        ({}, {}, "install the package openvox-agent"),
        ({}, {"ruby_providers": False}, "without --no-ruby-providers"),
    ],
)
def test_all_that_nothing_can_manage_is_refused_at_once(
    files: dict[str, str], settings: dict[str, Any], hint: str
) -> None:
    wanted = catalog(
        ("File", "/etc/x", {"ensure": "file"}),
        ("Motd", "a", {}),
        ("Package", "b", {"provider": "sun"}),
        ("Motd", "c", {}),
    )
    host = MemoryHost({"/etc/": "", **files}, installed=["ruby", "puppet"] if settings else [])

    with pytest.raises(PuppetError) as caught:
        apply(host, wanted, settings=settings)

    reasons = [(one.message, one.line) for one in caught.value]
    many, single = "2 resources of type motd, such as Motd[a]", "Package[b]"
    assert reasons == [
        (f"bunraku cannot apply {many}: bunraku does not have the type", 2),
        (f"bunraku cannot apply {single}: bunraku's type does not have the provider sun", 3),
    ]
    assert all(hint in (one.hint or "") for one in caught.value)
    assert "/etc/x" not in host.entries


def test_the_package_does_not_help_with_the_option_against_it() -> None:
    with pytest.raises(PuppetError) as caught:
        apply(MemoryHost(UBUNTU), catalog(("Motd", "a", {})), settings={"ruby_providers": False})
    assert caught.value.diagnostic.hint == (
        "install the package puppet-agent and leave out --no-ruby-providers; its Puppet then manages the resource"
    )


@pytest.mark.parametrize(
    ("provider", "hint"),
    [
        (
            "gti",
            "did you mean 'git'? the providers of vcsrepo are bzr, cvs, dummy, git, hg, p4, svn",
        ),
        ("sun", "the providers of vcsrepo are bzr, cvs, dummy, git, hg, p4, svn"),
        (Sensitive("gti"), "the providers of vcsrepo are bzr, cvs, dummy, git, hg, p4, svn"),
        ("bzr", "without --no-ruby-providers, the installed Puppet would manage it"),
    ],
)
def test_a_wrong_provider_is_refused_with_the_right_ones(provider: Any, hint: str) -> None:
    folder = "/modules/vcsrepo/lib/puppet/provider/vcsrepo"
    files = {f"{folder}/{name}": "" for name in ("git.rb", "bzr.rb", "README.md")}
    host = MemoryHost(files, installed=["ruby", "puppet"])
    wanted = catalog(("Vcsrepo", "/srv/a", {"provider": provider}))
    with pytest.raises(PuppetError) as caught:
        apply(host, wanted, modules=["/modules"], settings={"ruby_providers": False})
    assert caught.value.diagnostic.hint == hint
    assert ("Invalid vcsrepo provider" in caught.value.message) == (provider != "bzr")
