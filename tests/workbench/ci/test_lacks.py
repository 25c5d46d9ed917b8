"""What a machine lacks to compile a node: hints that say so."""

from __future__ import annotations

import pytest

from bunraku.base.source import NOWHERE
from bunraku.project.detect import find_project
from bunraku.runtime.issues import UNKNOWN_VARIABLE
from bunraku.workbench.ci.lacks import Lacks
from bunraku.world.machine import Machine


@pytest.fixture
def lacks(tmp_path):
    facts = tmp_path / "site-modules" / "profile" / "lib" / "facter"
    facts.mkdir(parents=True)
    (facts / "rack.rb").write_text("Facter.add(:rack) { setcode { 'b7' } }\n")
    (facts / "rows.rb").write_text("# adds facts by names that only a run has\n")
    (tmp_path / "environment.conf").write_text("modulepath = site-modules\n")
    return Lacks(find_project(str(tmp_path), Machine()), Machine(), has_hiera=False)


@pytest.mark.parametrize(("name", "file"), [("rack", "rack.rb"), ("::rows", "rows.rb")])
def test_an_unknown_variable_can_be_a_custom_fact(lacks, name, file):
    found = lacks.explained(UNKNOWN_VARIABLE.diagnostic(NOWHERE, name=name))
    assert found.hint.startswith("it is a fact of ")
    assert found.hint.endswith(
        f"profile/lib/facter/{file}, which the facts of the node do not have"
    )


def test_other_variables_keep_their_hints(lacks):
    finding = UNKNOWN_VARIABLE.diagnostic(NOWHERE, name="rak")
    assert lacks.explained(finding) == finding
