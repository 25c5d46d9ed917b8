"""Defined types, and facts over those of the system."""

import re


def test_apt(compile):
    catalog = compile("apt")
    assert catalog.compiles()
    assert catalog.contains("File[sources.list]").that_notifies("Class[apt::update]")
    assert catalog.contains("Package[gnupg]")


def test_backports(compile):
    catalog = compile("apt::backports", pre="include apt")
    assert catalog.contains("Apt::Source[backports]", release="bullseye-backports")


def test_backports_of_another_release(compile):
    later = {"os": {"distro": {"codename": "bookworm"}}}
    catalog = compile("apt::backports", pre="include apt", facts=later)
    assert catalog.contains("Apt::Pin[backports]", release="bookworm-backports")


def test_source(compile):
    catalog = compile(
        define="apt::source",
        title="example",
        params={"location": "https://deb.example.com", "repos": "main"},
        pre="include apt",
    )
    assert catalog.contains(
        "File[/etc/apt/sources.list.d/example.list]",
        content=re.compile("deb https://deb.example.com bullseye main"),
    )


def test_other_systems_are_refused(compile):
    with compile.raises("This module only works on Debian or derivatives"):
        compile("apt", facts="centos-8")
