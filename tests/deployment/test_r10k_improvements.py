"""Where ``bunraku r10k`` differs from r10k on purpose; the page "Coming from r10k" lists it."""

import shutil
from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.git_remotes import VARIABLES
from support.r10k_scenarios import NAMES, Scenario, mod

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def one(monkeypatch, capfd, tmp_path):
    for name, value in {**VARIABLES, "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)

    def call(words, here):
        monkeypatch.chdir(here)
        code = main(["r10k", *words])
        captured = capfd.readouterr()
        return code, captured.out + captured.err

    return Scenario(tmp_path / "site", call)


def outcome(one, *words):
    """Run the words; return the exit code, the levels of messages and the files."""
    one.run(*words)
    step = one.steps[-1]
    return step["exit"], step["levels"], step["files"]


def test_a_broken_module_stops_no_other_environment(one):
    alpha = one.module()
    control = one.control(puppetfile=mod("a", alpha))
    control.branch("broken", {"Puppetfile": mod("a", alpha) + mod("b", alpha, ":ref => 'no'")})
    code, levels, files = outcome(one, "deploy", "environment", "-m")
    assert (code, levels) == (1, ["ERROR"])
    assert "env/production/modules/a/manifests/init.pp" in files
    assert not any(path.startswith("env/broken/") for path in files)


def test_an_environment_with_an_error_stays_as_it_was(one):
    alpha = one.module()
    control = one.control(puppetfile=mod("a", alpha))
    _, _, before = outcome(one, "deploy", "environment", "-m")
    control.commit({"Puppetfile": mod("a", alpha, ":ref => 'no'"), "new": "1\n"})
    code, _, after = outcome(one, "deploy", "environment", "-m")
    assert code == 1
    assert after == before


@pytest.mark.parametrize("words", [("nosuch",), ("a", "-e", "nosuch")])
def test_unknown_modules_and_environments_are_errors(one, words):
    one.control(puppetfile=mod("a", one.module()))
    one.run("deploy", "environment")
    assert outcome(one, "deploy", "module", *words)[:2] == (1, ["ERROR"])


def test_a_postrun_command_that_fails_is_an_error(one):
    one.control(postrun=["/bin/false"])
    code, levels, files = outcome(one, "deploy", "environment")
    assert (code, levels) == (1, ["ERROR"])
    assert files


def test_refused_names_are_an_error(one):
    one.control(*NAMES, source={"invalid_branches": "error"})
    code, levels, files = outcome(one, "deploy", "environment")
    assert (code, levels) == (1, ["ERROR"])
    assert {path.split("/")[1] for path in files} == {"UPPER", "production", "under_score"}


def test_local_edits_are_kept(one):
    control = one.control()
    one.run("deploy", "environment")
    one.put("env/production/manifests/site.pp", "# mine\n")
    control.commit({"new": "1\n"})
    code, levels, _ = outcome(one, "deploy", "environment", "--no-force")
    assert (code, levels) == (1, ["ERROR", "WARN"])
    assert (one.top / "env/production/manifests/site.pp").read_text() == "# mine\n"


def test_passwords_are_not_printed(one, capfd):
    source = {"remote": "https://me:sesame@127.0.0.1:1/x.git", "basedir": one.path("env")}
    one.configure(sources={"main": source})
    for words in ("deploy environment -v debug2", "deploy display"):
        main(["r10k", *words.split(), "-c", one.path("r10k.yaml")])
        captured = capfd.readouterr()
        assert "sesame" not in captured.out + captured.err


def test_the_page_has_all_of_them():
    page = (Path(__file__).parents[2] / "docs" / "coming-from-r10k.md").read_text("utf-8")
    words = "postrun invalid_branches --no-force submodules purge_allowlist asterisks"
    assert all(word in page for word in words.split())
