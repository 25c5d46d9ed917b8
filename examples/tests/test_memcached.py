"""Parameters that change the text of a file."""

import re

import pytest


def test_defaults(compile):
    catalog = compile("memcached")
    assert catalog.compiles()
    assert catalog.contains("File[/etc/memcached.conf]").that_notifies("Service[memcached]")
    assert catalog.count("Package") == 1


@pytest.mark.parametrize(("memory", "written"), [(128, "128"), ("512", "512")])
def test_memory(compile, memory, written):
    text = re.compile(rf"^-m {written}$", re.MULTILINE)
    catalog = compile("memcached", params={"max_memory": memory})
    assert catalog.contains("File[/etc/memcached.conf]", content=text)
