"""Compiled code on disk: found when right, ignored when not, safe under many writers."""

from __future__ import annotations

import marshal
import os
import threading
from pathlib import Path

import pytest

from bunraku import engine
from bunraku.compiler.code import CodeCache, cache_folder, cache_key, to_code, unit_name
from bunraku.engine import Request, compile_catalog
from bunraku.source import Source
from bunraku.syntax.parser import parse

KEY = cache_key(b"$x = 1", "/a.pp", "8", "1.0")


def code_of(text="$x = 1"):
    source = Source(text, "/a.pp", on_disk=True)
    return to_code(source, parse(source).program)


@pytest.fixture
def cache(tmp_path):
    return CodeCache(tmp_path / "code")


def test_code_comes_back(cache):
    assert cache.read(KEY) is None
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()
    assert cache.read(KEY).co_filename == "/a.pp"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:20],
        lambda data: b"other" + data,
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_corrupt_entry_is_none(cache, change):
    cache.write(KEY, code_of())
    path = Path(cache.path(KEY))
    path.write_bytes(change(path.read_bytes()))
    assert cache.read(KEY) is None
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()


def test_a_foreign_value_is_none(cache, monkeypatch):
    cache.write(KEY, code_of())
    monkeypatch.setattr(marshal, "dumps", lambda value: b"i\x01\x00\x00\x00")
    cache.write(KEY, code_of())
    assert cache.read(KEY) is None


def test_a_folder_that_cannot_be_used_is_as_good_as_none(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    cache = CodeCache(blocked / "code")
    cache.write(KEY, code_of())
    assert cache.read(KEY) is None


def test_everything_counts_in_the_key():
    keys = {
        KEY,
        cache_key(b"$x = 2", "/a.pp", "8", "1.0"),
        cache_key(b"$x = 1", "/b.pp", "8", "1.0"),
        cache_key(b"$x = 1", "/a.pp", "3.8", "1.0"),
        cache_key(b"$x = 1", "/a.pp", "8", "1.1"),
    }
    assert len(keys) == 5


def test_many_writers(cache):
    codes = [code_of(f"$x = {number}") for number in range(4)]
    seen = set()

    def work(code):
        for _ in range(50):
            cache.write(KEY, code)
            found = cache.read(KEY)
            seen.add(found is None or found in codes)

    threads = [threading.Thread(target=work, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {True}
    path = Path(cache.path(KEY))
    assert list(path.parent.iterdir()) == [path]


def test_the_folder_is_that_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bunraku" / "code"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "bunraku" / "code"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / ".cache" / "bunraku" / "code"


def test_a_changed_manifest_is_compiled_anew(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "site.pp"
    for text in ("one", "two", "one"):
        path.write_text(f"notify {{ '{text}': }}\n")
        monkeypatch.setattr(engine, "LOADED", {})
        catalog = compile_catalog(Request(path=str(path)), lambda entry: None)
        assert catalog.find("Notify", text)
    assert len(list((tmp_path / "cache").rglob("*.code"))) == 2


def test_text_without_a_file_has_a_name_of_its_own():
    first, second = Source("$x = 1"), Source("$x = 2")
    assert unit_name(first) != unit_name(second)
    assert unit_name(first) == unit_name(Source("$x = 1"))
    assert unit_name(Source("$x = 1", "/a.pp", on_disk=True)) == "/a.pp"
