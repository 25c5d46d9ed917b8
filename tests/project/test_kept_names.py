"""Names from many manifests are found once; a change of a text finds them again."""

from __future__ import annotations

import pytest

from bunraku.dialects.languages import dialect_named
from bunraku.project.contents import class_names
from bunraku.project.kept_names import kept_names
from bunraku.workbench.ci.module_classes import entry_classes
from bunraku.world.dictionary import DictionaryWorld

DIALECT = dialect_named("8")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_names_are_found_once_for_equal_inputs():
    asked = []

    def names(purpose="x", text="class a { }", path="/a.pp", dialect=DIALECT):
        def find():
            asked.append(purpose)
            return ["a", "b"]

        assert kept_names(purpose, {path: text}, dialect, find) == ["a", "b"]
        return len(asked)

    assert [names(), names()] == [1, 1]
    assert [names("y"), names(text="class b { }"), names(path="/b.pp")] == [2, 3, 4]
    assert names(dialect=dialect_named("3.8")) == 5
    assert names(dialect=DIALECT.with_syntax(tasks=True)) == 6
    assert names() == 6


def test_without_a_cache_they_are_found_each_time(monkeypatch):
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    asked = []
    for _ in range(2):
        kept_names("x", {}, DIALECT, lambda: asked.append(1) or [])
    assert len(asked) == 2


def test_classes_follow_the_manifests():
    files = {
        "/role/manifests/web.pp": b"class role::web { }",
        "/role/manifests/db.pp": b"define role::db() { }",
    }

    def classes():
        return class_names({"role": "/role"}, "role::*", DictionaryWorld(files), DIALECT)

    assert [classes(), classes()] == [["role::web"]] * 2
    files["/role/manifests/db.pp"] = b"class role::db { }"
    assert classes() == ["role::db", "role::web"]
    del files["/role/manifests/web.pp"]
    assert classes() == ["role::db"]


def test_entry_classes_follow_the_manifests():
    files = {
        "/ntp/manifests/init.pp": b"class ntp { contain ntp::config }",
        "/ntp/manifests/config.pp": b"class ntp::config { }",
    }

    def classes():
        return entry_classes("/ntp", "ntp", DIALECT, DictionaryWorld(files))

    assert [classes(), classes()] == [["ntp"]] * 2
    files["/ntp/manifests/init.pp"] = b"class ntp { }"
    assert classes() == ["ntp", "ntp::config"]
