"""The configuration of ``bunraku server``: what stops the start."""

from __future__ import annotations

import pytest

from bunraku.cli.main import main


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ("code-id-command", "code-content-command"),
        ("code-content-command", "code-id-command"),
    ],
)
def test_one_of_the_two_commands_of_code_stops_the_start(tmp_path, capsys, given, missing):
    directories = [f"--{name}dir={tmp_path}/{name}" for name in ("conf", "var", "ssl", "ca")]
    assert main(["server", *directories, f"--{given}", "/bin/true"]) != 0
    expected = f"The setting {given} requires the setting {missing}"
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "ca").exists()
