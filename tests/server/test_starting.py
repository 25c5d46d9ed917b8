"""The start of the compile processes."""

from __future__ import annotations

from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.compiling.starting import compile_processes
from support.server_service import site_settings


def test_the_directory_of_temporary_files_may_be_deep(tmp_path, monkeypatch):
    deep = tmp_path / ("a" * 100)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    with compile_processes(site_settings(tmp_path), print, size=1) as compilers:
        job = Job("catalog", "a", "production", {}, formats=("json",), seconds=30)
        assert Result.decoded(compilers.ask(job.encoded(), lambda: False)).status == 200
    assert list(deep.iterdir()) == []
