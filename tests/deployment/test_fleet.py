"""A sample of the rig tests/rigs/deployment/fleet.py: plans say what catalogs show afterwards."""

import pytest

from rigs.deployment.fleet import Fleet, rows_of

pytest.importorskip("tree_sitter", reason="Puppetfiles are read with the package tree-sitter")


def test_the_plans_of_twenty_nodes_come_true(tmp_path):
    tmp_path.chmod(0o700)
    rows = rows_of(Fleet(tmp_path, 20))
    assert [(row[0], row[1]) for row in rows] == [
        ("nothing", 0),
        ("a profile", 4),
        ("a module", 8),
        ("a key of data", 7),
    ]
    assert all(row[1] == row[2] and row[5] for row in rows), rows
