"""``bunraku test``: pytest with the plugin, in the project where people stand."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

METADATA = """\
{"name": "me-motd", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "a greeting",
 "source": "https://example.com/motd", "dependencies": []}
"""
PASSING = """\
def test_motd(compile):
    assert compile("motd").contains("File[/etc/motd]", content="hello")
"""
FAILING = """\
def test_other(compile):
    assert compile("motd").contains("File[/etc/mot]")
"""


@pytest.fixture
def module(tmp_path):
    files = {
        "metadata.json": METADATA,
        "manifests/init.pp": "class motd { file { '/etc/motd': content => 'hello' } }",
        "spec/test_motd.py": PASSING,
        "spec/classes/motd_spec.rb": "",
        "spec/fixtures/modules/other/spec/test_other.py": "raise AssertionError",
    }
    for name, text in files.items():
        (tmp_path / "motd" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "motd" / name).write_text(text)
    return tmp_path / "motd"


def run(module, *words):
    return subprocess.run(
        [sys.executable, "-m", "bunraku", "test", *words],
        cwd=module,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_runs_the_tests_of_the_project_without_those_of_fixtures(module):
    done = run(module)
    assert (done.returncode, done.stdout.count(" passed")) == (0, 1), done.stdout
    assert "warning" not in done.stdout
    assert done.stderr.startswith("note: 1 *_spec.rb file: rspec runs them")


def test_works_from_a_directory_below_the_root(module):
    assert run(module / "manifests").returncode == 0


def test_a_failing_test_is_exit_code_1_and_explains_itself(module):
    (module / "spec" / "test_other.py").write_text(FAILING)
    done = run(module, "-q")
    assert done.returncode == 1
    assert "did you mean File[/etc/motd]?" in done.stdout
    assert run(module, "-k", "motd", "-q").returncode == 0


def test_writes_junit_and_passes_words_to_pytest(module):
    done = run(module, "--junitxml", "report.xml", "--", "--collect-only", "-q")
    assert "spec/test_motd.py::test_motd" in done.stdout
    assert run(module, "--junitxml", "report.xml").returncode == 0
    assert [one.get("name") for one in ET.parse(module / "report.xml").iter("testcase")] == [
        "test_motd"
    ]


def test_a_mistyped_path_is_an_error(module):
    done = run(module, "spec/test_mot.py")
    assert done.returncode == 2
    assert (
        done.stderr == "bunraku: cannot find spec/test_mot.py (did you mean 'spec/test_motd.py'?)\n"
    )


def test_a_project_without_tests_is_an_error(module):
    (module / "spec" / "test_motd.py").unlink()
    done = run(module)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "cannot find tests (test_*.py, *_spec.yaml, *_spec.pp) in spec, tests, test" in done.stderr
    )


def test_no_matching_test_is_trouble(module):
    assert run(module, "-k", "nothing").returncode == 2


def test_a_file_that_cannot_be_loaded_is_no_interruption(module):
    (module / "spec" / "test_broken.py").write_text("import missing_module\n")
    done = run(module)
    assert done.returncode == 2
    assert "missing_module" in done.stdout


def test_an_interruption_has_its_own_code(module):
    text = "import os, signal\ndef test_stops():\n    os.kill(os.getpid(), signal.SIGINT)\n"
    (module / "spec" / "test_interrupted.py").write_text(text)
    assert run(module).returncode == 130
