"""What all tests share: an environment of their own, whatever the user's is."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_surroundings(tmp_path_factory):
    """No colours, and a cache that starts empty: nothing of this machine's user counts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR", "GITHUB_ACTIONS"):
            patch.delenv(name, raising=False)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
