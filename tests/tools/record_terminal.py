"""The pictures of a terminal in the documentation: real commands in the examples, with their colours.

record_terminal.py           records them; needs the extra ``docs``
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.console import Shell  # noqa: E402, the path first

DOCS = ROOT / "docs"
WIDTH = 104


@dataclass(frozen=True)
class Picture:
    """A file, its title, commands that prepare a copy of the examples, and the commands that are shown.

    Before each shown command, another one changes the copy.
    """

    file: str
    title: str
    setup: tuple[str, ...]
    shown: tuple[tuple[str, str], ...]


UNTIDY = """\
class motd($text='Hello',
  Boolean $colour = false){
  file {'/etc/motd':
    ensure => file,
    content   => "${text}\\n"
  }
  if( $colour )
  {
    include motd::colour
  }
}
"""
SESSION = """\
$port = lookup('profile::web::port')
[1, 2].map |$n| {
  $n * $port
}
:type [$port, 'a']
file { '/etc/port': content => "${port}" }
:explain File[/etc/port]
"""
PICTURES = (
    Picture(
        "terminal.svg",
        "control-repo",
        ("cd control-repo", "git init -q . && git add -A && git commit -qm 'Start'"),
        (
            (
                "sed -i 's/profile::web$/profile::wbe/' site-modules/role/manifests/web.pp",
                "bunraku compile --nodes",
            ),
            (
                "git checkout -q . && sed -i 's/80$/8443/' data/common.yaml",
                "bunraku diff HEAD",
            ),
        ),
    ),
    Picture(
        "ci.svg",
        "a change of a control repository",
        ("control/make-repository demo", "cd demo"),
        (("git checkout -q breaking", "bunraku ci"),),
    ),
    Picture(
        "fmt.svg",
        "a manifest before and after bunraku fmt",
        ("mkdir motd && cd motd", f"cat > init.pp <<'END'\n{UNTIDY}END"),
        (
            ("true", "bunraku fmt --diff init.pp"),
            ("bunraku fmt init.pp", "bunraku fmt --check init.pp"),
        ),
    ),
    Picture(
        "explain.svg",
        "why a file is in a catalog",
        ("cd control-repo",),
        (
            (
                "true",
                "bunraku explain 'File[/etc/nginx/conf.d/site.conf]' --match web02.example.com",
            ),
        ),
    ),
    Picture(
        "repl.svg",
        "code at a prompt",
        ("cd control-repo", f"cat > session.pp <<'END'\n{SESSION}END"),
        (
            ("true", "cat session.pp"),
            ("true", "bunraku repl --node web02.example.com < session.pp"),
        ),
    ),
    Picture(
        "new.svg",
        "a new module and its archive",
        (),
        (
            ("true", "bunraku new module acme-motd"),
            ("cd motd", "bunraku new class banner"),
            ("true", "bunraku check && bunraku lint && bunraku fmt --check"),
            ("true", "bunraku build"),
        ),
    ),
)


def transcript(picture: Picture, **environment: str) -> Iterator[tuple[str, str]]:
    """The commands and their output."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder).resolve())
        shell.prompt.environment = {**shell.prompt.environment, **environment}
        for command in picture.setup:
            shell.run(command)
        for change, command in picture.shown:
            shell.run(change)
            yield command, shell.run(command)


def svg_of(picture: Picture) -> str:
    """The SVG, without fonts from the network, and with the same names in each run."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for number, (command, output) in enumerate(
        transcript(picture, FORCE_COLOR="1", TERM="xterm-256color")
    ):
        line = Text.assemble(("$ ", "bold green"), (command, "bold"))
        console.print(*([""] if number else []), line, Text.from_ansi(output), sep="\n")
    svg = console.export_svg(title=picture.title, theme=MONOKAI, unique_id="bunraku")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    for one in PICTURES:
        (DOCS / one.file).write_text(svg_of(one), encoding="utf-8")
