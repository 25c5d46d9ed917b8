"""A few of the kills of ``make deploy-kills``."""

import pytest

from rigs.deployment.kills import run_kills

pytest.importorskip("tree_sitter", reason="Puppetfiles are read with the package tree-sitter")


def test_an_environment_is_the_old_or_the_new_one_after_a_kill():
    assert run_kills(12, seed=3, report=False) == []
