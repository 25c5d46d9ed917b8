"""Catalogs of nodes with secrets are used again; what the disk has shows no secret."""

from __future__ import annotations

import json
import sys

import pytest

from bunraku.base.disk_cache import DiskCache
from bunraku.base.records import replace
from bunraku.engine import kept, sealed
from bunraku.engine.dependencies import Checker, Digests
from bunraku.engine.kept_catalogs import CatalogStore
from bunraku.engine.nodes import Task, compile_tasks, with_kept
from bunraku.engine.request import DISK, Request
from support.cache_texts import texts_on_disk
from support.eyaml_keys import encrypt, key_pair
from support.ruby import needs_ruby

pytest.importorskip("cryptography")

DIGESTS = Digests(b"key")
CODE = """
$secret = lookup('secret')
file { '/a': content => Sensitive("password ${secret} ${facts['color']}") }
@@notify { "exported by ${secret}": }
warning("seen ${secret}")
"""


class Site:
    """A directory with code and data, and the catalogs of its node."""

    def __init__(self, root) -> None:
        self.root = root
        self.facts = {"color": "red", "uptime": 1}
        self.write("hiera.yaml", "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n")
        self.write("data/all.yaml", "secret: hunter2\n")

    def write(self, name, text) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def compiled(self, code=CODE, labels=("new", "old"), *, with_text=True):
        """Return the outcome of the node, as a new process has it."""
        kept.forget()
        store = CatalogStore(DiskCache(), DIGESTS, *labels, with_text=with_text)
        self.write("site.pp", code)
        request = Request(
            path=str(self.root / "site.pp"),
            hiera_config=str(self.root / "hiera.yaml"),
            facts=self.facts,
        )
        task = Task(request, share="" if "@@" in code else None)
        (found,) = compile_tasks([with_kept(task, store, Checker(DISK, DIGESTS))], jobs=1)
        assert found.ok or found.findings
        return found


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "site").mkdir()
    return Site(tmp_path / "site")


def contents(outcome):
    return outcome.text, outcome.exported, outcome.log, outcome.resources


@pytest.mark.parametrize("with_text", [True, False])
def test_a_catalog_with_secrets_comes_from_the_cache(site, with_text):
    first, second = (site.compiled(with_text=with_text) for _ in range(2))
    assert (first.unchanged, second.unchanged) == (False, True)
    assert contents(second)[1:] == contents(first)[1:]
    assert [one["title"] for one in second.exported] == ["exported by hunter2"]
    assert [one.message for one in second.log] == ["seen hunter2"]
    if with_text:
        assert second.text == first.text
        assert "password hunter2 red" in second.text
    found = texts_on_disk()
    assert "sealed " in found
    assert "hunter2" not in found


def test_the_catalog_of_the_other_state_serves(site):
    site.compiled(labels=("old", "new"))
    assert site.compiled(labels=("new", "old")).unchanged


CHANGES = {
    "data": lambda site: site.write("data/all.yaml", "secret: hunter3\n"),
    "a fact that was read": lambda site: site.facts.update(color="blue"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_compiles_it_again(site, change):
    site.compiled()
    CHANGES[change](site)
    found = site.compiled()
    assert not found.unchanged
    assert site.compiled().text == found.text
    assert site.compiled().unchanged


def test_what_was_not_read_does_not_matter(site):
    site.compiled()
    site.facts["uptime"] = 2
    site.write("data/all.yaml", "secret: hunter2\nother: 1\n")
    assert site.compiled().unchanged


def test_without_the_package_it_is_compiled_each_time(site, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert [site.compiled().unchanged for _ in range(2)] == [False, False]
    assert "hunter2" not in texts_on_disk()


def test_damaged_contents_are_compiled_again(site):
    expected = site.compiled().text
    store = CatalogStore(DiskCache(), DIGESTS, "new", with_text=True)
    damaged = 0
    for path in (site.root.parent / "cache/bunraku/code").glob("*.data"):
        place = replace(store.under_key(""), names=(path.stem,))
        entry = place.read(path.stem)
        if entry is not None and sealed.is_sealed(entry):
            place.write(replace(entry, text=sealed.sealed_text("[]", bytes(32))))
            damaged += 1
    assert damaged == 1
    found = site.compiled()
    assert (found.unchanged, found.text) == (False, expected)


# -- encrypted data --------------------------------------------------------------------------------

LEVEL = {
    "name": "secrets",
    "lookup_key": "eyaml_lookup_key",
    "path": "all.eyaml",
    "options": {"pkcs7_private_key": "private.pem", "pkcs7_public_key": "public.pem"},
}
LOOKS_UP = "notify { lookup('opened'): }"


@pytest.fixture
def encrypted(site):
    """A site with an encrypted value, and the keys that open it."""
    from cryptography.hazmat.primitives.serialization import Encoding

    private, certificate = key_pair()
    options = {name: str(site.root / path) for name, path in LEVEL["options"].items()}
    hierarchy = {"version": 5, "hierarchy": [{**LEVEL, "options": options}]}
    site.write("hiera.yaml", json.dumps(hierarchy))
    site.write("data/all.eyaml", json.dumps({"opened": encrypt(certificate, "hunter2")}))
    site.keys = {
        "private.pem": private.decode(),
        "public.pem": certificate.public_bytes(Encoding.PEM).decode(),
    }
    return site


def test_a_node_whose_data_no_key_opens_fails_again_without_a_compile(encrypted):
    first, second = (encrypted.compiled(LOOKS_UP) for _ in range(2))
    assert (first.unchanged, second.unchanged) == (False, True)
    assert [one.code for one in second.findings] == ["HIERA_KEY_MISSING"]
    assert repr(second.findings) == repr(first.findings)


def test_a_node_is_compiled_when_the_key_is_there(encrypted):
    encrypted.compiled(LOOKS_UP)
    for name, text in encrypted.keys.items():
        encrypted.write(name, text)
    found = encrypted.compiled(LOOKS_UP)
    assert "hunter2" in found.text
    assert not encrypted.compiled(LOOKS_UP).unchanged
    assert "hunter2" not in texts_on_disk()


# -- notes -----------------------------------------------------------------------------------------


@needs_ruby
def test_what_ruby_was_needed_for_is_known_without_a_compile(site):
    code = "notify { inline_template('<% def own(v) v end -%><%= own(1) %>'): }"
    first, second = (site.compiled(code) for _ in range(2))
    assert (first.unchanged, second.unchanged) == (False, True)
    assert second.ruby == first.ruby
    assert len(first.ruby) == 1
