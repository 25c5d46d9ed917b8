"""The manifests that lint reads."""

from __future__ import annotations

from bunraku.project.model import CONTROL_REPOSITORY, Choice, Project
from bunraku.workbench.lint.run import lint


def test_what_the_project_excludes_is_not_read(tmp_path):
    for name in ("site-modules/a", "modules/b"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "init.pp").write_text('$a = "b"\n')
    excluded = {"exclude": Choice(["modules/*"], "installed by the Puppetfile")}
    project = Project(CONTROL_REPOSITORY, str(tmp_path), choices=excluded)
    own = str(tmp_path / "site-modules/a/init.pp")
    assert [one.file for one in lint(project)] == [own]
    other = str(tmp_path / "modules/b/init.pp")
    assert [one.file for one in lint(project, [other])] == [other]
