"""The Ruby process: its limits, its end, and that nothing of it stays behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.checks.ruby import check_erb
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.process import (
    RUNNING,
    Limits,
    Patience,
    RubyEnded,
    RubyHangs,
    RubyProcess,
    processor_time,
    ruby_process,
    time_limits,
)
from bunraku.ruby.process.wire import encode_text
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from support.ruby import needs_ruby

pytestmark = needs_ruby
MODULES = str(Path(__file__).parents[1] / "data" / "ruby_modules")
CLOCK = "Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)"
BURN = f"(t = {CLOCK}; nil while {CLOCK} - t < 0.3)"
"""Ruby code that uses 0.3 seconds of processor time, however long that takes."""
FUNCTIONS = """
function call($name) { inline_template('<% ObjectSpace.class; begin; scope.call_function(@name, []); rescue Exception; end %>x') }
function exits() { inline_template('<% exit!(3) %>') }
function hangs() { inline_template("\\n<% begin; loop {}; rescue Exception; retry; end %>") }
function exits2() { call('exits') }
function hangs2() { call('hangs') }
"""


@pytest.fixture(autouse=True)
def fresh_ruby() -> Iterator[None]:
    """Start and end with no Ruby process."""
    forget()
    yield
    forget()


def forget() -> None:
    """End this thread's Ruby process."""
    if hasattr(RUNNING, "process"):
        RUNNING.process.kill()


class Limited(Machine):
    """This machine with a limit for Ruby code."""

    def __init__(self, seconds: str) -> None:
        self.seconds = seconds

    def environment_variable(self, name: str) -> str | None:
        """See :class:`World`."""
        return self.seconds if name == "BUNRAKU_RUBY_TIMEOUT" else os.environ.get(name)


def notices(code: str, seconds: str = "8", modulepath: str = MODULES) -> list[str]:
    """Return the messages that a manifest logs with notice()."""
    found: list[str] = []
    request = Request(code=code, modulepath=[modulepath], world=Limited(seconds))
    compile_catalog(
        request, lambda entry: found.append(entry.message) if entry.level == "notice" else None
    )
    return found


def failure(code: str, seconds: str = "8") -> PuppetError:
    """Return the error that a manifest ends with."""
    with pytest.raises(PuppetError) as caught:
        notices(code, seconds)
    return caught.value


def template(ruby: str) -> str:
    """Return a manifest with a template that needs Ruby."""
    return f"notice(inline_template(@(END)))\n<% ObjectSpace.class; {ruby} %>\n| END\n"


HASTY = Patience(grace=0.1, short=0.1, look=0.1)


def start_ruby(patience: Patience) -> RubyProcess:
    """Start the Ruby process of this thread, which the next compiles use."""
    return ruby_process(Machine(), (), "a test", patience)


def eventually(condition: Callable[[], object]) -> bool:
    """Wait until something is true, up to 20 seconds."""
    deadline = time.monotonic() + 120
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def has_ended(pid: int) -> bool:
    """Whether a process has ended; a process that is not reaped counts as ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def render(ruby: str, limits: Limits) -> dict[str, Any]:
    """Return a request to render a template."""
    text = encode_text(f"<% {ruby} %>")
    frame = {"do": "render", "file": None, "text": text, "scope": 0, "variables": {}, "old": False}
    return {**frame, "fresh": True, "limits": limits}


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["0.0001", "0.001", "0.01", "0.03", "0.1"])
@pytest.mark.parametrize("setup", ["", '$x = range(1, 30000).map |$i| { "text ${i}" }'])
def test_a_short_limit_gives_the_answer_or_the_time_error(
    seconds: str, setup: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = f"{setup}\nnotice(inline_template('<% ObjectSpace.class; @x %>done'))"
    outcome: object = None
    try:
        outcome = notices(code, seconds)
    except PuppetError as error:
        outcome = error.code, error.diagnostic.line
    assert outcome in (["done"], ("RUBY_TIMEOUT", 2))
    assert capfd.readouterr().err == ""


def test_the_error_names_the_line_that_hangs_whatever_the_code_rescues() -> None:
    error = failure("hangs()" + FUNCTIONS, "0.2")
    assert error.message == (
        "The inline template used more than 0.2 seconds of processor time (file: (erb), line: 2)"
    )


def test_code_that_waits_may_take_longer_than_its_processor_time() -> None:
    assert notices(template("sleep 0.7"), "0.2") == ["\n"]


def test_code_that_waits_for_too_long_is_ended() -> None:
    start_ruby(Patience(least=0.5, factor=1.0))
    error = failure(template("sleep"), "0.2")
    assert error.code == "RUBY_TIMEOUT"
    assert error.message == (
        "The inline template waited for more than 0.5 seconds (file: (erb), line: 1)"
    )


def test_a_stopped_ruby_does_not_hang() -> None:
    ruby = start_ruby(HASTY)

    def resume() -> None:
        path = Path(f"/proc/{ruby.program.pid}/stat")
        assert eventually(lambda: " T " in path.read_text())
        time.sleep(1.0)
        os.kill(ruby.program.pid, signal.SIGCONT)

    thread = threading.Thread(target=resume)
    thread.start()
    try:
        assert notices(template("Process.kill(:STOP, $$)"), "0.2") == ["\n"]
    finally:
        thread.join()
    assert RUNNING.process is ruby


def test_a_ruby_that_stays_stopped_is_ended() -> None:
    start_ruby(HASTY._replace(least=0.1))
    error = failure(template("Process.kill(:STOP, $$)"), "0.05")
    assert error.message == "The inline template waited for more than 0.5 seconds"


def test_a_ruby_that_reads_nothing_is_ended() -> None:
    ruby = start_ruby(HASTY)
    os.kill(ruby.program.pid, signal.SIGSTOP)
    with pytest.raises(RubyHangs):
        ruby.exchange({"text": "x" * (1 << 20)}, dict, Limits(0.2, 0.5))
    assert not ruby.alive


def test_c_code_that_lets_no_other_thread_run_is_ended() -> None:
    start_ruby(Patience(grace=0.2, look=0.2))
    error = failure(template("'x'.crypt('$6$rounds=999999999$ab')"), "0.2")
    assert error.code == "RUBY_TIMEOUT"
    assert error.diagnostic.line == 1


def test_each_request_has_a_limit_of_its_own() -> None:
    code = f"""function inner() {{ inline_template('<% {BURN} %>y') }}
notice(inline_template('<%= ObjectSpace.class; text = (1..4).map {{ scope.call_function("inner", []) }}.join; {BURN}; {BURN}; text %>'))"""
    assert notices(code, "0.8") == ["yyyy"]


def test_a_loop_that_asks_puppet_for_something_is_ended() -> None:
    error = failure(template("loop { begin; scope.lookupvar('x'); rescue Exception; end }"), "0.2")
    assert error.code == "RUBY_TIMEOUT"
    assert RUNNING.process.frames < 100_000  # each takes Ruby more than 2 microseconds


def test_the_check_of_templates_runs_the_ruby_that_is_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "ruby"
    program.write_text(
        f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/pid\necho '-:1: no' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("BUNRAKU_RUBY", str(program))
    (found,) = check_erb(Source("<% x = ) %>\n", "t.erb"))
    assert found.message == "no"
    assert eventually(lambda: has_ended(int((tmp_path / "pid").read_text())))


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "0", "-1", "1e999"])
def test_a_limit_is_a_positive_number(text: str) -> None:
    with pytest.raises(PuppetError) as caught:
        time_limits(Limited(text))
    assert f"must be a positive number of seconds, not '{text}'" in caught.value.message


def test_waiting_code_has_ten_times_the_limit_and_at_least_a_minute() -> None:
    assert time_limits(DictionaryWorld()) == (8, 80)
    assert time_limits(Limited("2")) == (2, 60)


def test_ruby_follows_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        found += notices(template("_erbout << Dir.pwd"))
    assert found == [f"{tmp_path / name}\n" for name in ("a", "b")]


def test_ruby_stays_where_it_is_if_the_working_directory_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    monkeypatch.chdir(folder)
    notices(template("_erbout << Dir.pwd"))
    folder.rmdir()
    assert notices(template("_erbout << '2'")) == ["2\n"]


def test_processor_time_grows_with_use() -> None:
    before, started = processor_time(os.getpid()), time.process_time()
    while time.process_time() < started + 0.1:
        pass
    assert processor_time(os.getpid()) > before
    assert processor_time(-1) == 0.0


# -- requests inside requests ----------------------------------------------------------------------


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_ruby_that_ends_in_an_inner_request_is_one_error(levels: int) -> None:
    code = ["exits()", "call('exits')", "call('exits2')"][levels - 1]
    error = failure(code + FUNCTIONS)
    assert error.message == "The inline template failed: the Ruby process ended (exit code 3)"
    assert error.diagnostic.line == 3
    assert not RUNNING.process.alive
    assert notices(template("1")) == ["\n"]


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_ruby_that_hangs_in_an_inner_request_is_one_error(levels: int) -> None:
    code = ["hangs()", "call('hangs')", "call('hangs2')"][levels - 1]
    error = failure(code + FUNCTIONS, "0.2")
    assert error.code == "RUBY_TIMEOUT"
    assert "(file: (erb), line: 2)" in error.message
    assert error.diagnostic.line == 4
    assert not RUNNING.process.alive
    assert notices(template("1")) == ["\n"]


def test_an_end_that_an_answer_hides_ends_the_request_around() -> None:
    ruby = ruby_process(Machine(), (), "a test")
    limits = Limits(8, 60)

    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        with pytest.raises(RubyEnded):
            ruby.exchange(render("exit!", limits), dict, limits)
        return {"ok": None}

    with pytest.raises(RubyEnded):
        ruby.exchange(render("scope.lookupvar('x')", limits), answer, limits)
    assert ruby.ending == "exit code 1"


# -- the start -------------------------------------------------------------------------------------


def use_as_ruby(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Configure a program in the language of the shell as Ruby; return its path."""
    program = tmp_path / "ruby"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("BUNRAKU_RUBY", str(program))
    return program


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 4", "it ended before it was ready (exit code 4)"),
        ("kill -9 $$", "it ended before it was ready (signal 9)"),
        (
            "printf '\\0\\0\\0\\2{}'; exec sleep 600",
            "it ended before it was ready (its answer was invalid)",
        ),
        (
            "printf '\\0\\0\\0\\3no!'; exec sleep 600",
            "it ended before it was ready (its answer was invalid)",
        ),
    ],
)
def test_a_ruby_that_does_not_start_is_an_error(
    script: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = use_as_ruby(script, tmp_path, monkeypatch)
    error = failure(template("1"), "0.01")
    assert error.code == "RUBY_MISSING"
    assert error.message.endswith(f"'{program}' cannot be run: {reason}")


def test_a_ruby_that_does_not_become_ready_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = use_as_ruby("exec sleep 600", tmp_path, monkeypatch)
    with pytest.raises(PuppetError) as caught:
        start_ruby(HASTY._replace(start=0.2))
    assert caught.value.code == "RUBY_MISSING"
    reason = "it was not ready within 0.2 seconds"
    assert caught.value.message.endswith(f"'{program}' cannot be run: {reason}")
    assert not RUNNING.process.alive


# -- the end ---------------------------------------------------------------------------------------


def test_children_of_ruby_end_with_it(tmp_path: Path) -> None:
    started = "fork { sleep 600 }, spawn('sleep 600'), IO.popen('sleep 600').pid"
    notices(template(f"File.write('{tmp_path}/pids', [$$, {started}].join(' '))"))
    pids = [int(text) for text in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 4
    assert not any(map(has_ended, pids))
    RUNNING.process.finish()
    assert eventually(lambda: all(map(has_ended, pids)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("ruby", ["loop {}", "'x'.crypt('$6$rounds=999999999$ab')", "sleep"])
def test_ruby_and_its_children_end_with_bunraku(
    number: signal.Signals, ruby: str, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    code = f"File.write('{pids}.new', [$$, fork {{ sleep 600 }}].join(' ')); File.rename('{pids}.new', '{pids}')"
    command = [sys.executable, "-m", "bunraku", "compile", "-e", template(f"{code}; {ruby}")]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=null, stderr=null) as process:
        assert eventually(pids.exists)
        process.send_signal(number)
        process.wait()
    assert eventually(lambda: all(has_ended(int(text)) for text in pids.read_text().split()))


def test_a_fork_that_leaves_the_template_does_not_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = template("pid = fork; Process.wait(pid) if pid")
    assert notices(code + template("1")) == ["\n", "\n"]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "child",
    [
        "fork { sleep 600 }",
        "(out = Bunraku.instance_variable_get(:@output); spawn('sleep 600', out => out))",
    ],
)
def test_the_end_of_ruby_is_seen_although_a_child_lives(child: str) -> None:
    error = failure(template(f"{child}; exit!(5)"))
    assert error.message.endswith("the Ruby process ended (exit code 5)")


def test_ruby_ends_with_its_input_while_code_runs() -> None:
    ruby = ruby_process(Machine(), (), "a test")
    limits = Limits(600, 600)
    ruby.write(render("loop {}", limits), limits)
    assert ruby.program.stdin is not None
    ruby.program.stdin.close()
    assert ruby.program.wait(20) == 1


def test_ruby_ends_with_its_thread() -> None:
    found: list[RubyProcess] = []

    def run() -> None:
        notices(template("1"))
        found.append(RUNNING.process)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found[0].ending == "exit code 0"


def test_a_process_that_is_replaced_ends(tmp_path: Path) -> None:
    notices("notice(m::ev('1'))")
    first = RUNNING.process
    modules = shutil.copytree(MODULES, tmp_path / "modules")  # other files may be loaded there
    notices("notice(m::ev('1'))", modulepath=str(modules))
    assert RUNNING.process is not first
    assert first.ending == "exit code 0"


def test_a_fork_of_bunraku_leaves_the_ruby_of_its_parent_alone() -> None:
    assert notices(template("1")) == ["\n"]
    ruby = RUNNING.process
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            ruby.finish()
            code = 0 if notices(template("1")) == ["\n"] and RUNNING.process is not ruby else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert notices(template("1")) == ["\n"]
    assert RUNNING.process is ruby


def test_an_exit_of_python_ends_ruby_and_what_it_keeps(tmp_path: Path) -> None:
    script = f"""
from bunraku.checks.ruby import check_erb
from bunraku.engine.request import Request
from bunraku.engine.compile import compile_catalog
compile_catalog(Request(code={template("require 'tempfile'; $kept = Tempfile.new('x', %q(" + str(tmp_path) + "))")!r}), lambda entry: None)
"""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
