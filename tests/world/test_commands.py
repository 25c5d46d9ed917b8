"""Programs that a host runs: limits."""

from __future__ import annotations

import pytest

from bunraku.world.host import Command
from bunraku.world.linux import LARGEST_OUTPUT, LinuxHost


@pytest.mark.parametrize("ending", ["exit 1", "sleep 60"])
def test_a_program_that_prints_too_much_is_refused(ending):
    """Whether it ends at once, before the size is checked, or goes on."""
    command = f"head -c {LARGEST_OUTPUT + 1} /dev/zero; {ending}"
    with pytest.raises(OSError, match="printed more than"):
        LinuxHost().execute(Command(command))


@pytest.mark.parametrize(
    ("given", "searched"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin:/usr/sbin:/sbin"),
        ("/sbin:/usr/bin", "/sbin:/usr/bin:/usr/sbin"),
    ],
)
def test_system_programs_are_found_without_their_directories_in_path(monkeypatch, given, searched):
    monkeypatch.setenv("PATH", given)
    found = LinuxHost().find_program("ldconfig")
    assert found in {"/usr/sbin/ldconfig", "/sbin/ldconfig"}
    assert LinuxHost().execute(Command("echo $PATH")).output == f"{searched}\n"


def test_a_command_can_have_its_own_path():
    done = LinuxHost().execute(Command("echo $PATH", environment={"PATH": "/bin"}))
    assert done.output == "/bin\n"
