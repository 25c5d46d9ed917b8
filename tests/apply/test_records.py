"""The files that a run leaves: report, summary, state, lists; and the lock."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bunraku.apply.directories import Directories, directories_of
from bunraku.apply.log import Message, RunLog
from bunraku.apply.records import Records
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.state import State, read_state, state_text
from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.formats.failure import FormatError
from bunraku.world.augeas import is_installed
from bunraku.world.linux import LinuxHost

PUPPET_CLASSES = {"!ruby/object:Puppet::Transaction::Report"}
MESSAGE = {
    "type": "Notify",
    "title": "hello",
    "tags": ["notify", "hello"],
    "file": "/site.pp",
    "line": 3,
}


class ReportLoader(yaml.SafeLoader):
    """Reads the tags of Puppet's reports as plain data."""


for _tag in PUPPET_CLASSES:
    ReportLoader.add_constructor(
        _tag, lambda loader, node: loader.construct_mapping(node, deep=True)
    )


def catalog(*resources: Mapping[str, Any], **more: Any) -> Catalog:
    """Return a catalog whose resources are in the class main."""
    data = {"name": "web01", "environment": "production", "version": 7, **more}
    holders = [{"type": "Stage", "title": "main"}, {"type": "Class", "title": "main"}]
    edges = [("Stage[main]", "Class[main]")]
    edges += [("Class[main]", f"{one['type']}[{one['title']}]") for one in resources]
    return Catalog(
        {
            **data,
            "resources": [*holders, *resources],
            "edges": [{"source": source, "target": target} for source, target in edges],
        }
    )


def apply(
    found: Catalog, where: Path, messages: list[Message] | None = None, **settings: Any
) -> Report:
    """Apply a catalog on this machine, with the files of the run in a directory."""
    records = Records(
        LinuxHost(), directories(where), corrective=bool(settings.pop("corrective", 0))
    )
    return apply_catalog(
        found,
        LinuxHost(),
        {"noop": False, "puppet_version": "8.0.0", **settings},
        records=records,
        destinations=[] if messages is None else [messages.append],
        level="info",
    )


def directories(where: Path) -> Directories:
    return directories_of({"vardir": str(where)}, root=True, home="/root")


def report_of(where: Path) -> dict[str, Any]:
    text = Path(directories(where).report).read_text("utf-8")
    assert text.startswith("--- !ruby/object:Puppet::Transaction::Report\nhost: web01\n")
    found: dict[str, Any] = yaml.load(text, ReportLoader)
    return found


def test_writes_a_report_in_format_12(tmp_path: Path) -> None:
    apply(catalog(MESSAGE), tmp_path)
    report = report_of(tmp_path)
    assert report["report_format"] == 12
    assert report["status"] == "changed"
    assert report["configuration_version"] == 7
    assert report["puppet_version"] == "8.0.0"
    status = report["resource_statuses"]["Notify[hello]"]
    assert status["containment_path"] == ["Stage[main]", "Main", "Notify[hello]"]
    assert status["resource_type"] == "Notify"
    assert status["tags"] == ["notify", "hello"]
    assert (status["file"], status["line"]) == ("/site.pp", 3)
    event = status["events"][0]
    assert event["name"] == "message_changed"
    assert event["redacted"] is None
    assert report["metrics"]["changes"] == {
        "name": "changes",
        "label": "Changes",
        "values": [["total", "Total", 1]],
    }
    assert [log["level"] for log in report["logs"]][-1] == "notice"


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ({"__ptype": "Pcore::IntegerType", "from": 1}, "Integer[1]"),
        ({"__ptype": "SemVer", "__pvalue": "1.0.0"}, "1.0.0"),
        ({"__ptype": "Regexp", "__pvalue": "a"}, "/a/"),
        ({"a": [{"__ptype": "SemVer", "__pvalue": "1.0.0"}]}, {"a": ["1.0.0"]}),
    ],
)
def test_values_of_events_are_data(tmp_path: Path, written: Any, reported: Any) -> None:
    apply(catalog({**MESSAGE, "parameters": {"message": written}}), tmp_path)
    status = report_of(tmp_path)["resource_statuses"]["Notify[hello]"]
    assert status["events"][0]["desired_value"] == reported


def test_keeps_secrets_out_of_all_files(tmp_path: Path) -> None:
    secret = {**MESSAGE, "parameters": {"message": "hunter2"}, "sensitive_parameters": ["message"]}
    apply(catalog(secret), tmp_path, corrective=True)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"hunter2" not in path.read_bytes()
    event = report_of(tmp_path)["resource_statuses"]["Notify[hello]"]["events"][0]
    assert event["desired_value"] == "[redacted]"
    assert event["redacted"] is True


def test_other_users_cannot_read_what_a_run_keeps(tmp_path: Path) -> None:
    apply(catalog(MESSAGE), tmp_path / "var")
    modes = {
        str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode)
        for path in tmp_path.rglob("*")
    }
    assert modes == {
        "var": 0o750,
        "var/state": 0o750,
        "var/public": 0o750,
        "var/state/state.yaml": 0o640,
        "var/state/last_run_report.yaml": 0o640,
        "var/public/last_run_summary.yaml": 0o644,
    }


def test_summary_has_the_figures_in_the_order_of_their_names(tmp_path: Path) -> None:
    apply(catalog(MESSAGE), tmp_path, config_retrieval=0.5)
    summary = yaml.safe_load(Path(directories(tmp_path).summary).read_text("utf-8"))
    assert summary["version"] == {"config": 7, "puppet": "8.0.0"}
    assert list(summary["events"]) == ["failure", "success", "total"]
    assert summary["time"]["config_retrieval"] == 0.5
    assert list(summary["time"])[-1] == "last_run"


def test_state_remembers_when_resources_were_checked(tmp_path: Path) -> None:
    messages: list[Message] = []
    apply(catalog(MESSAGE), tmp_path, messages)
    path = directories(tmp_path).memory
    assert f"Creating state file {path}" in [message.text for message in messages]
    first = Path(path).read_text("utf-8")
    assert "Notify[hello]:\n  :checked: 2" in first
    messages.clear()
    apply(catalog(), tmp_path, messages)
    assert not any("Creating" in message.text for message in messages)
    assert "Notify[hello]" in Path(path).read_text("utf-8")


@pytest.mark.parametrize("damage", [b"a: [", b"- a\n", b"File[/a]: b\n", b"F: {'checked': x}\n"])
def test_damaged_state_is_renamed_with_one_warning(tmp_path: Path, damage: bytes) -> None:
    path = Path(directories(tmp_path).memory)
    path.parent.mkdir(parents=True)
    path.write_bytes(damage)
    messages: list[Message] = []
    apply(catalog(MESSAGE), tmp_path, messages)
    warnings = [message.text for message in messages if message.level == "warning"]
    assert len(warnings) == 1
    assert warnings[0].startswith(f"{path} is damaged and was renamed to {path}.bad: ")
    assert Path(f"{path}.bad").read_bytes() == damage
    assert "Notify[hello]" in path.read_text("utf-8")


def test_values_of_a_run_are_kept_where_corrective_changes_are_wanted(tmp_path: Path) -> None:
    path = Path(directories(tmp_path).store)
    apply(catalog(MESSAGE), tmp_path)
    assert not path.exists()
    apply(catalog(MESSAGE), tmp_path, corrective=True)
    kept = yaml.safe_load(path.read_text("utf-8"))
    assert kept["resources"]["Notify[hello]"] == {
        "parameters": {"message": {"system_value": ["hello"]}}
    }


def test_only_one_run_at_a_time(tmp_path: Path) -> None:
    first, other = (Records(LinuxHost(), directories(tmp_path)) for _ in range(2))
    expected = rf"skipping \(.*/apply.lock is held by process {os.getpid()}\)"
    with first.locked(), pytest.raises(PuppetError, match=expected), other.locked():
        pass
    with first.locked():  # the lock of a run that has ended
        pass


def test_lists_of_classes_and_resources(tmp_path: Path) -> None:
    records = Records(LinuxHost(), directories(tmp_path))
    log = RunLog("notice", lambda: 0.0, [])
    records.keep_lists(catalog(classes=["settings", "main"]), ["File[/A]"], log)
    assert Path(directories(tmp_path).classes).read_text("utf-8") == "settings\nmain\n"
    assert Path(directories(tmp_path).resources).read_text("utf-8") == "file[/a]\n"


@pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")
def test_all_files_hold_texts_of_augeas_as_plain_texts(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_text("A=(b c)\n")
    variable = {
        "type": "Shellvar",
        "title": f"A in {file}",
        "parameters": {"value": ["q"], "array_type": "array", "audit": "all", "comment": "why"},
    }
    messages: list[Message] = []
    apply(catalog(variable), tmp_path, messages, corrective=True)
    assert 'audit change: newly-recorded value ["b", "c"]' in [one.text for one in messages]
    reference = f"Shellvar[A in {file}]"
    state = yaml.safe_load(Path(directories(tmp_path).memory).read_text("utf-8"))[reference]
    assert state[":value"] == ["b", "c"]
    store = yaml.safe_load(Path(directories(tmp_path).store).read_text("utf-8"))
    assert store["resources"][reference]["parameters"]["value"] == {"system_value": ["q"]}
    report = apply(catalog(variable), tmp_path, corrective=True)
    assert [(event.status, event.property, event.historical) for event in report.events()] == [
        ("audit", "value", ["b", "c"]),
        ("audit", "comment", ""),
    ]


TIMES = {"checked": 1795768307.25, "synced": 0.5}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"Schedule[puppet]": {"checked": 1.5}, "File[/a.b/c_d:e@f+g-1]": TIMES},
        {"File[/a b]": TIMES, "Notify[x: y]": {"checked": 1.5}},
        {"File[/a]": {**TIMES, "mode": "0644"}},
        {"Class[A::B]": TIMES, "A::B[1]": {"synced": 2.0}, "A[]": TIMES},
    ],
)
def test_states_are_read_alike_with_and_without_the_reader_of_yaml(data: Any) -> None:
    text = state_text(State(data), 2.0)
    by_yaml = read_state(f"# a comment, which only YAML has\n{text}".encode())
    assert read_state(text.encode()).data == by_yaml.data == data


@pytest.mark.parametrize("text", ["---\nA[b]:\n  :checked: 1-1\n", "---\nA[b]\n", "A[b]: {c: d"])
def test_a_damaged_state_is_refused(text: str) -> None:
    with pytest.raises((ValueError, FormatError)):
        read_state(text.encode())


def test_the_last_of_two_entries_of_a_resource_counts() -> None:
    entry = "A[b]:\n  :{}: 1970-01-01 00:00:01.5 +00:00\n"
    text = "---\n" + entry.format("checked") + entry.format("synced")
    assert read_state(text.encode()).data == {"A[b]": {"synced": 1.5}}
