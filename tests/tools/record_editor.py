"""The pictures of an editor in the documentation: neovim in a terminal, with the settings of docs/editor.md.

record_editor.py             records them; needs neovim and the extra ``docs``
"""

from __future__ import annotations

import io
import os
import re
import select
import struct
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
WIDTH, HEIGHT = 110, 20
COLOURS = (
    "hi NormalFloat ctermfg=252 ctermbg=236 | hi Pmenu ctermfg=252 ctermbg=236"
    " | hi PmenuSel ctermfg=16 ctermbg=110 | hi SignColumn ctermbg=NONE"
)
SECONDS = 60
"""The longest time until what a picture shows is there."""
FILES = {
    "metadata.json": '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}',
    "manifests/init.pp": (
        "# The time of this node.\n#\n# @param servers where it comes from\nclass ntp (\n"
        "  Array[String[1]] $servers = ['pool.ntp.org'],\n) {\n  include ntp::server\n"
        "  notice($server)\n  file { '/etc/ntp.conf':\n    ensure => file,\n  }\n}\n"
    ),
    "manifests/server.pp": "# Serves the time to others.\n#\n# @param port where it listens\nclass ntp::server (\n  Integer[1, 65535] $port = 123,\n) {\n}\n",
}


@dataclass(frozen=True)
class Picture:
    """A file, the keys that are typed, and the text that is on the screen then."""

    file: str
    title: str
    keys: str
    shows: str


PICTURES = (
    Picture("editor-findings.svg", "findings", "", "$server"),
    Picture("editor-hover.svg", "hover", ":7\r14|:lua vim.lsp.buf.hover()\r", "Integer"),
    Picture(
        "editor-completion.svg",
        "completion",
        ":set omnifunc=v:lua.vim.lsp.omnifunc\r:10\rA\r    \x18\x0f",
        "group",
    ),
    Picture(
        "editor-signature.svg",
        "signature help",
        ":11\rO  $first = split('a,b', \x1b:lua vim.lsp.buf.signature_help()\r",
        "pattern",
    ),
    Picture(
        "editor-references.svg", "references", ":7\r17|:lua vim.lsp.buf.references()\r", "server.pp"
    ),
    Picture("editor-outline.svg", "outline", ":lua vim.lsp.buf.document_symbol()\r", "[Class]"),
    Picture("editor-actions.svg", "corrections", ":8\r:lua vim.lsp.buf.code_action()\r", "1:"),
    Picture(
        "editor-rename.svg", "rename", ":5\r21|:lua vim.lsp.buf.rename('sources')\r", "$sources"
    ),
)


def settings() -> str:
    """Return the settings for neovim from the page, for all its versions."""
    blocks = re.findall(r"```lua\n(.*?)```", (DOCS / "editor.md").read_text(), re.DOTALL)
    found: str = blocks[1]
    return found


class Terminal:
    """A program in a terminal of its own, and its screen."""

    def __init__(self, words: list[str], folder: Path) -> None:
        import fcntl
        import pty
        import termios

        import pyte

        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", HOME=str(folder.parent))
            os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            os.execvp(words[0], words)
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))

    def type(self, keys: str) -> None:
        """Type keys, and read what they change."""
        os.write(self.handle, keys.encode())
        self.read(1)

    def read(self, seconds: float) -> None:
        """Read the screen until it has not changed for some time."""
        while select.select([self.handle], [], [], seconds)[0]:
            self.stream.feed(os.read(self.handle, 1 << 16))

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen."""
        end = time.monotonic() + SECONDS
        while not any(text in line for line in self.screen.display):
            assert time.monotonic() < end, "\n".join(self.screen.display)
            self.read(0.2)
        self.read(1)

    def close(self) -> None:
        """End the program."""
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.handle)


def lines_on(screen: Any) -> list[Any]:
    """Return the lines of a screen with their colours."""
    from rich.text import Text

    found = []
    for row in range(HEIGHT):
        line = Text()
        for column in range(WIDTH):
            cell = screen.buffer[row][column]
            line.append(cell.data, style_of(cell))
        line.rstrip()
        found.append(line)
    return found


def style_of(cell: Any) -> Any:
    """Return the style of a cell."""
    from rich.style import Style

    front, back = (colour(one) for one in (cell.fg, cell.bg))
    return Style(color=front, bgcolor=back, bold=cell.bold, reverse=cell.reverse)


def colour(name: str) -> str | None:
    """Return the name of a colour of rich; None for the default."""
    if name == "default":
        return None
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    name = name.replace("bfight", "bright")  # as pyte calls magenta
    return name.replace("bright", "bright_").replace("brown", "yellow")


def svg_of(picture: Picture) -> str:
    """Return the SVG of a screen, without fonts from the network."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "ntp"
        for path, text in FILES.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        (folder.parent / "init.lua").write_text(settings())
        start = "set noswapfile shortmess+=I laststatus=0 completeopt=menuone,noinsert | " + COLOURS
        terminal = Terminal(
            ["nvim", "-u", "../init.lua", "-i", "NONE", "-c", start, "manifests/init.pp"], folder
        )
        try:
            terminal.wait_for("■")
            for one in re.split(r"(?<=\r)", picture.keys):
                terminal.type(one)
            terminal.wait_for(picture.shows)
            lines = lines_on(terminal.screen)
        finally:
            terminal.close()
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for line in lines:
        console.print(line, no_wrap=True)
    svg = console.export_svg(title=picture.title, theme=MONOKAI, unique_id="bunraku")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    for one in PICTURES:
        (DOCS / one.file).write_text(svg_of(one), encoding="utf-8")
