"""The GitHub Action, the GitLab template, the hooks for pre-commit and the image run commands that exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.ci.base import BRANCHES, COMMITS

ROOT = Path(__file__).parents[1]
INTEGRATIONS = ROOT / "integrations"


def read(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


ACTION = read("action.yml")
TEMPLATE = read("integrations/gitlab/bunraku.yml")
HOOKS = {hook["id"]: hook for hook in read(".pre-commit-hooks.yaml")}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    directory = tmp_path_factory.mktemp("demo") / "control"
    program = ROOT / "examples" / "control" / "make-repository"
    subprocess.run([program, directory], check=True)
    return directory


@pytest.fixture
def shell(demo, tmp_path):
    """Run a script on a branch of the demo repository, with bunraku where each system has it."""
    programs = tmp_path / "bunraku" / "bin"
    programs.mkdir(parents=True)
    program = programs / "bunraku"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bunraku "$@"\n')
    program.chmod(0o755)
    own = {name: value for name, value in os.environ.items() if name not in (*COMMITS, *BRANCHES)}

    def run(branch, script, **variables):
        subprocess.run(["git", "checkout", "-qf", branch], cwd=demo, check=True)
        subprocess.run(["git", "clean", "-fdq"], cwd=demo, check=True)
        path = f"{programs}:{own['PATH']}"
        environment = {
            **own,
            "PATH": path,
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "RUNNER_TEMP": str(tmp_path),
            **variables,
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=demo, env=environment, capture_output=True, text=True, check=False
        )

    return run


def step(name):
    (found,) = (one for one in ACTION["runs"]["steps"] if one.get("name") == name)
    return found


def run_action(shell, tmp_path, branch, arguments=""):
    return shell(
        branch,
        step("Check the change")["run"],
        ARGUMENTS=arguments,
        GITHUB_OUTPUT=str(tmp_path / "output"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
        GITHUB_BASE_REF="production",
    )


def test_action_uses_its_inputs_outputs_and_steps():
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert ACTION["runs"]["using"] == "composite"
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    steps = {one.get("id") for one in ACTION["runs"]["steps"]}
    assert set(re.findall(r"steps\.(\w+)\.outputs", text)) <= steps
    used = re.findall(r"uses: (\S+)", text)
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used)
    assert "${{" not in "".join(one.get("run", "") for one in ACTION["runs"]["steps"])


@pytest.mark.parametrize(("branch", "code"), [("good", exits.OK), ("breaking", exits.FINDINGS)])
def test_action_writes_summary_annotations_and_exit_code(shell, tmp_path, branch, code):
    done = run_action(shell, tmp_path, branch)
    assert done.returncode == code, done.stderr
    assert (tmp_path / "output").read_text() == f"report={tmp_path}/bunraku.md\n"
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith("## ✅ Passed: 4" if code == exits.OK else "## ❌ Failed: 1 error, 2")
    assert ("::error file=site-modules/profile/" in done.stdout) is (code != exits.OK)


def test_action_shields_the_runner_from_text_of_the_repository(shell, tmp_path):
    lines = run_action(shell, tmp_path, "breaking").stdout.splitlines()
    stop = re.fullmatch(r"::stop-commands::(\w{32})", lines[0])
    assert stop
    start = lines.index(f"::{stop[1]}::")
    assert lines[start - 1] == "failed: 1 error, 2 broken nodes"
    assert all(line.startswith("::") for line in lines[start:])


def test_action_passes_its_arguments(shell, tmp_path):
    done = run_action(shell, tmp_path, "good", "--fail-on-changes --match web*")
    assert done.returncode == exits.FINDINGS
    assert "nodes  8 nodes: 0 broken, 2 changed" in done.stdout


def test_action_reports_wrong_usage(shell, tmp_path):
    done = run_action(shell, tmp_path, "good", "--fail-on-chnges")
    assert done.returncode == exits.TROUBLE
    assert "--fail-on-chnges" in done.stderr
    assert not (tmp_path / "summary").exists()


def test_template_for_gitlab_runs_and_writes_its_artifacts(shell, demo):
    job = TEMPLATE["bunraku"]
    script = [line for line in job["script"] if not line.startswith("pip ")]
    assert len(script) == len(job["script"]) - 1
    variables = {name: str(value) for name, value in job["variables"].items()}
    done = shell(
        "breaking",
        "\n".join(script),
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="production",
        **variables,
    )
    assert done.returncode == exits.FINDINGS, done.stderr
    artifacts = job["artifacts"]
    files = [*artifacts["paths"], *artifacts["reports"].values()]
    assert all((demo / name).stat().st_size for name in files)
    assert json.loads((demo / artifacts["reports"]["codequality"]).read_text())
    used = set(re.findall(r"\$(BUNRAKU\w*)", "".join(job["script"])))
    assert used == {name for name in variables if name.startswith("BUNRAKU")}


@pytest.mark.parametrize(
    ("hook", "good", "bad"),
    [
        ("bunraku-validate", "class a { }\n", "if $x = 1 { }\n"),
        ("bunraku-lint", "# A.\nclass a {\n}\n", '# A.\nclass a {\n  $b = "c"\n}\n'),
    ],
)
def test_hooks_accept_and_refuse_manifests(hook, good, bad, tmp_path, monkeypatch, capfd):
    manifests = tmp_path / "a" / "manifests"
    manifests.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    path = "a/manifests/init.pp"
    program, *arguments = shlex.split(HOOKS[hook]["entry"])
    assert program == "bunraku"
    assert re.search(HOOKS[hook]["files"], path)
    command = [*arguments, *HOOKS[hook].get("args", [])]
    for text, code in ((good, exits.OK), (bad, exits.FINDINGS)):
        (tmp_path / path).write_text(text)
        assert main([*command, path]) == code, capfd.readouterr()


def test_validate_hook_takes_files_that_validate_knows():
    pattern = HOOKS["bunraku-validate"]["files"]
    taken = ("a/init.pp", "a.epp", "metadata.json", "a/hiera.yaml")
    assert all(re.search(pattern, name) for name in taken)
    left = ("a.yaml", "my-metadata.json", "a.pp.txt", ".fixtures.yml")
    assert not any(re.search(pattern, name) for name in left)


def test_image_starts_commands_that_exist(capfd):
    text = (INTEGRATIONS / "docker" / "Dockerfile").read_text(encoding="utf-8")
    entry = json.loads(re.search(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[1])
    command = json.loads(re.search(r"^CMD (.+)$", text, re.MULTILINE)[1])
    assert entry == ["bunraku"]
    assert main([*command, "--help"]) == exits.OK
    assert f"usage: bunraku {command[0]}" in capfd.readouterr().out
    version = re.findall(r"^FROM python:(3\.\d+)", text, re.MULTILINE)
    assert len(set(version)) == 1
    assert version[0] == ACTION["inputs"]["python-version"]["default"]
    assert TEMPLATE["bunraku"]["image"] == f"python:{version[0]}"
