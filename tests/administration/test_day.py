"""The commands of the page "Run a site", as a day of an administrator with four nodes. ``make administrator-day`` has ten."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rigs.administration import day
from rigs.administration.events import EVENTS
from rigs.administration.machines import is_allowed
from support.console import BLOCK, steps

TEXT = day.PAGE.read_text(encoding="utf-8")


def test_the_day_goes_as_the_page_says(request):
    if reason := is_allowed():
        pytest.skip(reason)
    update = request.config.getoption("--update")
    words = ["--update"] if update else ["--nodes", "4"]
    command = [sys.executable, str(Path(day.__file__)), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cannot mount" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_events_of_the_page_are_known_and_happen():
    assert set(day.EVENT.findall(TEXT)) == EVENTS.keys()


def test_commands_of_the_page_outside_of_the_day_are_about_another_database():
    """All others are steps of the day: what is not on the page cannot be in it."""
    left = BLOCK.sub("", TEXT)
    others = re.findall(r"^    [$#] (.*)$", left, re.MULTILINE)
    assert others
    section = left.partition("\n## PostgreSQL\n")[2].partition("\n## ")[0]
    assert all(f"$ {one}" in section for one in others)


def test_each_machine_of_the_page_exists():
    named = {step.machine for _, block in BLOCK.findall(TEXT) for step in steps(block)}
    assert named - {"", day.EACH} <= set(day.NODES[:4])
