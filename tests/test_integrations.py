"""The GitHub Action, the GitLab template, the hooks for pre-commit and the image run commands that exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch
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
    assert ("::error file=data/os/RedHat.yaml,line=4" in done.stdout) is (code != exits.OK)


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


def job_variables(of_project, directory):
    """The variables of the job: its own win over those of the project, and these over the template's."""
    own = {**TEMPLATE["variables"], **of_project, **TEMPLATE["bunraku"]["variables"]}
    return {
        name: str(value).replace("$CI_PROJECT_DIR", str(directory)) for name, value in own.items()
    }


def run_template(shell, demo, branch, **of_project):
    job = TEMPLATE["bunraku"]
    before, script, after = (
        "\n".join(job[name]) for name in ("before_script", "script", "after_script")
    )
    # GitLab runs the last part in another shell, also after a failure.
    script = f"({before}\n{script}) || code=$?\n{after}\nexit ${{code:-0}}"
    variables = job_variables({"BUNRAKU": "", **of_project}, demo)
    return shell(branch, script, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="production", **variables)


def test_template_for_gitlab_runs_and_writes_its_artifacts(shell, demo):
    done = run_template(shell, demo, "breaking")
    assert done.returncode == exits.FINDINGS, done.stderr
    job = TEMPLATE["bunraku"]
    artifacts = job["artifacts"]
    files = [*artifacts["paths"], *artifacts["reports"].values()]
    assert all((demo / name).stat().st_size for name in files)
    assert json.loads((demo / artifacts["reports"]["codequality"]).read_text())
    assert not (demo / ".cache" / "bunraku.cache").exists()
    listed = ["git", "status", "--porcelain", ".cache"]
    assert subprocess.run(listed, cwd=demo, check=True, capture_output=True).stdout == b""


CACHE_KEY = "0123456789abcdef0123456789abcdef"


def test_template_for_gitlab_keeps_the_cache_with_a_secret(shell, demo, tmp_path):
    (demo / ".cache").mkdir(exist_ok=True)
    kept = demo / TEMPLATE["bunraku"]["cache"]["paths"][1]
    kept.unlink(missing_ok=True)
    first = run_template(shell, demo, "good", BUNRAKU_CACHE_KEY=CACHE_KEY)
    assert first.returncode == exits.OK, first.stderr
    (tmp_path / "cache").rename(tmp_path / "cache of the first machine")
    subprocess.run(["git", "clean", "-fdq"], cwd=demo, check=True)
    second = run_template(shell, demo, "good", BUNRAKU_CACHE_KEY=CACHE_KEY)
    assert re.search(
        r"imported \d+ entries from .cache/bunraku.cache: \d+ of them new", second.stdout
    )
    other = run_template(shell, demo, "good", BUNRAKU_CACHE_KEY=CACHE_KEY[::-1])
    assert "was written with another key" in other.stderr
    assert other.returncode == exits.OK
    kept.unlink()


def test_action_keeps_the_cache_with_a_secret(shell, tmp_path):
    steps = {one["name"]: one for one in ACTION["runs"]["steps"] if "name" in one}
    found, kept = steps["Find the cache"]["with"], steps["Keep the cache"]["with"]
    assert (found["path"], found["key"]) == (kept["path"], kept["key"])
    for line in found["restore-keys"].splitlines():
        assert found["key"].startswith(line)
    secret = {"BUNRAKU_CACHE_KEY": CACHE_KEY}
    assert shell("good", steps["Take over the cache"]["run"], **secret).stdout == ""
    shell("good", "bunraku ci", GITHUB_BASE_REF="production", **secret)
    assert "exported" in shell("good", steps["Write the cache"]["run"], **secret).stdout
    (tmp_path / "cache").rename(tmp_path / "cache of the first machine")
    done = shell("good", steps["Take over the cache"]["run"], **secret)
    assert re.search(r"imported \d+ entries from .*: \d+ of them new", done.stdout)


def test_variables_of_the_project_win_over_those_of_the_template(shell, demo):
    text = (INTEGRATIONS / "gitlab" / "bunraku.yml").read_text(encoding="utf-8")
    documented = set(re.findall(r"\$(BUNRAKU\w*)", text))
    assert documented == set(TEMPLATE["variables"])
    assert not documented & TEMPLATE["bunraku"]["variables"].keys()
    assert run_template(shell, demo, "good").returncode == exits.OK
    done = run_template(shell, demo, "good", BUNRAKU_ARGUMENTS="--fail-on-changes --match web*")
    assert done.returncode == exits.FINDINGS, done.stderr
    assert "nodes  8 nodes: 0 broken, 2 changed" in done.stdout


def test_template_has_the_stages_and_keys_that_gitlab_knows():
    assert set(TEMPLATE) == {"variables", "bunraku"}
    job = TEMPLATE["bunraku"]
    known = "stage image variables cache rules before_script script after_script artifacts"
    assert set(job) == set(known.split())
    assert job["stage"] in {".pre", "build", "test", "deploy", ".post"}
    assert job["image"]["entrypoint"] == [""]
    assert set(job["artifacts"]["reports"]) == {"junit", "codequality"}


@pytest.mark.parametrize(
    ("tag", "version"), [("v9.8.7", "9.8.7"), (None, "0.1.0.dev0")], ids=["tag", "no-tag"]
)
def test_an_archive_without_git_knows_its_version(tag, version, tmp_path):
    """The downloaded action, and a build in an image, have no ``.git``."""
    source, copy = tmp_path / "source", tmp_path / "copy"
    names = ("pyproject.toml", "README.md", ".gitattributes", ".git_archival.txt")
    for root in (source, copy):
        root.mkdir()
    for name in names:
        (source / name).write_bytes((ROOT / name).read_bytes())
    who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=source, check=True)
    if tag:
        subprocess.run(["git", "tag", tag], cwd=source, check=True)
    archive = subprocess.run(
        ["git", "archive", "HEAD"], cwd=source, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x"], cwd=copy, input=archive.stdout, check=True)
    command = [sys.executable, "-m", "hatchling", "version"]
    done = subprocess.run(command, cwd=copy, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == version


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


METADATA = json.dumps(
    {
        "name": "a-m",
        "version": "1.0.0",
        "author": "a",
        "summary": "A.",
        "license": "Apache-2.0",
        "source": "https://example.com",
        "dependencies": [],
    }
)
HOOK_FILES = {
    "m/manifests/init.pp": ("class m { }\n", "if $x = 1 { }\n"),
    "m/plans/run.pp": ("plan m::run(TargetSpec $nodes) {\n}\n", "plan m::run( {\n"),
    "m/plans/steps.yaml": ("---\nsteps: []\n", "---\n - {\n"),
    "m/templates/a.epp": ("<%= 1 %>\n", "<%= $a[ %>\n"),
    "m/templates/a.erb": ("<%= 1 %>\n", "<% if x %>\n"),
    "m/metadata.json": (METADATA, "{\n"),
    "m/hiera.yaml": ("---\nversion: 5\n", "---\nversion: 6\n"),
    "data/nodes/a.yaml": ("---\na: 1\n", "---\n a: [\n"),
    "data/secret.eyaml": ("---\na: 1\n", "---\n a: [\n"),
    "hieradata/a.json": ("{}\n", "{\n"),
    "environment.conf": ("modulepath = site\n", "modulepath\n"),
    "bunraku.toml": ('strict = "off"\n', "strict = \n"),
}


@pytest.mark.parametrize("path", HOOK_FILES)
def test_validate_hook_checks_all_that_it_is_passed(path, tmp_path, monkeypatch, capfd):
    assert re.search(HOOKS["bunraku-validate"]["files"], path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m/manifests").mkdir(parents=True)
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    for text, code in zip(HOOK_FILES[path], (exits.OK, exits.FINDINGS), strict=True):
        (tmp_path / path).write_text(text)
        if path != "bunraku.toml":
            assert main(["validate", path]) == code, capfd.readouterr()
    if path.endswith(".pp"):
        (tmp_path / path).write_text(HOOK_FILES[path][0])
        assert main(["lint", path]) == exits.OK, capfd.readouterr()


def test_validate_hook_leaves_other_files():
    pattern = HOOKS["bunraku-validate"]["files"]
    left = ("a.yaml", "my-metadata.json", "a.pp.txt", ".fixtures.yml", "spec/a_spec.rb")
    assert not any(re.search(pattern, name) for name in left)


def test_image_starts_commands_that_exist(tmp_path):
    text = (INTEGRATIONS / "docker" / "Dockerfile").read_text(encoding="utf-8")
    entry = json.loads(re.search(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[1])
    (source, target) = re.search(r"^COPY (integrations/\S+) (\S+)$", text, re.MULTILINE).groups()
    assert [Path(target).name] == entry
    assert os.access(ROOT / source, os.X_OK)
    version = re.findall(r"^FROM python:(3\.\d+)", text, re.MULTILINE)
    assert len(set(version)) == 1
    assert version[0] == ACTION["inputs"]["python-version"]["default"]
    assert TEMPLATE["variables"]["BUNRAKU_IMAGE"] == f"python:{version[0]}"
    program = tmp_path / "bunraku"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bunraku "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def started(*words):
        command = [ROOT / source, *words]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    default = json.loads(re.search(r"^CMD (.+)$", text, re.MULTILINE)[1])
    assert f"usage: bunraku {default[0]}" in started(*default, "--help")
    assert "usage: bunraku diff" in started("diff", "--help")
    assert "usage: bunraku test" in started("test", "--help")
    for shell in ("sh", "bash", "/bin/sh"):
        assert started(shell, "-c", "echo $((40 + 2))") == "42\n"


def test_context_of_the_image_has_what_the_build_copies():
    """Directories that the wheel needs, and ``.git`` for the version, are not ignored."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    ignored = {line.strip("/") for line in lines if line and not line.startswith("#")}
    assert any(fnmatch(".venv", one) for one in ignored)
    needed = {".git", "src", "integrations", "pyproject.toml", "README.md", "LICENSE"}
    assert not needed & ignored
