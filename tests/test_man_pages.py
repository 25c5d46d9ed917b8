"""The manual pages are those of the parsers, and ``man`` can read them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from bunraku.base.command_names import COMMANDS
from tools.write_man_pages import MAN, pages


def test_the_pages_are_those_of_the_parsers():
    made = {path: path.read_text("utf-8") for path in MAN.glob("*.1")}
    assert made == pages(), "make pages"


def test_each_command_has_a_page():
    names = {path.name for path in MAN.glob("*.1")}
    assert names == {"bunraku.1", *(f"bunraku-{name}.1" for name in COMMANDS)}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
@pytest.mark.parametrize("name", ["bunraku", "bunraku-compile", "bunraku-plan"])
def test_groff_reads_a_page_without_warnings(name):
    command = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", str(MAN / f"{name}.1")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
