"""Reports for programs: their schemas, what fails the run in them, and no path of the machine.

The schemas are the parts of SARIF 2.1.0, of the JUnit schema of Jenkins, of GitLab's Code Quality and of
GitHub's workflow commands that reports use, written down from their documents.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from xml.etree import ElementTree as ET

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.formats.shape import FLAG, TEXT, Array, AtLeast, Choice, Fields
from bunraku.workbench.ci.base import BRANCHES, COMMITS

FILES = {
    "environment.conf": "modulepath = site\n",
    "hiera.yaml": "---\nversion: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n",
    "data/common.yaml": "---\nprofile::base::port: 80\n",
    "manifests/site.pp": "".join(
        f"node '{name}' {{ include profile::{name} }}\n"
        for name in ("base", "tpl", "cyc", "src", "ok", "gone")
    ),
    "site/profile/manifests/base.pp": 'class profile::base(Integer $port) { notify { "p${port}": } }\n',
    "site/profile/manifests/tpl.pp": "class profile::tpl { file { '/a': content => epp('profile/a.epp') } }\n",
    "site/profile/manifests/cyc.pp": "class profile::cyc { notify { 'a': } }\n",
    "site/profile/manifests/src.pp": "class profile::src { file { '/a': source => 'puppet:///modules/profile/f' } }\n",
    "site/profile/manifests/ok.pp": "# A.\nclass profile::ok {\n  notify { 'a': }\n}\n",
    "site/profile/manifests/gone.pp": "class profile::gone { notify { 'a': } }\n",
    "site/profile/templates/a.epp": "a\n",
    "site/profile/files/f": "x\n",
    **{f"facts/{name}.json": "{}" for name in ("base", "tpl", "cyc", "src", "ok", "gone")},
}
FAULTS = {
    "data/common.yaml": "---\nprofile::base::port: eighty\nprofile::base::prot: 1\n",
    "data/other.yaml": "---\n a: [\n",
    "site/profile/manifests/cyc.pp": "class profile::cyc { notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } }\n",
    "site/profile/manifests/broken.pp": "class profile::broken {\n",
    "site/profile/manifests/ok.pp": 'class profile::ok { file { "/ä": mode => 644, noattr => $undefined } }\n',
    "site/profile/manifests/gone.pp": "class profile::gone { include no::class }\n",
    "site/profile/templates/a.epp": "<%= $foo[ %>\n",
}
WARNING = {"site/profile/manifests/ok.pp": '# A.\nclass profile::ok {\n  notify { "a": }\n}\n'}
CHANGE = {"site/profile/manifests/ok.pp": "# A.\nclass profile::ok {\n  notify { 'b': }\n}\n"}
MISSING = {
    "Puppetfile": "mod 'example-lib', '1.0.0'\n",
    "site/profile/manifests/ok.pp": "# A.\nclass profile::ok {\n  include lib\n}\n",
}
REPORTS = ("json", "junit", "sarif", "codeclimate", "github")
COMMANDS = ("check", "validate", "lint", "ci")

POSITION = AtLeast(1)
NUMBERED = ("startLine", "startColumn", "endLine", "endColumn")
MESSAGE = Fields({"text": TEXT}, required=("text",), closed=True)
LEVEL = Choice(("none", "note", "warning", "error"))
LOCATION = Fields(
    {
        "physicalLocation": Fields(
            {
                "artifactLocation": Fields({"uri": TEXT}, required=("uri",), closed=True),
                "region": Fields(dict.fromkeys(NUMBERED, POSITION), ("startLine",), closed=True),
            },
            required=("artifactLocation",),
            closed=True,
        ),
        "message": MESSAGE,
    },
    required=("physicalLocation",),
    closed=True,
)
RESULT = Fields(
    {
        "ruleId": TEXT,
        "ruleIndex": AtLeast(0),
        "level": LEVEL,
        "message": MESSAGE,
        "locations": Array(LOCATION),
        "relatedLocations": Array(LOCATION),
    },
    required=("ruleId", "message", "locations"),
    closed=True,
)
RULE = Fields(dict.fromkeys(("id", "name", "helpUri"), TEXT), required=("id",), closed=True)
DRIVER = Fields(
    {**dict.fromkeys(("name", "version", "informationUri"), TEXT), "rules": Array(RULE)},
    required=("name",),
    closed=True,
)
NOTIFICATION = Fields(
    {"descriptor": Fields({"id": TEXT}, closed=True), "level": LEVEL, "message": MESSAGE},
    required=("message",),
    closed=True,
)
INVOCATION = Fields(
    {"executionSuccessful": FLAG, "toolExecutionNotifications": Array(NOTIFICATION)},
    required=("executionSuccessful",),
    closed=True,
)
RUN = Fields(
    {
        "tool": Fields({"driver": DRIVER}, required=("driver",), closed=True),
        "columnKind": Choice(("utf16CodeUnits", "unicodeCodePoints")),
        "invocations": Array(INVOCATION),
        "results": Array(RESULT),
    },
    required=("tool",),
    closed=True,
)
SARIF = Fields(
    {"$schema": TEXT, "version": Choice(("2.1.0",)), "runs": Array(RUN)},
    required=("version", "runs"),
    closed=True,
)
LINES = Fields({"begin": POSITION}, required=("begin",), closed=True)
CODE_QUALITY = Array(
    Fields(
        {
            **dict.fromkeys(("type", "description", "check_name", "fingerprint"), TEXT),
            "severity": Choice(("info", "minor", "major", "critical", "blocker")),
            "categories": Array(Choice(("Bug Risk", "Style"))),
            "location": Fields({"path": TEXT, "lines": LINES}, ("path", "lines"), closed=True),
        },
        required=("description", "check_name", "fingerprint", "severity", "location"),
        closed=True,
    )
)
JUNIT = {
    "testsuites": ((), {"testsuite"}),
    "testsuite": (("name", "tests", "failures", "errors"), {"testcase"}),
    "testcase": (("name", "classname"), {"failure", "skipped", "system-out"}),
    "failure": (("message",), set()),
    "skipped": (("message",), set()),
    "system-out": ((), set()),
}
"""Element → its required attributes and its children; `testsuite` may have `skipped`, too."""
COMMAND = re.compile(
    r"::(?P<level>error|warning|notice) "
    r"(?:(?:file|line|endLine|col|endColumn|title)=[^:,\s]+(?:,(?=\w)|(?=::)))+::\S.*"
)


def sarif_levels(text):
    log = json.loads(text)
    SARIF.require(log)
    (run,) = log["runs"]
    rules = [one["id"] for one in run["tool"]["driver"]["rules"]]
    for one in run["results"]:
        assert rules[one["ruleIndex"]] == one["ruleId"]
        for location in one["locations"]:
            assert re.fullmatch(
                r"[\w./%-]+", location["physicalLocation"]["artifactLocation"]["uri"]
            )
    (invocation,) = run["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is not any(one["level"] == "error" for one in notes)
    return [one["level"] == "error" for one in (*run["results"], *notes)]


def codeclimate_levels(text):
    entries = json.loads(text)
    CODE_QUALITY.require(entries)
    assert len({one["fingerprint"] for one in entries}) == len(entries)
    assert not any(one["location"]["path"].startswith(("/", "./")) for one in entries)
    return [one["severity"] == "major" for one in entries]


def junit_levels(text):
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        required, children = JUNIT[element.tag]
        optional = {"skipped"} if element.tag == "testsuite" else set()
        assert set(required) <= set(element.keys()) <= {*required, *optional}
        assert {one.tag for one in element} <= children
        if element.tag == "testsuite":
            counted = {
                name: sum(one.find(name) is not None for one in element)
                for name in ("failure", "skipped")
            }
            assert (int(element.get("tests")), int(element.get("failures"))) == (
                len(element),
                counted["failure"],
            )
            assert int(element.get("skipped", 0)) == counted["skipped"]
            assert len(element) >= 1
    return [one.find("failure") is not None for one in root.iter("testcase")]


def github_levels(text):
    found = [COMMAND.fullmatch(line) for line in text.splitlines()]
    assert all(found), text
    return [one["level"] == "error" for one in found]


LEVELS = {
    "sarif": sarif_levels,
    "codeclimate": codeclimate_levels,
    "junit": junit_levels,
    "github": github_levels,
}


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def site(tmp_path, monkeypatch):
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "of this machine"
    write(root, FILES)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)
    monkeypatch.chdir(root)
    return root


def run(capfd, command, form, *arguments):
    files = [] if command in {"ci", "diff"} else ["."]
    code = main([command, "--format", form, *arguments, *files])
    return code, capfd.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        (FAULTS, ()),
        (FAULTS, ("--fail-on-warnings",)),
        (WARNING, ()),
        (WARNING, ("--fail-on-warnings",)),
        ({}, ()),
    ],
    ids=["faults", "faults-all", "warning", "warning-fails", "nothing"],
)
def test_reports_fit_their_schemas_and_agree_with_the_exit_code(
    command, files, arguments, site, capfd
):
    write(site, files)
    for form, levels in LEVELS.items():
        code, out = run(capfd, command, form, *arguments)
        assert any(levels(out)) is (code == exits.FINDINGS), (form, out)


def test_changes_and_what_is_not_checked_are_in_all_reports(site, capfd):
    write(site, CHANGE)
    for form, levels in LEVELS.items():
        code, out = run(capfd, "ci", form)
        assert (code, any(levels(out))) == (exits.OK, False)
        code, out = run(capfd, "ci", form, "--fail-on-changes")
        assert (code, any(levels(out))) == (exits.FINDINGS, True)
        assert "ok" in out
    write(site, MISSING)
    for form, levels in LEVELS.items():
        code, out = run(capfd, "ci", form)
        assert (code, any(levels(out))) == (exits.TROUBLE, True), out


@pytest.mark.parametrize("directory", [".", "site/profile"])
@pytest.mark.parametrize("named", ["relative", "absolute"])
def test_no_report_has_a_path_of_the_machine(directory, named, site, capfd, monkeypatch):
    write(site, FAULTS)
    (site / "site/profile/files/f").rename(site / "site/profile/files/g")
    monkeypatch.chdir(site / directory)
    files = os.path.relpath(site) if named == "relative" else str(site)
    for command in ("check", "validate", "lint"):
        for form in (*REPORTS, "text") if named == "relative" else REPORTS:
            assert main([command, "--format", form, files]) == exits.FINDINGS
            assert "of this machine" not in capfd.readouterr().out, (command, form)
    for command, forms in (
        ("ci", (*REPORTS, "text", "markdown", "html")),
        ("diff", ("text", "json", "markdown", "html")),
    ):
        for form in forms if named == "relative" else ():
            _, out = run(capfd, command, form)
            assert out
            assert str(site.parent) not in out, (command, form)
            assert "of this machine" not in out, (command, form)


def test_the_page_of_a_passing_change_begins_with_what_it_does(site, capfd):
    write(
        site,
        {
            **WARNING,
            **CHANGE,
            "site/profile/manifests/gone.pp": 'class profile::gone { notify { "b": } }\n',
        },
    )
    code, page = run(capfd, "ci", "html")
    titles = re.findall(r"<h2[^>]*>(?:<[^>]*>)*([^<]+)", page)
    assert (code, titles[:2]) == (exits.OK, ["Changes", "Findings"]), titles
    assert page.index("Passed: ") < page.index("Changes")
    write(site, FAULTS)
    code, page = run(capfd, "ci", "html")
    titles = re.findall(r"<h2[^>]*>(?:<[^>]*>)*([^<]+)", page)
    assert (code, titles[0]) == (exits.FINDINGS, "Findings"), titles
