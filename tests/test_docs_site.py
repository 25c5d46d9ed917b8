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


def built(source, folder, *options):
    """Return the folder of the site built from a folder of pages; without the extra ``docs`` there is none."""
    pytest.importorskip("sphinx", reason="needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    places = ["-c", DOCS, "-d", folder / "doctrees", source, folder / "html"]
    done = subprocess.run(
        [*command, *options, *places], capture_output=True, text=True, check=False
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


def test_pages_have_the_theme(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text("# Start\n\nText.\n", encoding="utf-8")
    page = built(source, tmp_path) / "index.html"
    assert "furo.css" in page.read_text(encoding="utf-8")
    assert (tmp_path / "html" / "_static" / "site.css").exists()


def test_links_lead_to_pages_and_addresses_of_codes_in_sarif_to_headings(tmp_path):
    """The links do not depend on the theme, and that of the site triples the time of the build."""
    site = built(DOCS, tmp_path, "-D", "html_theme=basic")
    page = (site / "issues.html").read_text(encoding="utf-8")
    anchors = {help_uri(code).partition("#")[2] for code in issues()}
    assert anchors - set(re.findall(r'id="([^"]+)"', page)) == set()
    for link in re.findall(r'href="(issues/[^"#]+#[^"]+)"', page):
        target, _, anchor = link.partition("#")
        assert f'id="{anchor}"' in (site / target).read_text(encoding="utf-8")
    assert 'id="all-differences"' in (site / "coming-from-puppet-3.html").read_text("utf-8")
