"""The packages that hints name are those of the extras; bunraku itself may come from a clone or a wheel."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
HINT = re.compile(r"pip install ([^`\n]+?)(?:\\?\"|$)", re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "extra"),
    [
        ("hiera/issues.py", "eyaml"),
        ("puppetdb/issues.py", "postgresql"),
        ("world/service_records.py", "srv"),
        ("engine/remote/executors.py", "dask"),
        ("jobs/serving/process.py", "server"),
    ],
)
def test_hints_name_the_packages_of_an_extra(file, extra):
    (named,) = HINT.findall((ROOT / "src/bunraku" / file).read_text())
    packages = [re.split(r"[<>=;]", one)[0] for one in EXTRAS[extra]]
    assert named.replace("'", "").split() == packages


def test_no_hint_names_a_package_that_is_not_published():
    found = [path for path in (ROOT / "src").rglob("*.py") if "'bunraku[" in path.read_text()]
    assert found == []
