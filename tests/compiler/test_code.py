"""The names of the code that the cache keeps."""

from __future__ import annotations

import os

from bunraku.compiler.code_names import digest_of_contents, files_below, fingerprint_of


def test_only_sources_decide_the_name_of_an_entry(tmp_path):
    for name in (
        "a.py",
        "b/c.py",
        "b/__pycache__/c.py",
        "b/__pycache__/c.cpython-313.pyc",
        "d.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [file.name for file in files_below(str(tmp_path))] == ["a.py", "c.py"]


def test_the_fingerprint_of_a_copy_is_the_same_and_that_of_an_edit_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = []
    for place, text, time in (("a", "x = 1", 1), ("b", "x = 1", 2), ("c", "x = 2", 1)):
        path = tmp_path / place / "x.py"
        path.parent.mkdir()
        path.write_text(text)
        os.utime(path, (time, time))
        files = list(files_below(str(path.parent)))
        found.append(fingerprint_of(files))
        assert found[-1] == fingerprint_of(files) == digest_of_contents(files)
    assert found[0] == found[1] != found[2]
