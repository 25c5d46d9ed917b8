"""The line that shows the current resource: on a terminal only, and gone at the end."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from bunraku.cli.output.live_line import LiveLine

CLEAR = "\r\x1b[K"
CODE = """
file { 'DIR/a': content => Sensitive('topsecret') }
exec { '/bin/sleep 0.3': }
-> notify { 'last': }
"""


def command(where: Path) -> list[str]:
    """Return the call of ``bunraku apply``."""
    code = CODE.replace("DIR", str(where))
    words = ["apply", "--no-project", "--color", "never", "--vardir", str(where / "var")]
    return [sys.executable, "-m", "bunraku", *words, "-e", code]


def on_a_terminal(words: list[str]) -> str:
    """Run a command with a terminal as its output, and return all that it writes."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        text = b""
        while True:
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            text += chunk
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def test_a_terminal_shows_the_current_resource(tmp_path: Path) -> None:
    text = on_a_terminal(command(tmp_path))
    drawn = [part.partition("\n")[0] for part in text.split(CLEAR) if part.startswith("[")]
    assert any("/bin/sleep 0.3]" in line and "/10 Exec[" in line for line in drawn)
    assert "topsecret" not in text
    printed = "".join(part for part in text.split(CLEAR) if not part.startswith("["))
    lines = printed.splitlines()
    assert (
        lines[-2] == "Notice: /Stage[main]/Main/Notify[last]/message: defined 'message' as 'last'"
    )
    assert lines[-1].startswith("Notice: Applied catalog in ")
    assert all(line.startswith("Notice: ") for line in lines)


def test_a_pipe_gets_no_line(tmp_path: Path) -> None:
    done = subprocess.run(command(tmp_path), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_files_are_drawn_ten_times_a_second_at_most(capsys) -> None:
    now = [0.0]
    with LiveLine(shown=True, clock=lambda: now[0]) as live:
        for number in range(1, 41):
            live.watch(number, 40, f"File[/{number}]")
            now[0] += 0.01
    errors = capsys.readouterr().err
    assert errors.count("File[") == 4
    assert errors.endswith(CLEAR)


def test_it_fits_into_the_terminal_and_shows_no_control_characters(capsys) -> None:
    with LiveLine(shown=True) as live:
        live.watch(1, 1, "File[/tmp/\x1b[2J" + "x" * 500 + "]")
    shown = capsys.readouterr().err.split(CLEAR)[1]
    assert len(shown) < 500
    assert "\x1b" not in shown
