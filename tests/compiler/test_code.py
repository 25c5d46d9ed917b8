"""The names of the code that the cache keeps."""

from __future__ import annotations

from bunraku.compiler.code_names import files_below


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
    assert [line.split()[0] for line in files_below(str(tmp_path))] == ["a.py", "c.py"]
