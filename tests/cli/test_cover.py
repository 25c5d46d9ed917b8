"""``bunraku cover``: commands, processes, reports, thresholds, and mistakes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bunraku.cli import exits

CONTROL = Path(__file__).parents[1] / "workbench" / "coverage" / "control"
COMMAND = [sys.executable, "-m", "bunraku"]
FAMILIES = {"web1": "Debian", "web2": "RedHat", "web3": "Debian"}
INIT = "modules/shop/manifests/init.pp"
FACTS = ("--", "--facts-folder", "facts")
DATA = ".bunraku/coverage"


@pytest.fixture
def control(tmp_path, monkeypatch):
    """A control repository with three nodes; the cache is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return made(tmp_path / "control", monkeypatch)


def made(root, monkeypatch):
    """A copy of the repository, in which the test goes on."""
    shutil.copytree(CONTROL, root)
    (root / "environment.conf").touch()
    (root / "facts").mkdir()
    for node, family in FAMILIES.items():
        (root / "facts" / f"{node}.yaml").write_text(f"os:\n  family: {family}\n")
    monkeypatch.chdir(root)
    return root


def cover(*words, **options):
    environment = {name: one for name, one in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    done = subprocess.run(
        [*COMMAND, "cover", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


def error_of(*words):
    code, out, err = cover(*words)
    assert (code, out) == (exits.TROUBLE, "")
    assert err.startswith("bunraku")
    return err


# -- measuring -------------------------------------------------------------------------------------


def test_all_nodes_are_compiled_and_reported(control):
    code, out, _ = cover("--nodes", *FACTS)
    assert code == exits.OK
    assert "3 compiled, 0 failed" in out
    lines = {line.split()[0]: line.split(maxsplit=7) for line in out.splitlines() if " %" in line}
    assert lines["modules/shop/manifests/base.pp"][1:6] == ["1", "0", "0", "0", "100"]
    assert lines["modules/shop/functions/unused.pp"][1:6] == ["2", "2", "0", "0", "0"]
    assert "3 of 5 classes\n" in out


def test_the_measurement_does_not_depend_on_processes_or_caches(control):
    found = []
    for jobs in ("1", "3", "1"):
        assert cover("--nodes", "--no-report", *FACTS, "--jobs", jobs)[0] == exits.OK
        found.append((control / DATA).read_bytes())
    assert found[0] == found[1] == found[2]


def test_kept_catalogs_are_compiled_again(control):
    """The catalogs of a run without coverage are kept; they must not hide what their code runs."""
    plain = [*COMMAND, "compile", "--nodes", "--facts-folder", "facts", "--output-folder", "out"]
    subprocess.run(plain, check=True, capture_output=True)
    subprocess.run(plain, check=True, capture_output=True)
    words = ("--nodes", *FACTS, "--output-folder", "out")
    code, out, _ = cover(*words)
    assert (code, "3 compiled" in out) == (exits.OK, True)
    assert cover("lines", f"{INIT}:2")[1] == f"{INIT}:2: web1, web2, web3\n"


def test_nodes_that_run_a_line(control):
    code, out, _ = cover("--nodes", f"{INIT}:18", f"{INIT}:21", *FACTS)
    assert (code, out) == (exits.OK, f"{INIT}:18: web1\n{INIT}:21: web2, web3\n")
    assert cover("lines", f"{INIT}:16")[:2] == (exits.FINDINGS, f"{INIT}:16: no run\n")


def test_a_program_whose_processes_compile(control):
    (control / "test_it.py").write_text(
        "import bunraku, os\n"
        "def test_debian():\n"
        "    bunraku.compile('include shop::debian', modulepath=['modules'])\n"
        "def test_forked():\n"
        "    bunraku.compile('include shop::base', modulepath=['modules'])\n"
        "    if not os.fork():\n"
        "        bunraku.compile('include shop::debian', modulepath=['modules'])\n"
        "        os.kill(os.getpid(), 9)\n"
        "    os.wait()\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    code, out, err = cover("--no-report", "--", *words)
    assert (code, err) == (exits.OK, "")
    assert "2 passed" in out
    code, out, _ = cover("lines", "modules/shop/manifests/debian.pp:2")
    assert out.endswith(": test_it.py::test_debian, test_it.py::test_forked\n")


def test_the_base_revision_of_a_check_does_not_count(control):
    """``bunraku ci`` compiles the files of the base, too: they are not those of the project."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run(["git", *who, *words], check=True, capture_output=True)
    path = control / "modules/shop/manifests/debian.pp"
    path.write_text("class shop::debian {\n  notice('changed')\n}\n")
    words = ("ci", "--base", "HEAD", "--facts-folder", "facts")
    code, _, err = cover("--no-report", "--", *words)
    assert (code, "changed after it ran" in err) == (exits.OK, False)
    assert cover("lines", "modules/shop/manifests/debian.pp:2")[1].endswith(": web1, web3\n")
    names = {one["path"] for one in json.loads((control / DATA).read_text())["files"]}
    assert all((control / name).is_file() for name in names)


def test_cases_of_batch_are_recorded(control):
    case = {"code": "include shop::debian", "modulepath": ["modules"], "node": "db1"}
    given = [{**case, "test": "debian is included"}, case]
    lines = "".join(f"{json.dumps(one)}\n" for one in given)
    code, out, _ = cover("--no-report", "--", "batch", input=lines)
    statuses = [json.loads(line)["status"] for line in out.splitlines()]
    assert (code, statuses) == (exits.OK, ["ok", "ok"])
    _, out, _ = cover("lines", "modules/shop/manifests/debian.pp:2")
    assert out.endswith(": db1, debian is included\n")


def test_the_exit_code_is_that_of_the_command(control):
    assert cover("--no-report", "--", "sh", "-c", "exit 7")[0] == 7
    assert cover("--no-report", "--", "sh", "-c", "kill -TERM $$")[0] == exits.TERMINATED
    assert cover("--no-report", "--fail-under", "100", "--", "sh", "-c", "exit 7")[0] == 7


def test_what_ran_before_a_signal_counts(control):
    script = (
        f"{sys.executable} -m bunraku compile -e 'include shop::debian' --node db1 --modulepath modules"
        " >catalog.json; kill -TERM $PPID; exec sleep 20"
    )
    code, _, _ = cover("--no-report", "--", "sh", "-c", script)
    assert code == exits.TERMINATED
    assert cover("lines", "modules/shop/manifests/debian.pp:2")[1].endswith(": db1\n")


def test_a_threshold(control):
    code, _, err = cover("--fail-under", "99.5", "--nodes", *FACTS)
    assert code == exits.FINDINGS
    assert err.splitlines()[-1].startswith("the coverage of ")
    assert err.endswith(" % is lower than 99.5 %\n")
    assert cover("report", "--fail-under", "10")[0] == exits.OK
    assert cover("report", "--fail-under", "99")[0] == exits.FINDINGS


def test_thresholds_of_the_configuration_file(control):
    cover("--nodes", "--no-report", *FACTS)
    (control / "bunraku.toml").write_text("fail_under = 60\nfail_under_file = 76\n")
    code, _, err = cover("report")
    low = [line.partition(": ")[0] for line in err.splitlines()]
    assert code == exits.FINDINGS
    assert low == [
        "modules/shop/functions/unused.pp",
        INIT,
        "modules/shop/manifests/never.pp",
        "modules/shop/templates/unused.epp",
    ]
    assert cover("report", "--fail-under-file", "0")[0] == exits.OK


@pytest.mark.parametrize("mask", ["000", "777"])
def test_files_are_private_whatever_the_umask(control, mask):
    script = f'umask {mask}; exec {sys.executable} -m bunraku cover --no-report -- sh -c "$1"'
    look = f"umask 022; {sys.executable} -m bunraku compile -e 1 >catalog; stat -c %a $BUNRAKU_COVERAGE $BUNRAKU_COVERAGE/*"
    if mask == "777":
        look = "stat -c %a $BUNRAKU_COVERAGE $BUNRAKU_COVERAGE/*"
    done = subprocess.run(
        ["sh", "-c", script, "sh", look], capture_output=True, text=True, check=False
    )
    modes = done.stdout.split()
    assert modes[0] in {"700", "0"}
    assert set(modes[1:]) == {"600"}
    assert stat.S_IMODE(os.stat(DATA).st_mode) == 0o600


# -- data ------------------------------------------------------------------------------------------


def test_measurements_of_several_machines_are_combined(control, tmp_path, monkeypatch):
    cover("--nodes", "--no-report", *FACTS)
    whole = (control / DATA).read_bytes()
    other = made(tmp_path / "other", monkeypatch)
    for number, node in enumerate(FAMILIES):
        cover("--nodes", "--no-report", "--data", f"../{number}", *FACTS, "--match", node)
    code, out, _ = cover("combine", "../0", "../1", "../2")
    assert code == exits.OK
    assert (other / DATA).read_bytes() == whole
    assert out.startswith("File ")


def test_a_measurement_can_be_continued_and_erased(control):
    first = ("--nodes", "--no-report", *FACTS, "--match", "web1")
    second = ("--nodes", "--no-report", "--append", *FACTS, "--match", "web2")
    cover(*first)
    cover(*second)
    assert cover("lines", f"{INIT}:2")[1] == f"{INIT}:2: web1, web2\n"
    cover(*first)
    assert cover("lines", f"{INIT}:2")[1] == f"{INIT}:2: web1\n"
    assert cover("erase") == (exits.OK, "", "")
    assert not (control / DATA).exists()
    assert "cannot find" in error_of("report")


def test_records_of_another_content_are_not_used(control):
    cover("--nodes", "--no-report", *FACTS)
    path = control / "modules/shop/manifests/base.pp"
    path.write_text(f"# new\n{path.read_text()}")
    code, out, err = cover("report")
    assert code == exits.OK
    assert "warning: modules/shop/manifests/base.pp changed after it ran" in err
    assert next(line for line in out.splitlines() if "base.pp" in line).split()[1:3] == ["1", "1"]


def test_files_that_do_not_parse_are_left_out(control):
    (control / "modules/shop/manifests/broken.pp").write_text("class shop::broken {\n")
    code, out, err = cover("--", "eval", "1")
    assert code == exits.OK
    assert "broken.pp" not in out
    assert "warning: modules/shop/manifests/broken.pp is left out: " in err


def test_damaged_data_is_refused(control):
    (control / DATA).parent.mkdir()
    for text in ("", "{}", "[]", '{"bunraku_coverage":1,"probes":1,"runs":1,"files":[]}'):
        (control / DATA).write_text(text)
        assert "cannot use" in error_of("report")
    data = (
        '{"bunraku_coverage":1,"probes":1,"runs":[],'
        '"files":[{"path":"a.pp","digest":"","language":"x","runs":[]}]}'
    )
    (control / DATA).write_text(data)
    assert "expected one of" in error_of("report")
    (control / DATA).write_text('{"bunraku_coverage":99,"probes":1,"runs":[],"files":[]}')
    assert "another version" in error_of("report")


def test_files_that_do_not_count(control):
    for name in (
        "spec/fixtures/modules/x/manifests/init.pp",
        "vendor/a.pp",
        "plans/p.pp",
        "modules/other/examples/init.pp",
        "modules/other/manifests/legacy.pp",
        "modules/other/manifests/old/a.pp",
    ):
        path = control / name
        path.parent.mkdir(parents=True)
        path.write_text("notice('x')\n")
    (control / "Puppetfile").write_text("mod 'example/shop', '1.0.0'\n")
    counts = control / "modules/test/manifests/examples/a.pp"
    counts.parent.mkdir(parents=True)
    counts.write_text("class test::examples::a { }\n")
    (control / "bunraku.toml").write_text(
        "exclude = ['legacy.pp', 'modules/other/manifests/old']\n"
    )
    _, out, _ = cover("--exclude", "facts", "--", "eval", "1")
    files = [line.split()[0] for line in out.splitlines() if " %" in line]
    assert files == ["manifests/site.pp", "modules/test/manifests/examples/a.pp", "Total"]


def test_links_to_the_module_lead_to_its_files(control):
    """puppetlabs_spec_helper links the module into its own fixtures."""
    module = control / "modules/shop"
    fixtures = module / "spec/fixtures/modules"
    fixtures.mkdir(parents=True)
    (fixtures / "shop").symlink_to(module)
    words = ("compile", "-e", "include shop::debian", "--modulepath", "spec/fixtures/modules")
    code, _, _ = cover("--no-report", "--", *words, "--no-project", cwd=module)
    assert code == exits.OK
    places = set(control.rglob(DATA))
    (data,) = [json.loads(path.read_text()) for path in places]
    assert {one["path"].rpartition("/")[2] for one in data["files"]} == {"debian.pp"}


# -- reports ---------------------------------------------------------------------------------------


def test_reports_for_programs_agree(control):
    words = [f"--report={name}=out.{name}" for name in ("json", "lcov", "xml", "html", "text")]
    assert cover(*words, "--nodes", *FACTS)[0] == exits.OK
    data = json.loads((control / "out.json").read_text())
    totals = data["totals"]
    lcov = (control / "out.lcov").read_text().splitlines()

    def total(mark):
        return sum(int(line.removeprefix(mark)) for line in lcov if line.startswith(mark))

    assert (total("LF:"), total("BRF:")) == (totals["lines"], totals["branches"])
    assert total("LF:") - total("LH:") == totals["missed_lines"]
    assert total("BRF:") - total("BRH:") == totals["missed_branches"]
    assert len([one for one in lcov if one.startswith("DA:")]) == totals["lines"]
    xml = ET.parse(control / "out.xml").getroot()
    assert int(xml.attrib["lines-valid"]) == totals["lines"] == len(xml.findall(".//line"))
    hits = {int(one.attrib["hits"]) for one in xml.findall(".//line")}
    assert hits == {0, 1, 2, 3}
    html = (control / "out.html").read_text()
    assert "never selector /^x(.)/" in html
    assert "Never declared or called" in html


def test_a_report_has_the_counts_of_lines_and_branches(control):
    cover("--nodes", "--no-report", *FACTS)
    data = json.loads(cover("json")[1])
    (file,) = [one for one in data["files"] if one["path"].endswith("debian.pp")]
    assert file["lines"] == [{"line": 1, "runs": 2}, {"line": 2, "runs": 2}]
    (size,) = [one for one in data["files"] if one["path"].endswith("size.pp")]
    assert size["branches"][0] == {
        "line": 1,
        "kind": "default value",
        "branch": "$scale",
        "runs": 1,
    }
    assert data["runs"] == ["web1", "web2", "web3"]


def test_a_report_in_a_file(control):
    cover("--nodes", "--no-report", *FACTS)
    assert cover("xml", "--output", "c.xml") == (exits.OK, "", "")
    assert (control / "c.xml").read_text() == cover("xml")[1]


# -- mistakes --------------------------------------------------------------------------------------


def test_mistakes_are_reported(control):
    assert "give a command after --" in error_of()
    assert "did you mean 'report'" in error_of("reprot")
    assert "did you mean 'bunraku cover -- compile'?" in error_of("compile")
    assert "a command to run follows after --" in error_of("nothing-like-it")
    assert "give a command after --" in error_of("--")
    assert "cannot find the program 'nosuchprogram'" in error_of("--", "nosuchprogram")
    assert "unexpected argument 'report'" in error_of("report", "--", "eval", "1")
    assert "expected FORMAT=FILE" in error_of("--report", "json", "--", "eval", "1")
    assert "did you mean 'lcov'" in error_of("--report", "lcow=x", "--", "eval", "1")
    assert "invalid value '101'" in error_of("--fail-under", "101", "report")
    assert "cannot find .bunraku/coverage" in error_of("report").replace(f"{control}/", "")


def test_mistaken_places_are_reported(control):
    cover("--nodes", "--no-report", *FACTS)
    assert "expected FILE:LINE" in error_of("lines", INIT)
    assert "expected FILE:LINE" in error_of("--nodes", f"{INIT}:0")
    assert "did you mean" in error_of("lines", "modules/shop/manifests/int.pp:1")
    assert f"no code is at {INIT}:1" in error_of("lines", f"{INIT}:1")
    assert "does not count" in error_of("lines", f"{sys.executable}:1")


def test_a_folder_that_cannot_be_used_is_an_error(control):
    environment = {**os.environ, "BUNRAKU_COVERAGE": str(control / "nowhere")}
    done = subprocess.run(
        [*COMMAND, "compile", "-e", "1"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exits.FINDINGS
    assert "COVERAGE_NOT_RECORDED" in done.stderr


def test_a_directory_without_a_project_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "cannot find a module or a control repository" in error_of("--", "eval", "1")


def test_the_measurement_is_no_untracked_file(control):
    subprocess.run(["git", "init", "-q"], check=True, cwd=control)
    subprocess.run(["git", "add", "."], check=True, cwd=control)
    assert cover("--nodes", "--no-report", *FACTS)[0] == exits.OK
    command = ["git", "status", "--porcelain"]
    done = subprocess.run(command, check=True, cwd=control, capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("??")] == []


def test_a_command_that_fails_leaves_the_last_measurement(control):
    assert cover("--nodes", "--no-report", *FACTS)[0] == exits.OK
    before = (control / DATA).read_bytes()
    code, _, err = cover("--no-report", "--", "compile", "missing.pp")
    assert (code, (control / DATA).read_bytes()) == (exits.TROUBLE, before)
    assert "note: the command failed (2): the last measurement stays\n" in err
