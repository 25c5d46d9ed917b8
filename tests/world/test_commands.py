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
