"""Puppetfiles with the same text in several environments: read once, valid for each of them."""

from __future__ import annotations

from bunraku.base.source import Source
from bunraku.project.puppetfile import puppetfile_of_steps, read_puppetfile_text
from bunraku.project.puppetfile_syntax import steps_of

TEXT = """
moduledir '../b/vendor'
mod 'puppetlabs/stdlib', '9.0.0'
mod 'apache', git: 'https://me:secret@host/apache', ref: ENV['REF'], install_path: 'site'
mod 'local', local: true, install_path: '../b/own'
mod 'ntp', git: 'https://host/ntp', brunch: 'main'
modul 'ntp'
mod 'ntp', git: 'https://host/ntp'
"""


def test_statements_that_are_read_once_mean_what_each_environment_makes_of_them():
    steps = steps_of(TEXT)
    for root in ("/environments/a", "/environments/b"):
        source = Source(TEXT, f"{root}/Puppetfile")
        shared = puppetfile_of_steps(steps, source, root)
        alone = read_puppetfile_text(Source(TEXT, f"{root}/Puppetfile"), root)
        assert shared.modules == alone.modules
        assert shared.names == alone.names
        assert [str(one) for one in shared.findings] == [str(one) for one in alone.findings]
        assert {one.path for one in shared.modules} == {f"{root}/Puppetfile"}
    assert shared.moduledir == "/environments/b/vendor"
    assert [one.name for one in shared.modules] == ["stdlib", "local", "ntp", "ntp"]
    assert "secret" not in "".join(map(repr, shared.findings))
