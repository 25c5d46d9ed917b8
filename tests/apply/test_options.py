"""The options of ``bunraku apply``: exit codes, output and log files beside those of real Puppet 7.23."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.apply_options import CALLS, FALSE, NOTIFY, Outcome, outcome, prepare, recorded, words

STOPPED = "bunraku has its own words and the place of an error; the console gets it, too"
USAGE = "wrong usage is 2 in all commands of bunraku"
JSON = "bunraku also writes the keys file and line if they have no value"
KNOWN_DIFFERENCES = {
    "--detailed-exitcodes -e 'notify { \"a\"'": STOPPED,
    "-e 'fail(\"x\")'": STOPPED,
    "--detailed-exitcodes -e 'file { \"rel\": }'": STOPPED,
    "--noop --detailed-exitcodes -e 'fail(\"x\")'": STOPPED,
    "--logdest DIR/logs/error.log -e 'fail(\"x\")'": STOPPED,
    "--catalog DIR/none.json": STOPPED,
    "--catalog DIR/bad.json": STOPPED,
    "--catalog DIR/list.json --detailed-exitcodes": STOPPED,
    "DIR/nosuch.pp": USAGE,
    "--nosuch -e ''": USAGE,
    f"--logdest rel.log {NOTIFY}": USAGE,
    f"--logdest DIR {NOTIFY}": USAGE,
    "DIR/m/a.pp DIR/m/b.pp": f"Puppet ignores the second file; {USAGE}",
    "--catalog DIR/good.json --detailed-exitcodes": "Puppet ignores --detailed-exitcodes here",
    '--logdest DIR/logs/a.json -e \'notify { "a": } warning("w") exec { "/bin/false": }\'': JSON,
    f"--logdest DIR/logs/a.json {NOTIFY}": JSON,
    f"--logdest DIR/logs/a.jsonl {NOTIFY}": JSON,
    f"--verbose --logdest DIR/logs/v.log {NOTIFY}": "Puppet logs two steps more",
    f"--test {NOTIFY}": "Puppet logs two steps more",
}
"""Calls whose outcome differs from Puppet's, and why."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Run all calls in one directory, in order."""
    directory = tmp_path_factory.mktemp("options")
    prepare(directory)
    fixed = ["--no-project", "--vardir", str(directory / "var"), "--node", "web1"]
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        for call in CALLS:
            found[call] = called(["apply", *words(call, directory), *fixed], directory)
    return found


def called(command: list[str], directory: Path) -> Outcome:
    """Run a command and return its outcome."""
    streams = [TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        code = main(command)
    output, errors = (stream.buffer.getvalue().decode() for stream in streams)
    return outcome(code, output, errors, directory)


@pytest.mark.parametrize("call", CALLS)
def test_options_do_what_puppets_do(call: str, outcomes: dict[str, Outcome]) -> None:
    ours, theirs = outcomes[call], recorded()[call]
    if call in KNOWN_DIFFERENCES:
        assert ours != theirs, "it agrees now: remove it from KNOWN_DIFFERENCES"
    else:
        assert ours == theirs


def test_a_failure_to_compile_is_logged_and_printed(outcomes: dict[str, Outcome]) -> None:
    found = outcomes["--logdest DIR/logs/error.log -e 'fail(\"x\")'"]
    assert found.exit == 1
    assert found.files == {"logs/error.log": "<time> Puppet (err): x"}
    assert "error: x" in found.stderr


def test_relative_log_files_are_refused(outcomes: dict[str, Outcome]) -> None:
    text = "unknown destination 'rel.log': expected console, syslog or an absolute path"
    assert text in outcomes[f"--logdest rel.log {NOTIFY}"].stderr


def test_codes_of_failures(outcomes: dict[str, Outcome]) -> None:
    assert outcomes[FALSE].exit == 0
    assert outcomes[f"--detailed-exitcodes {FALSE}"].exit == 4
