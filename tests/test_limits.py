"""Limits of time and memory: unbounded code ends with one error and its place."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.request import Request
from bunraku.formats.failure import FormatError
from bunraku.formats.json import json_text
from bunraku.formats.yaml import load, load_plain
from bunraku.limits.limits import ACTIVE, Limited, Limits
from bunraku.limits.texts import parse_seconds, parse_size
from bunraku.world.dictionary import DictionaryWorld

STDLIB = b'{"name": "puppetlabs-stdlib", "version": "9.4.0", "author": "x", "license": "x"}'
MODULES = {"/modules/stdlib/metadata.json": STDLIB}
SECONDS = 0.25
"""The time limit of a case."""

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
    "200 million edges": (
        '$a = range(1, 1000).map |$i| { "n${i}" }\nnotify { $a: }\n'
        + " -> ".join(["Notify[$a]"] * 200)
    ),
    "a program": "$x = generate('/bin/sleep', '100000')",
}
LONGER = {"200 million edges": 4.0}
"""Seconds where the lines before the last take a while, too."""
INSIDE = {
    "calls of two calls": ("site.pp", 1),
    "a shared array in a template": ("inlined-epp-text", 1),
}
"""Cases in which the time goes into code that the last line calls."""


@pytest.mark.parametrize("case", ENDLESS)
def test_code_that_takes_too_long_ends_with_its_place(case):
    seconds = LONGER.get(case, SECONDS)
    error = within(Limits(seconds, 0), ENDLESS[case])
    assert error.code == "TIMEOUT"
    assert error.message == f"The time limit of {seconds:g} s was reached"
    assert "--timeout" in error.diagnostic.hint
    last_line = ENDLESS[case].rstrip().count("\n") + 1
    assert error.diagnostic.place.where[:2] == INSIDE.get(case, ("site.pp", last_line))


def within(limits: Limits, code: str) -> PuppetError:
    """The error with which code ends under limits.

    Code that does not end in time is ended by SIGPROF, and this process with it.
    """
    request = Request(
        code=code, as_file="site.pp", modulepath=["/modules"], world=Programs(MODULES)
    )
    with pytest.raises(PuppetError) as caught, Limited(limits):
        json_text(catalog_to_data(compile_catalog(request, lambda _entry: None)), indent=True)
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
    assert error.diagnostic.place.where[:2] == ("site.pp", 1)
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


@pytest.mark.parametrize("outer", [0.0, 60.0])
def test_a_limit_that_is_reached_at_the_edge_of_a_block_leaves_nothing(outer):
    before = (
        signal.getsignal(signal.SIGALRM),
        sys.unraisablehook,
        resource.getrlimit(resource.RLIMIT_AS),
    )
    with Limited(Limits(outer)):
        within = signal.getsignal(signal.SIGALRM), list(ACTIVE)
        for microseconds in range(1, 3000):
            with suppress(PuppetError), Limited(Limits(microseconds % 100 / 1e6)):
                pass
            assert (signal.getsignal(signal.SIGALRM), ACTIVE) == within
    assert (signal.getsignal(signal.SIGALRM), sys.unraisablehook) == before[:2]
    assert resource.getrlimit(resource.RLIMIT_AS) == before[2]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_exception_that_is_swallowed_is_raised_again():
    class Swallows:
        """An object whose end takes longer than the limit."""

        def __del__(self) -> None:
            time.sleep(0.3)

    with pytest.raises(PuppetError, match="limit of"), Limited(Limits(0.05)):
        _ = Swallows(), time.sleep(3600)


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
    """A function that runs a command, checks its exit code and returns its output."""
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


# -- text ------------------------------------------------------------------------------------------

WIDE = {
    "$x = sprintf('%999999999d', 1)": "SPRINTF_FORMAT",
    "$x = sprintf('%-999999999s', 1)": "SPRINTF_FORMAT",
    "$x = sprintf('%.999999999f', 1.0)": "SPRINTF_FORMAT",
    "$x = sprintf('%*d', 999999999, 1)": "SPRINTF_FORMAT",
    "$x = String(1, '%999999999d')": "STRING_FORMAT_INVALID",
    "$x = Timestamp(1).strftime('%999999999s')": "TIME_FORMAT_INVALID",
    "$x = Timestamp(1).strftime('%999999999N')": "TIME_FORMAT_INVALID",
    "$x = strftime(Timespan(1), '%999999999S')": "TIME_FORMAT_INVALID",
    f"$x = sprintf('%{'9' * 5000}d', 1)": "SPRINTF_FORMAT",
    f"$x = Timestamp(1).strftime('%{'9' * 5000}s')": "TIME_FORMAT_INVALID",
}


@pytest.mark.parametrize("code", WIDE)
def test_fields_that_would_take_gigabytes_are_refused(code):
    error = within(Limits(20, 0), code)
    assert error.code == WIDE[code]
    assert "67108864" in error.message
    assert error.diagnostic.place.where[:2] == ("site.pp", 1)


@pytest.mark.parametrize("width", ["9999999999", "9" * 5000])
def test_scanf_reads_fields_of_any_width(width):
    found = evaluate_code(Request(code=f"scanf('ab', '%{width}c')"), lambda _entry: None)
    assert found == ["ab"]


# -- data ------------------------------------------------------------------------------------------

NINES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {k: 1}\n" + "".join(
    f"{name}: &{name}\n  <<: [{', '.join([f'*{before}'] * 9)}]\n  {name}: 1\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
SUBSTITUTIONS = "a0 = [x]\n" + "".join(
    f"a{n} = [${{a{n - 1}}}, ${{a{n - 1}}}]\n" for n in range(1, 40)
)
LOOKUPS = "k0: x\n" + "".join(
    f"k{n}: \"%{{lookup('k{n - 1}')}}%{{lookup('k{n - 1}')}}\"\n" for n in range(1, 60)
)


def lookup_in(files: dict[str, bytes], seconds: float = 20.0, kind: str = "yaml") -> PuppetError:
    """The error of a lookup of the key ``k59``, if it ends in time."""
    config = (
        f"version: 5\ndefaults: {{datadir: /data, data_hash: {kind}_data}}\n"
        f"hierarchy: [{{name: common, path: common.{kind}}}]\n"
    )
    world = DictionaryWorld({"/hiera.yaml": config.encode(), **files})
    request = Request(hiera_config="/hiera.yaml", world=world)
    try:
        with Limited(Limits(seconds, 0)):
            found = look_up(request, Question(["k59"]), lambda _entry: None).error
    except PuppetError as error:
        found = error
    assert found is not None
    return found


@pytest.mark.parametrize(("text", "line"), [(NINES, 7), (MERGES, 18)], ids=["values", "merge keys"])
def test_yaml_whose_aliases_stand_for_too_much_is_refused(text, line):
    error = lookup_in({"/data/common.yaml": text.encode()})
    assert error.code == "HIERA_UNPARSABLE_DATA"
    assert error.message.endswith("its aliases expand to more than 2000000 values")
    assert error.diagnostic.place.where[:2] == ("/data/common.yaml", line)


@pytest.mark.parametrize(("text", "line"), [(NINES, 7), (MERGES, 18)], ids=["values", "merge keys"])
def test_yaml_facts_whose_aliases_stand_for_too_much_are_refused(text, line):
    with pytest.raises(FormatError, match="its aliases expand to more than 2000000") as caught:
        load_plain(text)
    assert caught.value.line == line


def test_yaml_with_many_aliases_of_small_values_is_read():
    text = "a: &a [x, y]\nb: [" + ", ".join(["*a"] * 1000) + "]\n"
    assert load(text)["b"] == load_plain(text)["b"] == [["x", "y"]] * 1000


def test_hocon_whose_substitutions_stand_for_too_much_is_refused():
    error = lookup_in({"/data/common.hocon": SUBSTITUTIONS.encode()}, kind="hocon")
    assert error.code == "HIERA_UNPARSABLE_DATA"
    assert "its substitutions expand to more than" in error.message
    assert error.diagnostic.file == "/data/common.hocon"
    assert error.diagnostic.line


@pytest.mark.parametrize("kind", ["json", "hocon", "yaml"])
def test_data_that_nests_deeply_is_refused(kind):
    text = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"
    error = lookup_in({f"/data/common.{kind}": text.encode()}, kind=kind)
    assert error.diagnostic.file == f"/data/common.{kind}"
    assert "nested too deeply" in error.message


def test_a_lookup_that_takes_too_long_names_its_key():
    error = lookup_in({"/data/common.yaml": LOOKUPS.encode()}, SECONDS)
    assert error.code == "TIMEOUT"
    assert re.match(r"the lookup of 'k\d+' was running; look for", error.diagnostic.hint)


# -- files -----------------------------------------------------------------------------------------


@pytest.fixture
def pipe(tmp_path):
    """A named pipe that nobody writes to."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path, pipe):
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(tmp_path / "socket"))
    with bound:
        for path, kind in (
            (str(pipe), "a named pipe"),
            ("/dev/zero", "a device"),
            (str(tmp_path / "socket"), "a socket"),
        ):
            with pytest.raises(OSError, match=f"it is {kind}"):
                read_whole(path)
    with pytest.raises(IsADirectoryError):
        read_whole(str(tmp_path))


def test_large_files_are_refused_before_they_are_read(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="it is larger than 64 MiB"):
        read_whole(str(path))
    assert not read_whole("/dev/null")
    assert read_whole("/proc/self/status").startswith(b"Name:")


def test_an_open_pipe_is_read_to_its_end_or_to_the_limit():
    reader, writer = os.pipe()
    os.write(writer, b"x" * 5000)
    os.close(writer)
    with open(reader, "rb"), pytest.raises(OSError, match="larger than"):
        read_whole(f"/proc/self/fd/{reader}", most=4000)
    reader, writer = os.pipe()
    os.write(writer, b"notice(1)")
    os.close(writer)
    with open(reader, "rb"):
        assert read_whole(f"/dev/fd/{reader}") == b"notice(1)"


SPECIAL = {
    "a manifest to compile": ["compile", "{}"],
    "a manifest to evaluate": ["eval", "--file", "{}"],
    "a manifest to check": ["validate", "{}/init.pp"],
    "a manifest to dump": ["dump", "{}"],
    "a manifest of a module": ["compile", "--modulepath", "{}", "-e", "include m"],
    "facts": ["compile", "--facts", "{}", "-e", "notice(1)"],
    "settings": ["compile", "--config", "{}", "-e", "notice(1)"],
    "the configuration of Hiera": ["lookup", "--hiera-config", "{}", "x"],
    "data of Hiera": ["lookup", "--hiera-config", "hiera.yaml", "x"],
    "a catalog": ["diff", "{}", "{}"],
    "a file": ["compile", "-e", "$x = file('{}')"],
    "a template": ["compile", "-e", "$x = template('{}')"],
}


FOUND_BY_ITSELF = [
    *(
        ("bunraku.toml", command)
        for command in ("compile", "lookup x", "check", "lint", "validate")
    ),
    *(("pyproject.toml", command) for command in ("compile", "check")),
    *(("environment.conf", command) for command in ("compile", "lookup x", "check", "validate")),
    *(("hiera.yaml", command) for command in ("lookup x", "check", "validate")),
    *(("modules/m/hiera.yaml", command) for command in ("lookup m::x", "check")),
    *(("manifests/b.pp", command) for command in ("compile", "check", "lint", "validate")),
    ("puppet.conf", "compile"),
]


@pytest.mark.parametrize(("name", "command"), FOUND_BY_ITSELF)
def test_special_files_that_commands_find_are_not_taken_for_absent(
    name, command, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # nothing above this directory is read
    (tmp_path / "modules/m/manifests").mkdir(parents=True)
    (tmp_path / "modules/m/manifests/init.pp").write_text("class m($x) {}\n", encoding="ascii")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("notice(1)\n", encoding="ascii")
    (tmp_path / name).symlink_to("/dev/zero")
    assert main(command.split()) in {1, 2}
    printed, report = capsys.readouterr()
    assert f"{name}" in printed + report
    assert "it is a device, not a regular file" in printed + report


@pytest.mark.parametrize("special", ["pipe", "/dev/zero"])
@pytest.mark.parametrize("case", SPECIAL)
def test_special_files_are_one_clear_error(case, special, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "init.pp" if special == "pipe" else Path(special)
    if special == "pipe":
        os.mkfifo(path)
    config = "version: 5\nhierarchy: [{name: a, data_hash: yaml_data, datadir: /, path: %s}]\n"
    (tmp_path / "hiera.yaml").write_text(config % path, encoding="ascii")
    words = [word.format(path) for word in SPECIAL[case]]
    if case == "a manifest to check":
        words[1] = str(tmp_path / "init.pp")
        if special != "pipe":
            (tmp_path / "init.pp").symlink_to(special)
    elif case == "a manifest of a module":
        words[2] = str(tmp_path)
        (tmp_path / "m/manifests").mkdir(parents=True)
        (tmp_path / "m/manifests/init.pp").symlink_to(path)
    assert main([*words, "--no-project"]) in {1, 2}
    printed, report = capsys.readouterr()
    assert not printed
    wanted = ("it is a", "is not a regular file", "could not find", "Could not find")
    errors = [line for line in report.splitlines() if any(text in line for text in wanted)]
    assert len(errors) == 1, report


def test_a_substitution_of_the_shell_can_be_checked_and_compiled():
    bunraku = f"{sys.executable} -m bunraku"
    script = f"{bunraku} validate <(echo '$a = = 1') ; {bunraku} compile <(echo 'notice(7)')"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "SYNTAX_ERROR" in done.stdout
    assert "Notice: Scope(Class[main]): 7" in done.stderr
