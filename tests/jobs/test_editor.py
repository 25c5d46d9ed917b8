"""The findings in an edited file are those of ``bunraku check`` and ``bunraku lint``."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bunraku.base.source import Source
from bunraku.jobs.check import CheckOptions, check
from bunraku.jobs.editor import Projects, findings_of
from bunraku.jobs.project_context import context_in

FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "data/common.yaml": "ntp::port: 1\n",
    "modules/ntp/metadata.json": '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}',
    "modules/ntp/manifests/init.pp": "class ntp(Integer $port = 1) {\n}\n",
    "manifests/site.pp": "include ntp\n",
}


def shown(findings):
    return [(one.code, one.severity, one.message, one.place.where[1:]) for one in findings]


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("manifests/site.pp", "include ntp::prt\nnotice($x)\n", "UNKNOWN_CLASS"),
        ("manifests/site.pp", "class {\n", "SYNTAX_ERROR"),
        ("modules/ntp/templates/a.epp", "<%= $x %", None),
        ("data/common.yaml", "ntp::port: many\n", None),
        ("data/common.yaml", "ntp::prot: 1\n", None),
        ("data/common.yaml", "a: [\n", None),
        ("hiera.yaml", "version: 7\n", None),
        ("Puppetfile", "mod 'puppetlabs/stdlib', '1'\nmood 'x'\n", None),
        ("modules/ntp/metadata.json", "{}", "METADATA"),
    ],
)
def test_the_findings_are_those_of_check(tmp_path, monkeypatch, path, text, code):
    root = tmp_path / "site"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    project = Projects(print)(str((root / path).parent))
    edited = Source(text, str(root / path), is_template=path.endswith(".epp"))
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    found = [one for step in findings_of(project, edited, lint=False) for one in step()]
    (root / path).write_text(text)
    monkeypatch.chdir(root)
    expected = check(context_in(root), CheckOptions([path]))
    assert expected
    assert sorted(shown(found)) == sorted(shown(expected))
    assert code is None or code in [one.code for one in found]


def test_a_file_outside_of_a_project_shows_its_indent(tmp_path):
    (tmp_path / "other.pp").write_text("class a {\n  notice(1)\n}\n" * 9)
    text = "class b {\n    notice(1)\n}\n"
    for path in ("b.pp", "gone/b.pp"):
        source = Source(text, str(tmp_path / path))
        project = Projects(print)(str((tmp_path / path).parent))
        assert project.parts.style_of(source).step == 4


def test_the_first_findings_import_no_analysis(tmp_path):
    """The findings of the syntax are shown before the rest of bunraku is imported."""
    (tmp_path / "a.pp").write_text("class a {\n")
    code = (
        "import sys; from bunraku.base.source import Source\n"
        "from bunraku.jobs.editor import Projects, findings_of\n"
        f"source = Source('class a {{', {str(tmp_path / 'a.pp')!r})\n"
        f"found = next(findings_of(Projects(print)({str(tmp_path)!r}), source))()\n"
        "heavy = ('runtime.state', 'workbench.analysis.analyse', 'workbench.lint.run', 'jobs.compare')\n"
        "print(len(found), [one for one in heavy if f'bunraku.{one}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1 []\n"
