"""``docs/terminal.svg``, the picture in the README: real commands in the example repository, with their colours.

record_terminal.py           records it; needs the extra ``docs``
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.console import Shell  # noqa: E402, the path first

PICTURE = ROOT / "docs" / "terminal.svg"
WIDTH = 104
# Commands that prepare the copy of the examples, and are not shown.
SETUP = (
    "cd control-repo",
    "git init -q . && git add -A && git commit -qm 'Start'",
)
# A command that changes the copy, and the one that is shown.
SHOWN = (
    (
        "sed -i 's/profile::web$/profile::wbe/' site-modules/role/manifests/web.pp",
        "bunraku compile --nodes",
    ),
    (
        "git checkout -q . && sed -i 's/80$/8443/' data/common.yaml",
        "bunraku diff HEAD",
    ),
)


def transcript(**environment: str) -> Iterator[tuple[str, str]]:
    """The commands and their output."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder).resolve())
        shell.environment |= environment
        for command in SETUP:
            shell.run(command)
        for change, command in SHOWN:
            shell.run(change)
            yield command, shell.run(command)


def picture() -> str:
    """The SVG, without fonts from the network, and with the same names in each run."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for number, (command, output) in enumerate(transcript(FORCE_COLOR="1", TERM="xterm-256color")):
        line = Text.assemble(("$ ", "bold green"), (command, "bold"))
        console.print(*([""] if number else []), line, Text.from_ansi(output), sep="\n")
    svg = console.export_svg(title="control-repo", theme=MONOKAI, unique_id="bunraku")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
