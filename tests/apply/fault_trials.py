"""Faults of the machine: full and read-only file systems, bad commands, clocks that jump, odd names."""

from __future__ import annotations

import random
import signal
import tarfile
import time
from collections.abc import Callable

from apply.fault_machine import Machine
from apply.fault_types import MODULES, declare
from apply.faults import Fault, Verdict
from rigs.roots.sandbox import Sandbox

REST = "notify { 'after': } notify { 'other': }"
MEBIBYTE = 1 << 20
MODULE_OPTIONS = ("--modulepath", MODULES)
FAULTS: dict[str, tuple[str, Fault]] = {}


def fault(
    words: str,
) -> Callable[[Callable[[Machine], str | None]], Callable[[Machine], str | None]]:
    """Add a function to the faults; it returns a remark for the table."""

    def add(trial: Callable[[Machine], str | None]) -> Callable[[Machine], str | None]:
        def run(sandbox: Sandbox, environment: dict[str, str], _rng: random.Random) -> Verdict:
            machine = Machine(sandbox, environment)
            note = trial(machine)
            return Verdict(machine.problems, note=note or "")

        FAULTS[trial.__name__] = words, run
        return trial

    return add


def check_no_leftovers(machine: Machine, *folders: str) -> None:
    """Check that no temporary file stayed."""
    for folder in folders:
        left = [str(path) for path in machine.path(folder).rglob(".bunraku-*")]
        machine.check(not left, f"left: {left}")


# -- file systems ----------------------------------------------------------------------------------


@fault("the disk is full: new content")
def disk_full(machine: Machine) -> None:
    machine.path("/srv/full").mkdir()
    machine.mount("mount -t tmpfs -o size=1m,mode=755 tmpfs $ROOT/srv/full")
    machine.write("/srv/full/old", "old\n", 0o640, (1, 1))
    machine.write("/srv/big", b"x" * (3 * MEBIBYTE))
    ended = machine.apply(
        f"file {{ '/srv/full/old': source => '/srv/big' }} -> Notify['after'] {REST}"
    )
    machine.check_failure(ended, "File[/srv/full/old]", "No space left on device")
    found = machine.path("/srv/full/old")
    status = found.stat()
    machine.check(found.read_text() == "old\n", "the old content is lost")
    machine.check((status.st_mode & 0o7777, status.st_uid) == (0o640, 1), "mode or owner is lost")
    check_no_leftovers(machine, "/srv/full")


@fault("the disk is full: an archive")
def archive_full(machine: Machine) -> None:
    declare(machine, "archive")
    machine.path("/srv/full").mkdir()
    machine.mount("mount -t tmpfs -o size=1m,mode=755 tmpfs $ROOT/srv/full")
    machine.write("/srv/big.tar", b"x" * (3 * MEBIBYTE))
    ended = machine.apply(
        "archive { '/srv/full/big.tar': source => 'file:///srv/big.tar', extract => true, "
        f"extract_path => '/srv/full', creates => '/srv/full/big' }} -> Notify['after'] {REST}",
        *MODULE_OPTIONS,
    )
    machine.check_failure(ended, "Archive[/srv/full/big.tar]", "No space left on device")
    found = [one.name for one in machine.path("/srv/full").iterdir()]
    machine.check(found == [], f"left on the full disk: {found}")


@fault("the disk is full: a copy of a repository")
def repository_full(machine: Machine) -> None:
    declare(machine, "vcsrepo")
    machine.path("/srv/full").mkdir()
    machine.mount("mount -t tmpfs -o size=1m,mode=755 tmpfs $ROOT/srv/full")
    machine.sandbox.must(["sh", "-ec", REPOSITORY])
    ended = machine.apply(
        "vcsrepo { '/srv/full/copy': ensure => present, provider => git, source => '/srv/big' } "
        f"-> Notify['after'] {REST}",
        *MODULE_OPTIONS,
    )
    machine.check_failure(ended, "Vcsrepo[/srv/full/copy]", "No space left on device")
    found = [one.name for one in machine.path("/srv/full").iterdir()]
    machine.check(found == [], f"left on the full disk: {found}")


REPOSITORY = """
git init -q -b main /srv/big
head -c 3000000 /dev/urandom > /srv/big/big
git -C /srv/big add -A
git -C /srv/big -c user.email=rig@example.test -c user.name=rig commit -qm first
"""


@fault("the disk is full: the temporary files of docker compose")
def compose_full(machine: Machine) -> None:
    declare(machine, "docker_compose")
    machine.path("/srv/full").mkdir()
    machine.mount("mount -t tmpfs -o size=1m,mode=755 tmpfs $ROOT/srv/full")
    machine.write("/srv/compose.yml", "services: {web: {image: nginx}}\n")
    machine.write("/usr/local/bin/docker", DOCKER, 0o755)
    ended = machine.apply(
        "docker_compose { 'shop': ensure => present, compose_files => ['/srv/compose.yml'], tmpdir => '/srv/full' } "
        f"-> Notify['after'] {REST}",
        *MODULE_OPTIONS,
    )
    machine.check_failure(ended, "Docker_compose[shop]", "No space left on device")


DOCKER = """\
#!/bin/sh
case "$*" in
*" config") cat /srv/compose.yml;;
*" up "*) head -c 3000000 /dev/zero > "$TMPDIR/context" || { rm "$TMPDIR/context"; exit 1; };;
esac
"""
"""A program for ``docker compose`` that writes a large temporary file."""
HOSTILE = {
    "../escaped": None,
    "/srv/escaped": None,
    "in/../../escaped": None,
    "link": "/srv/outside",
    "link/escaped": None,
    "up": "..",
    "up/escaped": None,
}
"""Members of an archive that lead outside of its directory; those with a target are symbolic links."""


@fault("an archive whose members and links lead outside of its directory")
def hostile_archive(machine: Machine) -> None:
    declare(machine, "archive")
    for folder in ("/srv/outside", "/srv/inside"):
        machine.path(folder).mkdir(parents=True)
    with tarfile.open(machine.path("/srv/hostile.tar"), "w") as archive:
        for name, link in HOSTILE.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = (
                (tarfile.SYMTYPE, link) if link else (tarfile.REGTYPE, "")
            )
            archive.addfile(member)
    before = tree(machine)
    ended = machine.apply(
        "archive { '/srv/inside/a.tar': source => 'file:///srv/hostile.tar', extract => true, "
        "extract_path => '/srv/inside', creates => '/srv/inside/never' }",
        *MODULE_OPTIONS,
    )
    machine.check(ended.code in {2, 4, 6}, f"exit code {ended.code}: {ended.output[-800:]}")
    machine.check(machine.path("/srv/inside/srv/escaped").exists(), "the archive is not unpacked")
    machine.check(tree(machine) == before, f"outside of the directory: {tree(machine) - before}")
    check_no_leftovers(machine, "/srv")


def tree(machine: Machine) -> set[str]:
    """Return the paths below /srv outside of the directory of an archive."""
    top = machine.path("/srv")
    found = {str(path.relative_to(top)) for path in top.rglob("*")}
    return {path for path in found if not path.startswith("inside/")}


@fault("the disk is full: a file that Augeas writes")
def lens_file_full(machine: Machine) -> None:
    declare(machine, "shellvar")
    machine.path("/srv/full").mkdir()
    machine.mount("mount -t tmpfs -o size=64k,mode=755 tmpfs $ROOT/srv/full")
    old = "".join(f"NAME{number}=old\n" for number in range(3000))
    machine.write("/srv/full/config", old)
    ended = machine.apply(
        "shellvar { 'NAME7': value => 'new', target => '/srv/full/config' } "
        f"-> Notify['after'] {REST}",
        *MODULE_OPTIONS,
    )
    machine.check_failure(ended, "Shellvar[NAME7]", "Failed to save Augeas tree")
    machine.check(machine.path("/srv/full/config").read_text() == old, "the old content is lost")


@fault("the disk is full: bunraku's own state")
def state_full(machine: Machine) -> str:
    machine.path("/var/lib/bunraku").mkdir()
    machine.mount("mount -t tmpfs -o size=32k,mode=755 tmpfs $ROOT/var/lib/bunraku")
    many = "".join(f"notify {{ 'n{number}': }}\n" for number in range(300))
    ended = machine.apply(many)
    machine.check("No space left on device" in ended.output, ended.output[-800:])
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-500:]}")
    machine.check("Notify[n299]" in ended.output, "not all resources were applied")
    check_no_leftovers(machine, "/var/lib/bunraku")
    return "all resources are applied; a warning names the file that could not be written"


@fault("a read-only mount")
def read_only(machine: Machine) -> None:
    machine.path("/srv/fixed").mkdir()
    machine.write("/srv/fixed/old", "old\n")
    machine.mount("mount --bind -o ro $ROOT/srv/fixed $ROOT/srv/fixed")
    machine.mount("mount -o remount,bind,ro $ROOT/srv/fixed")
    ended = machine.apply(
        f"file {{ '/srv/fixed/old': content => 'new' }} -> Notify['after'] {REST}"
    )
    machine.check_failure(ended, "File[/srv/fixed/old]", "Read-only file system")
    machine.check(machine.path("/srv/fixed/old").read_text() == "old\n", "the content has changed")


@fault("bunraku's own state on a read-only mount")
def state_read_only(machine: Machine) -> str:
    machine.path("/var/lib/bunraku").mkdir()
    machine.mount("mount -t tmpfs -o ro tmpfs $ROOT/var/lib/bunraku")
    ended = machine.apply(REST)
    machine.check(ended.code == 1, f"exit code {ended.code}")
    machine.check("Read-only file system" in ended.output, ended.output[-800:])
    machine.check("Notify[other]" not in ended.output, "something was applied")
    return "nothing is applied: the lock cannot be made"


@fault("a file that is a mount point, as /etc/hosts in containers")
def busy(machine: Machine) -> str:
    machine.write("/srv/inner", "old\n", 0o640, (1, 1))
    machine.write("/etc/hosts", "")
    machine.mount("mount --bind $ROOT/srv/inner $ROOT/etc/hosts")
    ended = machine.apply("file { '/etc/hosts': content => 'new', mode => '0644', owner => 2 }")
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    status = machine.path("/srv/inner").stat()
    machine.check(machine.path("/srv/inner").read_text() == "new", "the content is not new")
    machine.check((status.st_mode & 0o7777, status.st_uid) == (0o644, 2), "mode or owner is wrong")
    ended = machine.apply("host { 'db': ip => '192.0.2.7' }")
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    machine.check("db" in machine.path("/etc/hosts").read_text(), "the entry is missing")
    check_no_leftovers(machine, "/etc")
    return "written in place; Puppet fails here"


@fault("a source that does not exist")
def vanished_source(machine: Machine) -> None:
    machine.write("/srv/target", "old\n")
    ended = machine.apply(
        f"file {{ '/srv/target': source => '/srv/nowhere' }} -> Notify['after'] {REST}"
    )
    machine.check_failure(ended, "File[/srv/target]", "Could not retrieve information")
    machine.check(machine.path("/srv/target").read_text() == "old\n", "the content has changed")


@fault("a source in a directory that vanishes during the run")
def vanishing_source(machine: Machine) -> None:
    machine.write("/srv/source/a", "a\n")
    machine.write("/srv/source/z", "z\n")
    remove = "exec { '/bin/rm /srv/source/z': subscribe => File['/srv/target/a'], refreshonly => true, before => Notify['after'] }"
    ended = machine.apply(
        "file { '/srv/target': ensure => directory, recurse => true, source => '/srv/source' }"
        "file { '/srv/target/a': source => '/srv/source/a' }"
        f"{remove} {REST}"
    )
    machine.check(ended.code in {2, 6}, f"exit code {ended.code}: {ended.output[-800:]}")
    if ended.code == 6:
        named = [one for one in ended.errors if "/srv/target/z" in one]
        machine.check(len(named) == 1, f"errors: {ended.errors}")


# -- commands --------------------------------------------------------------------------------------


@fault("a command that hangs, with a timeout")
def hanging(machine: Machine) -> None:
    ended = machine.apply(
        "exec { 'hang': command => 'sleep 600 & sleep 600', path => '/bin', timeout => 1, "
        f"provider => shell }} -> Notify['after'] {REST}"
    )
    machine.check_failure(ended, "Exec[hang]", "Command exceeded timeout")
    machine.check(ended.seconds < 30, f"it took {ended.seconds:.0f} seconds")
    machine.wait_for_others(5)


@fault("a command that prints without end")
def flooding(machine: Machine) -> str:
    ended = machine.apply(
        f"exec {{ 'flood': command => '/usr/bin/yes', timeout => 0 }} -> Notify['after'] {REST}"
    )
    machine.check_failure(ended, "Exec[flood]", "printed more than")
    machine.check(ended.peak < 200 << 10, f"peak memory {ended.peak >> 10} MiB")
    return f"peak memory {ended.peak >> 10} MiB"


@fault("a command that prints 60 MB, and more lines than anybody reads")
def loud(machine: Machine) -> str:
    command = "/usr/bin/yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -c 60000000"
    ended = machine.apply(
        f"exec {{ 'loud': command => '{command}', provider => shell, logoutput => false }}"
    )
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    machine.check(ended.peak < 400 << 10, f"peak memory {ended.peak >> 10} MiB")
    return f"peak memory {ended.peak >> 10} MiB"


# -- runs and signals ------------------------------------------------------------------------------


@fault("two runs at once")
def two_runs(machine: Machine) -> None:
    first = machine.start("exec { '/bin/sleep 3': }")
    while first.running() and not machine.path("/var/lib/bunraku/state/apply.lock").exists():
        time.sleep(0.02)
    first.wait_for(0.5)
    second = machine.start(REST).end()
    machine.check_output(second)
    machine.check(second.code == 1, f"exit code {second.code}")
    machine.check("already in progress" in second.output, second.output)
    ended = first.end()
    machine.check(ended.code == 2, f"the first run: {ended.code} {ended.output}")


@fault("a lock of a dead process, and of one in another PID namespace")
def stale_lock(machine: Machine) -> None:
    for number in (999_999, 1):
        machine.write("/var/lib/bunraku/state/apply.lock", f"{number}\n")
        ended = machine.apply(REST)
        machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output}")


@fault("SIGTERM during a command; the resource is completed")
def term_once(machine: Machine) -> None:
    run = machine.start(
        "exec { '/bin/sh -c \"sleep 2; touch /srv/done\"': } -> file { '/srv/next': ensure => file }"
    )
    until_sleeping(machine, run)
    run.signal(signal.SIGTERM)
    ended = run.end()
    machine.check_output(ended)
    machine.check(ended.code == 143, f"exit code {ended.code}: {ended.output}")
    machine.check(machine.path("/srv/done").exists(), "the command was not completed")
    machine.check(not machine.path("/srv/next").exists(), "the run went on")
    machine.check(ended.report is not None, "there is no report")
    machine.check(ended.report is None or ended.is_skipped("File[/srv/next]"), "not skipped")


@fault("SIGINT twice: the second one ends the run at once")
def interrupt_twice(machine: Machine) -> None:
    run = machine.start("exec { '/bin/sleep 60': } -> file { '/srv/next': ensure => file }")
    until_sleeping(machine, run)
    run.signal(signal.SIGINT)
    machine.check(run.wait_for(1), "the first signal ended the run")
    run.signal(signal.SIGINT)
    begin = time.monotonic()
    ended = run.end()
    machine.check(time.monotonic() - begin < 5, "the second signal did not end the run")
    machine.check_output(ended)
    machine.check(ended.code in {130, 143}, f"exit code {ended.code}: {ended.output}")
    machine.check(ended.report is not None, "there is no report")
    machine.wait_for_others(5)


def until_sleeping(machine: Machine, run: object) -> None:
    """Wait until a program ``sleep`` runs."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for number in machine.others():
            try:
                with open(f"/proc/{number}/comm", encoding="ascii") as file:
                    if file.read() == "sleep\n":
                        return
            except OSError:
                continue
        time.sleep(0.02)
    machine.problems.append(f"the command of {run} did not start")


# -- clocks ----------------------------------------------------------------------------------------

JUMPING = """
import os, time
real = time.time
def jumped():
    try:
        with open('/run/offset') as file:
            return real() + float(file.read())
    except OSError:
        return real()
time.time = jumped
"""


@fault("the clock jumps by a day during the run, back and forth")
def clock_jumps(machine: Machine) -> None:
    machine.write("/opt/clock/sitecustomize.py", JUMPING)
    path = f"/opt/clock:{machine.environment['PYTHONPATH']}"
    for offset in (86400, -86400):
        machine.path("/run/offset").unlink(missing_ok=True)
        ended = machine.apply(
            f"exec {{ 'jump': command => '/bin/sh -c \"echo {offset} > /run/offset\"' }}"
            "-> exec { '/bin/true': } -> file { '/srv/a': ensure => file }",
            environment={"PYTHONPATH": path},
        )
        machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output}")
        if ended.report is None:
            machine.problems.append("there is no report")
            continue
        statuses = ended.report["resource_statuses"]
        seconds = [float(status["evaluation_time"] or 0) for status in statuses.values()]
        times = ended.report["metrics"]["time"]["values"]
        seconds += [float(value) for _name, _label, value in times]
        wrong = [one for one in seconds if not 0 <= one < 60]
        machine.check(not wrong, f"seconds after a jump by {offset}: {wrong}")


@fault("a state file with times in the future")
def times_in_the_future(machine: Machine) -> str:
    manifest = "schedule { 'often': period => daily } notify { 'a': schedule => 'often' }"
    machine.apply(manifest)
    state = machine.path("/var/lib/bunraku/state/state.yaml")
    year = time.gmtime().tm_year
    state.write_text(state.read_text().replace(f": {year}-", f": {year + 5}-"))
    ended = machine.apply(manifest)
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output}")
    machine.check("Notify[a]" in ended.output, "the resource waits for years")
    ended = machine.apply(manifest)
    machine.check(ended.code == 0, f"exit code {ended.code} of the next run: {ended.output}")
    return "such a resource is applied at once; Puppet waits for years"


@fault("a state file that is damaged")
def damaged_state(machine: Machine) -> None:
    for content in (b"--- [", b"\x00\xff\xfe", b"--- 3\n", b"Notify[a]: 3\n"):
        machine.write("/var/lib/bunraku/state/state.yaml", content)
        ended = machine.apply(REST)
        machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output}")
        machine.check("is damaged" in ended.output, f"{content!r}: {ended.output}")


# -- sizes -----------------------------------------------------------------------------------------


@fault("a file of 2 GB: copied, backed up, compared")
def large_file(machine: Machine) -> str:
    size = 2 << 30
    disk = machine.sandbox.top / "disk"
    disk.mkdir()
    machine.path("/srv/disk").mkdir()
    machine.mount(f"mount --bind {disk} $ROOT/srv/disk")
    with machine.path("/srv/disk/source").open("wb") as file:
        file.write(b"begin")
        file.truncate(size)
    machine.write("/srv/disk/target", "old\n")
    manifest = (
        "filebucket { 'main': path => '/srv/disk/bucket' }"
        "file { '/srv/disk/target': source => '/srv/disk/source', backup => 'main' }"
        "file { '/srv/disk/source': mode => '0600', audit => content }"
    )
    ended = machine.apply(manifest, "--show-diff")
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    machine.check(machine.path("/srv/disk/target").stat().st_size == size, "it is not complete")
    again = machine.apply(manifest)
    machine.check(again.code == 0, f"exit code {again.code}: {again.output[-800:]}")
    peak = max(ended.peak, again.peak)
    machine.check(peak < 100 << 10, f"peak memory {peak >> 10} MiB")
    return f"peak memory {peak >> 10} MiB"


@fault("10,000 files in a directory, managed by recursion")
def many_files(machine: Machine) -> str:
    folder = machine.path("/srv/many")
    folder.mkdir()
    for number in range(10_000):
        (folder / f"file-{number}").write_bytes(b"")
    manifest = "file { '/srv/many': ensure => directory, recurse => true, mode => '0640' }"
    ended = machine.apply(manifest)
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    machine.check("soft limit" in ended.output, "there is no warning about the number")
    again = machine.apply(manifest)
    machine.check(again.code == 0, f"exit code {again.code}: {again.output[-800:]}")
    peak = max(ended.peak, again.peak)
    machine.check(peak < 300 << 10, f"peak memory {peak >> 10} MiB")
    return f"{again.seconds:.0f} s without changes, peak memory {peak >> 10} MiB"


# -- names -----------------------------------------------------------------------------------------

ODD_NAMES = (b"a\nb", b"x\xff", b"\xc3\xa4", b" ", b"-n", b"'\"$", b"\x1b[31m", b"[a]", b"*")


def lay_out_odd_names(machine: Machine) -> None:
    """Make files with odd names."""
    for name in ODD_NAMES:
        machine.write("/srv/odd/keep", "x")
        with open(bytes(machine.path("/srv/odd")) + b"/" + name, "wb") as file:
            file.write(b"content")


@fault("names with newlines, invalid UTF-8 and escapes in a recursed directory")
def odd_names(machine: Machine) -> None:
    lay_out_odd_names(machine)
    manifest = "file { '/srv/odd': ensure => directory, recurse => true, mode => '0600' }"
    ended = machine.apply(manifest)
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    modes = {path.stat().st_mode & 0o777 for path in machine.path("/srv/odd").iterdir()}
    machine.check(modes == {0o600}, f"modes {modes}")
    again = machine.apply(manifest)
    machine.check(again.code == 0, f"exit code {again.code}: {again.output[-800:]}")
    shown = machine.sandbox.run(
        ["python3", "-m", "bunraku", "report"], environment=machine.environment
    )
    machine.check(shown.returncode == 0, shown.stderr.decode()[-800:])


@fault("such names in a purged directory")
def purged_odd_names(machine: Machine) -> None:
    lay_out_odd_names(machine)
    manifest = (
        "file { '/srv/odd': ensure => directory, recurse => true, purge => true }"
        "file { '/srv/odd/keep': ensure => file }"
    )
    ended = machine.apply(manifest, "--logdest", "console,/srv/log.json,/srv/log.jsonl,/srv/log")
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    left = [path.name for path in machine.path("/srv/odd").iterdir()]
    machine.check(left == ["keep"], f"left: {left}")
    machine.check("\x1b[31m" not in ended.output, "an escape reached the console")


@fault("a copy of a directory with such names")
def copied_odd_names(machine: Machine) -> None:
    lay_out_odd_names(machine)
    manifest = "file { '/srv/copy': ensure => directory, recurse => true, source => '/srv/odd' }"
    ended = machine.apply(manifest)
    machine.check(ended.code == 2, f"exit code {ended.code}: {ended.output[-800:]}")
    again = machine.apply(manifest)
    machine.check(again.code == 0, f"exit code {again.code}: {again.output[-800:]}")
