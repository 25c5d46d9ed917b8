"""The commands ``apply`` and ``plan`` as users run them, on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bunraku.cli.main import main


def run(where: Path, command: str, *words: str) -> int:
    return main([command, "--no-project", "--vardir", str(where / "var"), *words])


def test_prints_what_puppet_prints(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "apply", "-e", "notify { 'hello': }", "--node", "web01") == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("Notice: Compiled catalog for web01 in environment production in ")
    assert lines[1:3] == [
        "Notice: hello",
        "Notice: /Stage[main]/Main/Notify[hello]/message: defined 'message' as 'hello'",
    ]
    assert lines[3].startswith("Notice: Applied catalog in ")


def test_summary_and_traces(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--summarize", "--evaltrace", "--verbose", "--detailed-exitcodes")
    assert run(tmp_path, "apply", "-e", "notify { 'hello': }", *options) == 2
    out = capfd.readouterr().out
    assert "Info: /Stage[main]/Main/Notify[hello]: Starting to evaluate the resource (" in out
    assert "Info: /Stage[main]/Main/Notify[hello]: Evaluated in " in out
    assert "Changes:\n            Total: 1\n" in out


def test_messages_go_to_log_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "logs" / name for name in ("a.log", "a.json", "a.jsonl")]
    destinations = ",".join(map(str, files))
    for _ in range(2):
        assert run(tmp_path, "apply", "-e", "notify { 'x': }", "--logdest", destinations) == 0
    assert "defined" not in capfd.readouterr().out
    text, array, lines = (file.read_text("utf-8") for file in files)
    assert text.count(" Puppet (notice): x\n") == 2
    assert len(json.loads(array + "]")) == 8  # compiled, defined, message, applied; twice
    messages = [json.loads(line) for line in lines.splitlines()]
    assert messages[0]["message"].startswith("Compiled catalog for ")
    assert messages[1]["message"] == "x"
    assert files[0].stat().st_mode & 0o777 == 0o640


def test_a_log_file_that_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "notify { 'x': } -> notify { 'y': }"
    options = ("--logdest", "console,/dev/full", "--detailed-exitcodes")
    assert run(tmp_path, "apply", "-e", code, *options) == 2
    out, err = capfd.readouterr()
    assert "Notice: y\n" in out
    assert err == "Error: Could not write to /dev/full: No space left on device\n"


def test_control_characters_do_not_reach_the_console(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "apply", "-e", 'notify { "a\\u{1b}[2J\\tb\\nc": }') == 0
    assert "Notice: a␛[2J\tb\nc\n" in capfd.readouterr().out


def test_state_that_cannot_be_read_or_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "var/state"
    state.mkdir(parents=True)
    (state / "last_run_report.yaml").mkdir()
    assert run(tmp_path, "apply", "-e", "notify { 'x': }", "--detailed-exitcodes") == 2
    expected = f"Error: Could not write {state}/last_run_report.yaml: Is a directory\n"
    assert capfd.readouterr().err == expected
    (state / "apply.lock").unlink()
    (state / "apply.lock").mkdir()
    assert run(tmp_path, "apply", "-e", "notify { 'x': }") == 1
    assert "The lock of the run cannot be made" in capfd.readouterr().err


def test_lists_of_the_catalog(tmp_path: Path) -> None:
    code = "class a { notify { 'X': } } include a"
    assert run(tmp_path, "apply", "-e", code, "--write-catalog-summary") == 0
    assert (tmp_path / "var/state/classes.txt").read_text() == "settings\na\n"
    assert (tmp_path / "var/state/resources.txt").read_text() == "notify[x]\n"


@pytest.mark.parametrize("option", ["--preprocess-deferred", "--no-preprocess-deferred"])
def test_deferred_calls(tmp_path: Path, option: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = """
    notify { 'a': message => Deferred('join', [['x', 'y'], Deferred('downcase', ['Z'])]) }
    notify { 'b': message => Deferred('new', [Sensitive, 'hush']) }
    """
    assert run(tmp_path, "apply", "-e", code, option, "--detailed-exitcodes") == 2
    out = capfd.readouterr().out
    assert "defined 'message' as 'xzy'" in out
    assert "changed [redacted] to [redacted]" in out
    assert "hush" not in out


def test_a_deferred_call_that_fails(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = "notify { 'a': } notify { 'b': message => Deferred('fail', ['no']) }"
    assert run(tmp_path, "apply", "-e", code, "--preprocess-deferred", "--detailed-exitcodes") == 1
    assert "Notify[a]" not in capfd.readouterr().out
    assert run(tmp_path, "apply", "-e", code, "--detailed-exitcodes") == 6
    assert "Notify[b]: Could not evaluate: no" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "early"),
    [
        ((), False),
        (("--language", "9"), True),
        (("--language", "9", "--no-preprocess-deferred"), False),
        (("--language", "9", "--set", "preprocess_deferred=false"), False),
        (("--set", "preprocess_deferred=true"), True),
        (("--set", "preprocess_deferred=true", "--no-preprocess-deferred"), False),
    ],
)
def test_the_version_and_the_setting_say_when_deferred_functions_are_called(
    tmp_path: Path, words: tuple[str, ...], early: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """``preprocess_deferred`` is false in Puppet 8, and true in OpenVox 9 (their defaults.rb)."""
    made = tmp_path / "made"
    code = (
        f"file {{ '{made}': content => 'text' }} -> "
        f"notify {{ 'n': message => Deferred('file', ['{made}']) }}"
    )
    assert run(tmp_path, "apply", "-e", code, *words) == (1 if early else 0)
    assert made.exists() is not early
    assert ("Notice: text" in capfd.readouterr().out) is not early


def test_a_signal_ends_the_run_after_the_current_resource(tmp_path: Path) -> None:
    made = tmp_path / "made"
    code = (
        f"exec {{ '/bin/sh -c \"kill -TERM $PPID; sleep 0.2; touch {made}\"': }}\n"
        "-> notify { 'never': }"
    )
    words = ["apply", "--no-project", "--vardir", str(tmp_path / "var"), "-e", code]
    program = "import sys; from bunraku.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 143, done.stderr
    assert made.exists()
    assert "never" not in done.stdout
    report = (tmp_path / "var/state/last_run_report.yaml").read_text()
    assert "transaction_completed: true" in report


def test_a_plan_changes_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = f"exec {{ '/usr/bin/touch {tmp_path}/made': creates => '{tmp_path}/made' }}"
    assert run(tmp_path, "plan", "-e", code, "--json") == 2
    data = json.loads(capfd.readouterr().out)
    assert [step["action"] for step in data["steps"]] == ["change"]
    assert os.listdir(tmp_path) == []


def test_a_saved_plan_is_applied_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plan = str(tmp_path / "a.plan")
    code = f"exec {{ '/usr/bin/touch {tmp_path}/made': creates => '{tmp_path}/made' }}"
    assert run(tmp_path, "plan", "-e", code, "--out", plan) == 2
    assert os.stat(plan).st_mode & 0o777 == 0o600
    assert run(tmp_path, "apply", plan) == 0
    assert (tmp_path / "made").exists()
    assert run(tmp_path, "apply", plan) == 1
    errors = capfd.readouterr().err
    assert "The machine is not as it was when the plan was made; nothing was changed" in errors
    assert f"Exec[/usr/bin/touch {tmp_path}/made]: would not change any more" in errors


def test_report_of_the_last_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "report") == 2
    assert run(tmp_path, "apply", "-e", "notify { 'hello': }", "--node", "web01") == 0
    capfd.readouterr()
    assert run(tmp_path, "report") == 0
    out = capfd.readouterr().out
    assert out.startswith("Run of web01 at ")
    assert "\nChanged:\n  Notify[hello]: defined 'message' as 'hello'\n" in out
    assert "\nSlowest:\n" in out


def test_no_report(tmp_path: Path) -> None:
    assert run(tmp_path, "apply", "-e", "notify { 'x': }", "--no-report") == 0
    assert not (tmp_path / "var/state/last_run_report.yaml").exists()
    assert (tmp_path / "var/public/last_run_summary.yaml").exists()
    assert run(tmp_path, "apply", "-e", "notify { 'x': }", "--report") == 0
    assert (tmp_path / "var/state/last_run_report.yaml").exists()


def test_apply_asks_for_a_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(f"file {{ '{tmp_path}/made': content => '' }}")
    (tmp_path / "environment.conf").touch()
    monkeypatch.chdir(tmp_path)
    for words in ([], ["--noop"], ["--tags", "a"]):
        assert main(["apply", "--vardir", str(tmp_path / "var"), *words]) == 2
        error = capfd.readouterr().err
        assert error.startswith("bunraku apply: nothing to apply: give FILE, -e CODE or --catalog")
    assert not (tmp_path / "made").exists()


def test_puppet_apply_reads_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bunraku", "puppet", "apply", "--vardir", tmp_path / "var"]
    (tmp_path / "environment.conf").touch()
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notify { 'main manifest': }")
    done = subprocess.run(
        command,
        input="notify { 'standard input': }",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "Notice: standard input\n" in done.stdout
    assert "main manifest" not in done.stdout


@pytest.mark.parametrize(
    ("words", "changes"), [((), False), (("--no-noop",), True), (("--noop",), False)]
)
def test_noop_is_a_setting_that_the_flag_overrides(
    tmp_path: Path, words: tuple[str, ...], changes: bool
) -> None:
    code = f"file {{ '{tmp_path}/made': content => 'x' }}"
    assert run(tmp_path, "apply", "-e", code, "--set", "noop=true", *words) == 0
    assert (tmp_path / "made").exists() is changes


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("plan", "--bogus"), 64),
        (("plan", "missing.pp"), 64),
        (("plan", "--out", "/nowhere/at/all", "-e", "notify { 'x': }"), 64),
        (("plan", "-e", "notify { 'x': }"), 2),
        (("plan", "-e", "file { '/nowhere/at/all': ensure => absent }"), 0),
        (("plan", "-e", "fail('x')"), 1),
        (("apply", "--bogus", "--detailed-exitcodes"), 1),
        (("apply", "missing.pp", "-t"), 1),
        (("apply", "missing.pp"), 2),
    ],
)
def test_wrong_usage_is_not_a_change(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    assert run(tmp_path, *words) == code


def test_the_module_of_the_command_runs_it() -> None:
    command = [sys.executable, "-m", "bunraku.cli.main", "eval", "1 + 1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("2\n")


@pytest.mark.parametrize("command", ["apply", "plan"])
def test_a_known_type_without_its_module_has_a_hint(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "modules").mkdir()
    where = ("--modulepath", str(tmp_path / "modules"))
    assert run(tmp_path, command, "-e", "archive { '/x': }", *where) == 1
    hint = "hint: the module puppet-archive has the type; it must be on the module path"
    assert hint in capfd.readouterr().err
