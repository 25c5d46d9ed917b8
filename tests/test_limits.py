"""Limits of time and memory: what grows without bound ends with one error and its place."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bunraku.catalog.wire import catalog_to_data
from bunraku.cli.main import main
from bunraku.engine import Request, compile_catalog
from bunraku.errors import PuppetError
from bunraku.formats.json import json_text
from bunraku.limit_texts import parse_seconds, parse_size
from bunraku.limits import ACTIVE, Limited, Limits
from bunraku.world import DictionaryWorld

STDLIB = b'{"name": "puppetlabs-stdlib", "version": "9.4.0", "author": "x", "license": "x"}'
MODULES = {"/modules/stdlib/metadata.json": STDLIB}
SECONDS = 0.25
GRACE = 4.0
"""Seconds of the processor that a case may take beyond its limit, most of them to start."""

SHARED = "$v = range(1, 60).reduce([1]) |$m, $i| { [$m, $m] }\n"
SAME = "$w = range(1, 60).reduce([1]) |$m, $i| { [$m, $m] }\n"
HASHES = "$v = range(1, 60).reduce({'a' => 1}) |$m, $i| { {'a' => $m, 'b' => $m} }\n"


def aliases(kind: str) -> str:
    """Forty type aliases on one line, each of which names the one before twice."""
    names = [f"type T{n} = {kind.format(before=f'T{n - 1}')}" for n in range(1, 40)]
    return "; ".join(["type T0 = Integer", *names]) + "\n"


STRUCTS = aliases("Struct[a => {before}, b => {before}]")
TUPLES = aliases("Tuple[{before}, {before}]")

ENDLESS = {
    "a Struct of aliases in text": STRUCTS + '$x = "${T39}"',
    "a Tuple of aliases in text": TUPLES + '$x = "${T39}"',
    "a Struct of aliases in a log message": STRUCTS + "notice(T39)",
    "a shared array as a parameter": SHARED + "notify { 'a': message => $v }",
    "a shared array in text": SHARED + '$x = "${v}"',
    "a shared array in a log message": SHARED + "notice($v)",
    "shared arrays compared": SHARED + SAME + "$x = $v == $w",
    "a shared array among others": SHARED + SAME + "$x = $v in [$w]",
    "shared arrays as choices": SHARED + SAME + "$x = $v ? { $w => 1 }",
    "shared arrays taken away": SHARED + SAME + "$x = [$v] - [$w]",
    "shared arrays made unique": SHARED + SAME + "$x = unique([$v, $w])",
    "shared hashes compared": HASHES + HASHES.replace("$v", "$w") + "$x = $v == $w",
    "a shared array flattened": SHARED + "$x = flatten($v)",
    "the type of a shared array": SHARED + "$x = type($v)",
    "the type of a shared hash": HASHES + "$x = type($v)",
    "a shared array as a key": SHARED + "$x = {$v => 1}",
    "a shared array with tree_each": SHARED + "$v.tree_each |$x| { }",
    "a shared array as JSON": SHARED + "$x = stdlib::to_json($v)",
    "a shared array as a String": SHARED + "$x = String($v)",
    "a shared array formatted": SHARED + "$x = sprintf('%s', $v)",
    "a shared array joined": SHARED + "$x = join($v, '')",
    "a shared array as Data": SHARED + "$x = $v =~ Data",
    "shared hashes merged": HASHES + HASHES.replace("$v", "$w") + "$x = deep_merge($v, $w)",
    "a shared array in a template": SHARED + "$x = inline_epp('<%= $v %>', {v => $v})",
    "a shared array in an ERB template": SHARED + "$x = inline_template('<%= @v %>')",
    "a loop over a large number": "1000000000000.each |$x| { }",
    "a loop over a large range": "Integer[1, 1000000000000].each |$x| { }",
    "a large range reversed": "Integer[1, 1000000000000].reverse_each.each |$x| { }",
    "a large range filtered": "$x = Integer[1, 1000000000000].filter |$x| { false }",
    "a large range mapped": "$x = Integer[1, 1000000000000].map |$x| { 1 }",
    "calls of two calls": "function f($n) { if $n > 0 { f($n - 1); f($n - 1) } }\nf(60)",
    "25 million edges": (
        '$a = range(1, 5000).map |$i| { "n${i}" }\nnotify { $a: }\nNotify[$a] -> Notify[$a]'
    ),
    "a program": "$x = generate('/bin/sleep', '100000')",
}
INSIDE = {"calls of two calls": ("site.pp", 1), "a shared array in a template": ("inline_epp", 1)}
"""Cases in which the time goes into code that the last line calls."""


@pytest.mark.parametrize("case", ENDLESS)
def test_code_that_takes_too_long_ends_with_its_place(case):
    error = within(Limits(SECONDS, 0), ENDLESS[case])
    assert error.code == "TIMEOUT"
    assert error.message == "The time limit of 0.25 s was reached"
    assert "--timeout" in error.diagnostic.hint
    last_line = ENDLESS[case].rstrip().count("\n") + 1
    assert error.diagnostic.place()[:2] == INSIDE.get(case, ("site.pp", last_line))


def within(limits: Limits, code: str) -> PuppetError:
    """The error with which code ends under limits, soon enough."""
    request = Request(
        code=code, as_file="site.pp", modulepath=["/modules"], world=Programs(MODULES)
    )
    begin = time.process_time()
    with pytest.raises(PuppetError) as caught, Limited(limits):
        json_text(catalog_to_data(compile_catalog(request, lambda _entry: None)), indent=True)
    assert time.process_time() - begin < limits.seconds + GRACE
    assert not ACTIVE
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    return caught.value


class Programs(DictionaryWorld):
    """A dictionary of files that runs the programs of the machine."""

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See ``World``."""
        done = subprocess.run(command, cwd=directory, check=True, capture_output=True)
        return done.stdout.decode()


# -- memory ----------------------------------------------------------------------------------------

GREEDY = {
    "a string doubled": "$x = range(1, 60).reduce('aa') |$m, $i| { \"${m}${m}\" }",
    "an array doubled": "$x = range(1, 60).reduce([1]) |$m, $i| { $m + $m }",
    "an array of a large range": "$x = Array(Integer[1, 1000000000000])",
}


@pytest.mark.parametrize("case", GREEDY)
def test_code_that_takes_too_much_memory_ends_with_its_place(case):
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + (100 << 20)
    error = within(Limits(30, limit), GREEDY[case])
    assert error.code == "OUT_OF_MEMORY"
    assert "--memory" in error.diagnostic.hint
    assert error.diagnostic.place()[:2] == ("site.pp", 1)
    assert error.diagnostic.column


# -- the block -------------------------------------------------------------------------------------


def test_a_block_within_its_limits_changes_nothing():
    before = signal.getsignal(signal.SIGALRM), sys.unraisablehook
    with Limited(Limits(5)):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 4
    assert (signal.getsignal(signal.SIGALRM), sys.unraisablehook) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_inner_block_gets_no_more_time_than_the_outer_one():
    with pytest.raises(PuppetError, match="limit of"), Limited(Limits(0.1)), Limited(Limits(60)):
        time.sleep(10)


def test_an_exception_that_is_swallowed_is_raised_again():
    class Swallows:
        """An object whose end takes longer than the limit."""

        def __del__(self) -> None:
            time.sleep(0.3)

    begin = time.monotonic()
    with pytest.raises(PuppetError, match="limit of"), Limited(Limits(0.05)):
        _ = Swallows(), time.sleep(10)
    assert time.monotonic() - begin < 5


def test_other_threads_cannot_have_a_time_limit():
    found = []

    def enter() -> None:
        try:
            with Limited(Limits(1)):
                pass
        except RuntimeError as error:
            found.append(str(error))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == ["a time limit can only be set in the main thread of the process"]
    assert not ACTIVE


@pytest.mark.parametrize("text", ["", "x", "-1", "5x", "1e400", "nan", "inf", "1 2", "99999999h"])
def test_other_texts_are_no_time(text):
    with pytest.raises(ValueError, match="use seconds"):
        parse_seconds(text)


@pytest.mark.parametrize("text", ["", "x", "-1", "1K", "5X", "nan", "9" * 30, "63M"])
def test_other_texts_are_no_size(text):
    with pytest.raises(ValueError, match="use a size"):
        parse_size(text)


# -- commands --------------------------------------------------------------------------------------

LOOP = "1000000000000.each |$x| { }"
PLACE = re.compile(r"-e:1:\d+: error: The time limit of 0.3 s was reached \[TIMEOUT\]")


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    """A function that runs a command, checks its exit code and returns what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 1) -> str:
        assert main(list(arguments)) == code
        printed = "".join(capsys.readouterr())
        assert "Traceback" not in printed
        return printed

    return run


@pytest.mark.parametrize("name", ["compile", "eval"])
def test_commands_report_the_place_where_the_time_went(name, command):
    assert PLACE.search(command(name, "--timeout", "0.3", "-e", LOOP))


def test_a_node_that_takes_too_long_does_not_stop_the_others(tmp_path, command):
    for node in ("bad", "good", "other"):
        (tmp_path / f"{node}.yaml").write_text("{}", encoding="ascii")
    site = tmp_path / "site.pp"
    site.write_text(f"node bad {{ {LOOP} }}\nnode default {{ }}\n", encoding="ascii")
    report = command(
        "compile", "--timeout", "1", "--facts-folder", str(tmp_path), "--jobs", "2", str(site)
    )
    place = re.escape(f"bad: {site}:1:")
    assert re.search(rf"{place}\d+: error: The time limit of 1 s was reached", report)
    assert report.count("error:") == 1


def test_migrate_reports_a_node_that_takes_too_long(command):
    printed = command("migrate", "--from", "7", "--timeout", "0.3", "-e", LOOP, code=2)
    assert "The time limit of 0.3 s was reached" in printed


@pytest.mark.parametrize(
    ("option", "value"), [("--timeout", "soon"), ("--timeout", "-1"), ("--memory", "1K")]
)
def test_wrong_limits_are_wrong_usage(option, value, command):
    report = command("compile", f"{option}={value}", "-e", "notice(1)", code=2)
    assert report.startswith(f"bunraku compile: {option}: invalid ")


def test_the_configuration_sets_limits(tmp_path, command):
    (tmp_path / "bunraku.toml").write_text("timeout = 0.3\n", encoding="ascii")
    assert PLACE.search(command("compile", "-e", LOOP))


def test_a_wrong_limit_in_the_configuration_has_file_and_line(tmp_path, command):
    (tmp_path / "bunraku.toml").write_text("\nmemory = '1K'\n", encoding="ascii")
    report = command("compile", "-e", LOOP, code=2)
    assert f"{tmp_path}/bunraku.toml:2: The value of 'memory' is not a limit: use a size" in report
