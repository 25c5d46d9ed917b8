"""Transactions on a machine in memory: order, refresh, failures, noop, tags, audits, stops, cycles."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku.api.compile import compile as compile_code
from bunraku.apply.records import NoRecords
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import Options
from bunraku.base.errors import PuppetError
from bunraku.providers.run import Log
from support.applying import SETTINGS, apply
from support.host import Expected, MemoryHost

PATH = "Exec { path => '/bin' }\n"


def applied(
    code: str,
    *commands: Expected,
    options: Options | None = None,
    **settings: Any,
) -> tuple[Report, list[str]]:
    """Apply a manifest; return the report and the lines of the console."""
    host = MemoryHost(commands=commands, installed=["true", "false", "test"])
    done = apply(host, PATH + code, options=options, settings=settings)
    assert host.expected == []
    return done.report, [line.replace("/Stage[main]/Main/", "") for line in done.lines]


def order(report: Report) -> list[str]:
    return [event.resource for event in report.events()]


def test_resources_without_relationships_come_in_the_order_of_the_manifest() -> None:
    report, _ = applied("notify { 'b': } notify { 'a': } notify { 'c': }")
    assert order(report) == ["Notify[b]", "Notify[a]", "Notify[c]"]


def test_what_had_to_wait_comes_as_soon_as_it_can() -> None:
    report, _ = applied(
        "notify { 'first': require => Notify['third'] } notify { 'second': } "
        "notify { 'third': } notify { 'fourth': }"
    )
    assert order(report) == ["Notify[second]", "Notify[third]", "Notify[first]", "Notify[fourth]"]


def test_containers_pass_order_and_events_on() -> None:
    report, lines = applied(
        "class conf { notify { 'changed': } } "
        "class run { exec { 'true': refreshonly => true } } "
        "include run, conf  Class['conf'] ~> Class['run']",
        Expected("true"),
    )
    assert order(report) == ["Notify[changed]", "Exec[true]"]
    assert [line for line in lines if "refresh" in line] == [
        "Info: Class[Conf]: Scheduling refresh of Class[Run]",
        "Info: Class[Run]: Scheduling refresh of Exec[true]",
        "Notice: /Stage[main]/Run/Exec[true]: Triggered 'refresh' from 1 event",
    ]
    assert report.count("restarted") == 1


def test_a_failure_skips_what_depends_on_it_and_only_that() -> None:
    report, lines = applied(
        "exec { 'false': } -> notify { 'after': } -> notify { 'later': } notify { 'other': }",
        Expected("false", code=1),
    )
    assert report.status == "failed"
    assert report.exit_code() == 6
    assert [name for name, status in report.statuses.items() if status.skipped] == [
        "Notify[after]",
        "Notify[later]",
    ]
    reason = "'false' returned 1 instead of one of [0]"
    assert lines[:5] == [
        f"Error: {reason}",
        f"Error: Exec[false]/returns: change from 'notrun' to ['0'] failed: {reason}",
        "Notice: Notify[after]: Dependency Exec[false] has failures: true",
        "Warning: Notify[after]: Skipping because of failed dependencies",
        "Warning: Notify[later]: Skipping because of failed dependencies",
    ]


def test_noop_changes_nothing_and_runs_the_conditions() -> None:
    report, lines = applied(
        "exec { 'true': onlyif => 'test -e /a' } ~> exec { 'again': command => 'true', refreshonly => true }",
        Expected("test -e /a"),
        noop=True,
    )
    assert (report.status, report.noop_pending, report.exit_code()) == ("unchanged", True, 0)
    assert lines[0] == (
        "Notice: Exec[true]/returns: current_value 'notrun', should be ['0'] (noop)"
    )
    assert "Notice: Exec[again]: Would have triggered 'refresh' from 1 event" in lines


def test_noop_of_a_resource_wins_over_that_of_the_run() -> None:
    report, _ = applied("exec { 'true': noop => false }", Expected("true"), noop=True)
    assert [event.status for event in report.events()] == ["success"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(tags=("web",)), ["Notify[a]", "Notify[c]"]),
        (Options(skip_tags=("web",)), ["Notify[b]"]),
        (Options(tags=("site",)), ["Notify[c]"]),
    ],
)
def test_tags_choose_resources(options: Options, expected: list[str]) -> None:
    code = (
        "class site { notify { 'c': tag => 'web' } } "
        "notify { 'a': tag => 'web' } notify { 'b': } include site"
    )
    report, _ = applied(code, options=options)
    assert sorted(order(report)) == expected
    skipped = {name for name, status in report.statuses.items() if status.skipped}
    assert {"Notify[a]", "Notify[b]", "Notify[c]"} - skipped == set(expected)


def test_a_stopped_run_skips_the_rest() -> None:
    stops: list[int] = []
    report, _ = applied(
        "exec { 'true': } notify { 'b': }",
        Expected("true", effect=lambda: stops.append(15)),
        options=Options(stopped=lambda: bool(stops)),
    )
    assert order(report) == ["Exec[true]"]
    assert report.statuses["Notify[b]"].skipped
    assert not report.statuses["Exec[true]"].skipped


def test_a_cycle_of_implied_relationships_applies_nothing() -> None:
    with pytest.raises(PuppetError, match="dependency cycle"):
        applied(
            "exec { 'one': command => '/opt/tool' , before => Exec['two'] } "
            "exec { 'two': command => 'true', before => Exec['one'] }"
        )


def test_wrong_values_apply_nothing() -> None:
    with pytest.raises(PuppetError) as caught:
        applied("notify { 'a': }\nexec { 'true': tries => 0 }")
    assert caught.value.message == (
        "Parameter tries failed on Exec[true]: "
        "Munging failed for value 0 in class tries: Tries must be an integer >= 1"
    )
    assert caught.value.diagnostic.place.line == 3


def test_secrets_are_in_no_message_and_no_event() -> None:
    report, lines = applied(
        "exec { 'a': command => Sensitive('test swordfish') } notify { 'b': message => Sensitive('swordfish') }",
        Expected("test swordfish", output="swordfish\n", code=1),
    )
    assert "[command redacted] returned 1 instead of one of [0]" in "\n".join(lines)
    assert "swordfish" not in "\n".join(lines)
    shown = [(event.previous, event.desired, event.message) for event in report.events()]
    assert "swordfish" not in repr(shown)


class AsciiHost(MemoryHost):
    """A machine whose programs have names in ASCII."""

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """Return the path of a program; raise UnicodeEncodeError for other names."""
        return super().find_program(name.encode("ascii").decode(), path)


def test_a_text_that_cannot_be_encoded_fails_its_resource() -> None:
    done = apply(AsciiHost(), PATH + "exec { '\u00fc': } -> notify { 'b': } notify { 'c': }")
    statuses = done.report.statuses
    assert statuses["Exec[\u00fc]"].failed
    assert statuses["Notify[b]"].skipped
    assert statuses["Notify[c]"].changed


def test_an_unknown_schedule_applies_nothing() -> None:
    with pytest.raises(PuppetError, match="Could not find schedule nights"):
        applied("notify { 'a': schedule => 'nights' }")


def test_the_resources_of_a_cycle_are_reported_as_failed() -> None:
    kept: list[Report] = []

    class Records(NoRecords):
        def keep_report(self, report: Report, log: Log) -> None:
            kept.append(report)

    catalog = compile_code(
        "class c { notify { 'x': } } include c\n"
        "notify { 'y': require => Class['c'], before => Notify['x'] } notify { 'other': }",
        cycles=False,
    )
    with pytest.raises(PuppetError) as caught:
        apply_catalog(catalog, MemoryHost(), SETTINGS, records=Records())
    assert caught.value.message == (
        "Found 1 dependency cycle:\n(Notify[x] => Class[C] => Notify[y] => Notify[x])"
    )
    assert order(kept[0]) == ["Notify[x]", "Notify[y]"]
    assert kept[0].status == "failed"


def test_a_resource_that_requires_itself_is_a_cycle() -> None:
    catalog = compile_code("notify { 'x': require => Notify['x'] }", cycles=False)
    with pytest.raises(PuppetError, match=r"\(Notify\[x\] => Notify\[x\]\)"):
        apply_catalog(catalog, MemoryHost(), SETTINGS)


def test_what_two_classes_contain_comes_before_what_requires_either() -> None:
    report, lines = applied(
        "class inner { notify { 'inner': } } class a { contain inner } class b { contain inner } "
        "notify { 'last': require => Class['a'] } notify { 'early': before => Class['b'] } "
        "include b, a"
    )
    assert order(report) == ["Notify[early]", "Notify[inner]", "Notify[last]"]
    assert "Notice: /Stage[main]/Inner/Notify[inner]/message: defined 'message' as 'inner'" in lines


def test_collected_exported_resources_are_applied() -> None:
    report, _ = applied("@@notify { 'a': } @@notify { 'b': } Notify <| title == 'a' |>")
    assert order(report) == ["Notify[a]"]


def test_a_run_with_noop_refreshes_nothing_through_containers() -> None:
    _, lines = applied(
        "class c { exec { 'true': refreshonly => true, noop => false } } include c\n"
        "notify { 'a': noop => false, notify => Class['c'] }",
        noop=True,
    )
    assert "Notice: Class[C]: Would have triggered 'refresh' from 1 event" in lines
    assert "Notice: /Stage[main]/C/Exec[true]: Would have triggered 'refresh' from 1 event" in lines
