"""Workspaces for the tests of the editor."""

from __future__ import annotations

import pytest

from support.editor import Workspace

MODULE = '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}'


@pytest.fixture
def workspace(tmp_path):
    """A module ``ntp`` with some files; ``^`` in a text is the cursor."""

    def make(files, mark="^"):
        root = tmp_path / "ntp"
        return Workspace(root, {"metadata.json": MODULE, **files}, mark)

    return make
