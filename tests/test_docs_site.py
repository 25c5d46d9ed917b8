"""The site of the documentation is built without a warning: links, anchors, tables of contents."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bunraku.jobs.sarif import help_uri
from support.issues import issues

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site; without the extra ``docs`` there is none."""
    pytest.importorskip("sphinx", reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", folder / "doctrees"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, DOCS, folder / "html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


GROUPS = (
    "Start",
    "Check and test",
    "Compile and compare",
    "Run machines",
    "Run a site",
    "Migrate",
    "Extend",
    "Verification",
)
"""The groups of pages, by what people do."""


def test_every_page_is_in_one_group():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    trees = re.findall(
        r"^```\{toctree\}\n:hidden:\n:caption: (.*)\n\n([^`]*)```$", index, re.MULTILINE
    )
    assert tuple(caption for caption, _ in trees) == GROUPS
    pages = sorted(page.stem for page in DOCS.glob("*.md") if page.stem != "index")
    assert sorted(" ".join(names for _, names in trees).split()) == pages


def test_every_page_is_in_the_table_of_contents(site):
    index = (site / "index.html").read_text(encoding="utf-8")
    pages = {page.stem for page in DOCS.glob("*.md")} - {"index"}
    assert {page for page in pages if f'href="{page}.html"' not in index} == set()


def test_addresses_of_codes_in_sarif_lead_to_headings(site):
    page = (site / "issues.html").read_text(encoding="utf-8")
    anchors = {help_uri(code).partition("#")[2] for code in issues()}
    assert anchors - set(re.findall(r'id="([^"]+)"', page)) == set()
    for link in re.findall(r'href="(issues/[^"#]+#[^"]+)"', page):
        target, _, anchor = link.partition("#")
        assert f'id="{anchor}"' in (site / target).read_text(encoding="utf-8")
    assert 'id="all-differences"' in (site / "coming-from-puppet-3.html").read_text("utf-8")
