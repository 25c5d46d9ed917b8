"""What a real puppetserver was asked and answered, and the site that it served.

``$RIG`` stands in the records for the directory of the recording. ``site`` makes a copy of the site
with what Git does not keep: an empty directory, and the modules of one environment in another.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "server" / "data"
SAMPLES = ("probes-server", "agent-7", "agent-openvox8")
DEBIAN = Path("/usr/share/puppet/modules")
MODULES = ("stdlib", "ntp", "apache", "concat")
HAS_MODULES = all((DEBIAN / name).is_dir() for name in MODULES)
needs_modules = pytest.mark.skipif(
    not HAS_MODULES, reason="needs the modules of Debian that the rig served"
)
"""Marks tests of catalogs of the site, whose module ``demo`` uses stdlib."""
COMPRESSED = "gzip; "
"""How the records of agents begin a body that was compressed on the wire."""


def recorded(name: str) -> list[dict]:
    """Return the exchanges of a record, each with its ``label``."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.split("\n") if line]
    for number, one in enumerate(found):
        one["label"] = f"{name} {number} {one.get('note') or one.get('step')}"
    return found


def site(folder: Path) -> Path:
    """Copy the recorded site to ``folder/code`` as the rig did and return the environmentpath."""
    environments = folder / "code" / "environments"
    shutil.copytree(DATA / "environments", environments, symlinks=True)
    (environments / "production/modules/demo/locales").mkdir()
    shutil.copytree(
        environments / "production/modules", environments / "static/modules", symlinks=True
    )
    for path in (environments, *environments.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    link_modules(folder / "code" / "modules")
    return environments


def link_modules(folder: Path) -> None:
    """Link the modules of Debian that the rig served, as far as they are installed."""
    folder.mkdir()
    for name in MODULES:
        if (DEBIAN / name).is_dir():
            (folder / name).symlink_to(DEBIAN / name)
