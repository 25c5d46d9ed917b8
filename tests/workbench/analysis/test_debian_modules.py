"""The analysis of Debian's Puppet modules: no error in a class that compiles.

Which classes compile is recorded (``tests/test_debian_classes.py``).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.programs import parse_program
from bunraku.engine.request import Request
from bunraku.modules.autoload import manifest_files
from bunraku.workbench.analysis.analyse import analyse
from support.debian_classes import DATA, SETTINGS, installed_versions, lay_out_modules

RECORDED = json.loads((DATA / "classes.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory):
    installed = installed_versions()
    if any(installed.get(name) != one for name, one in RECORDED["packages"].items()):
        pytest.skip("the Debian packages of tests/data/classes.json are not all installed")
    return lay_out_modules(tmp_path_factory.mktemp("modules"))


def programs(modulepath):
    """The manifests of all modules, except those with errors of syntax."""
    dialect = dialect_named("8")
    for path in sorted(Path(modulepath).glob("*/manifests/**/*.pp")):
        text = path.read_text(encoding="utf-8", errors="replace")
        checked = parse_program(Source(text, str(path)), dialect)
        if not checked.errors:
            yield checked.program


def manifest(name, modulepath):
    """The file in which Puppet looks for a class first."""
    return f"{modulepath}/{name.partition('::')[0]}/manifests/{manifest_files(name)[0]}"


def test_no_class_that_compiles_has_an_error(modulepath):
    compiled = [
        manifest(name, modulepath)
        for name, outcome in RECORDED["classes"].items()
        if not outcome.startswith("error")
    ]
    request = Request(modulepath=[modulepath], settings=SETTINGS)
    data = map(str, Path(modulepath).glob("*/data/**/*.yaml"))
    found = analyse(request, programs(modulepath), data)
    assert found  # the modules have mistakes, in code that their classes do not reach
    wrong = [
        str(one) + one.message
        for one in found
        if one.severity == "error" and (one.file in compiled or "/data/" in str(one.file))
    ]
    assert wrong == []
