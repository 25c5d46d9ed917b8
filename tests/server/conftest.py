"""A server in this process: its compile processes are forked, requests are function calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.server import site as copy_site
from support.server_service import site_service


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A copy of the site on which the requests were recorded."""
    folder = tmp_path_factory.mktemp("site")
    copy_site(folder)
    return folder


@pytest.fixture(scope="module")
def service(site: Path):
    """A server of the site with its own database."""
    with site_service(site) as found:
        yield found
