"""Defined types of a small module."""


def test_kmod(compile):
    catalog = compile("kmod")
    assert catalog.count("File") == 4
    assert catalog.contains("File[/etc/modprobe.d]", ensure="directory")


def test_blacklist(compile):
    catalog = compile(define="kmod::blacklist", title="pcspkr")
    assert catalog.contains("Kmod::Setting[kmod::blacklist pcspkr]", category="blacklist")
