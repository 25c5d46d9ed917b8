"""Probes change nothing: catalogs, messages and the places of errors are those of a plain compile."""

from __future__ import annotations

import json
import shutil
from itertools import groupby

import pytest

from bunraku.engine import kept
from bunraku.jobs.batch import answer
from bunraku.limits.limits import Limits
from bunraku.workbench.coverage.data import read_records
from bunraku.workbench.coverage.project import CountedFiles
from support.conformance import as_bytes
from support.debian_classes import class_names
from support.debian_classes import facts as debian_facts
from support.debian_modules import MODULES, needs_debian_modules
from support.language import Case, cases

from .support import recording

FILES = {name: list(found) for name, found in groupby(cases(), lambda case: case.file)}
VARIES = frozenset({"ms"})
NOT_ON_DISK = frozenset({"id", "code", "as_file", "modules", "do", "path"})


def answered(request) -> dict:
    """The answer of batch, without what differs from run to run."""
    found = json.loads(answer(json.dumps(request).encode(), limits=Limits(30.0), debug=False))
    return {name: value for name, value in found.items() if name not in VARIES}


def laid_out(case: Case, folder) -> dict:
    """The request for a case whose files are on the disk."""
    (folder / "manifests").mkdir(parents=True)
    site = folder / "manifests" / "site.pp"
    asked = case.asked()
    site.write_text(case.request.get("code", case.code), encoding="utf-8", errors="surrogateescape")
    for name, text in asked.get("modules", {}).items():
        path = folder / "modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(text))
    rest = {name: one for name, one in asked.items() if name not in NOT_ON_DISK}
    return {"path": str(site), "modulepath": [str(folder / "modules")], **rest}


@pytest.mark.parametrize("name", FILES)
def test_cases_of_the_language(tmp_path, monkeypatch, name):
    scope = CountedFiles(str(tmp_path / "control"))
    ran = 0
    for number, case in enumerate(FILES[name]):
        if "path" in case.request or case.request.get("do", "compile") != "compile":
            continue
        request = laid_out(case, tmp_path / "control")
        plain = answered(request)
        with recording(tmp_path / f"records{number}", scope, monkeypatch):
            covered = answered(request)
        assert covered == plain, case.key
        ran += bool(read_records(str(tmp_path / f"records{number}")).files)
        shutil.rmtree(tmp_path / "control")
        shutil.rmtree(tmp_path / f"records{number}")
    kept.forget()
    assert ran or name == "checks"  # whose cases are mistakes that no code comes after


@needs_debian_modules
def test_classes_of_debian_modules(tmp_path, monkeypatch):
    scope = CountedFiles("/usr/share/puppet")
    for name in class_names()[::12]:
        request = {
            "code": f"include {name}",
            "facts": debian_facts(),
            "modulepath": [str(MODULES)],
            "settings": {"strict": "warning", "strict_variables": False},
        }
        plain = answered(request)
        with recording(tmp_path / "records", scope, monkeypatch):
            assert answered(request) == plain, name
    assert len(read_records(str(tmp_path / "records")).files) > 50
