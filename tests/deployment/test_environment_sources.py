"""The environments of sources have the names that r10k 5.0.2 gives them."""

import json
import stat

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.environment_declarations import environments_of_sources
from bunraku.deployment.environment_names import folded_name, unknown_environments
from bunraku.deployment.environment_sources import read_sources, refuse_collisions
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.project.declared_modules import DeclaredModule, ForgeModule

BRANCHES = ("production", "feature/foo-bar", "1.2", "with-dash", "UPPER", "a.b", "under_score")


def declare_module(arguments):
    name = arguments.title.replace("-", "/").rpartition("/")[2]
    source = ForgeModule(str(arguments.options))
    directory = f"{arguments.moduledir}/{name}"
    return DeclaredModule(
        arguments.title, name, "", source, directory, arguments.path, arguments.line
    )


def listed(branches=("production",), **source):
    sources = read_sources(
        R10kSettings(sources={"main": {"remote": "/r", "basedir": "/e", **source}})
    )
    [found] = environments_of_sources(
        sources, lambda _: dict.fromkeys(branches, "0" * 40), declare_module
    )
    return found


def names(*arguments, **source):
    return [one.directory_name for one in listed(*arguments, **source).environments]


def levels(found):
    return [problem.level for problem in found.problems]


def test_names_are_corrected_with_a_warning():
    found = listed(BRANCHES)
    assert [one.directory_name for one in found.environments] == [
        "1_2",
        "UPPER",
        "a_b",
        "feature_foo_bar",
        "production",
        "under_score",
        "with_dash",
    ]
    assert levels(found) == ["warn"] * 4
    assert found.environments[3].ref == "feature/foo-bar"


def test_names_are_corrected_silently():
    assert levels(listed(BRANCHES, invalid_branches="correct")) == []


def test_names_are_refused():
    found = listed(BRANCHES, invalid_branches="error")
    assert [one.directory_name for one in found.environments] == [
        "UPPER",
        "production",
        "under_score",
    ]
    assert levels(found) == ["error"] * 4


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [(True, "main_dev"), ("site", "site_dev"), (False, "dev"), (None, "dev"), ("", "_dev")],
)
def test_prefixes(prefix, expected):
    assert names(["dev"], prefix=prefix) == [expected]


@pytest.mark.parametrize(
    ("strip", "branch", "expected"),
    [
        ("env/", "env/dev", "dev"),
        ("env/", "x/env/dev", "x_env_dev"),
        ("/^(env\\/|feature-)/", "feature-1", "1"),
        ("/a/", "banana", "bnn"),
    ],
)
def test_strip_component(strip, branch, expected):
    found = listed([branch], strip_component=strip, prefix=True)
    assert [one.directory_name for one in found.environments] == [f"main_{expected}"]
    assert found.environments[0].ref == branch


def test_prefixes_of_branches_are_ignored():
    branches = ("test_a", "tester", "dev", "keep", "x+y")
    found = listed(branches, ignore_branch_prefixes=["test", "dev", "x+"])
    assert [one.ref for one in found.environments] == ["keep"]
    assert levels(found) == ["warn"] * 4


def test_a_command_filters_branches():
    command = 'case "$R10K_NAME:$R10K_BRANCH" in main:keep*) exit 0;; esac; exit 1'
    found = listed(["keep_a", "drop_b"], filter_command=command)
    assert [one.ref for one in found.environments] == ["keep_a"]
    assert levels(found) == ["warn"]


def test_collisions_are_refused():
    with pytest.raises(PuppetError, match=r"between main:a\.b and main:a-b"):
        refuse_collisions(listed(["a.b", "a-b"]).environments)


YAML = """\
production:
  source: /control
  version: v1
  modules:
    acme-alpha: 1.0.0
  moduledir: ext
with-dash:
  type: plain
"""


def test_a_yaml_source_declares_environments_and_modules(tmp_path):
    path = tmp_path / "envs.yaml"
    path.write_text(YAML)
    found = listed(type="yaml", config=str(path), prefix=True)
    one, two = found.environments
    assert (one.path, one.remote, one.ref) == ("/e/main_production", "/control", "v1")
    assert [(module.directory, module.line) for module in one.modules] == [
        ("/e/main_production/ext/alpha", 5)
    ]
    assert (two.directory_name, two.kind) == ("main_with-dash", "plain")


def test_a_yamldir_source_has_a_file_for_each_environment(tmp_path):
    (tmp_path / "b.yaml").write_text("type: plain\n")
    (tmp_path / "a.yaml").write_text("source: /c\nmodule_conflicts: error\n")
    found = listed(type="yamldir", config=str(tmp_path))
    assert [(one.name, one.kind) for one in found.environments] == [("a", "git"), ("b", "plain")]
    assert found.environments[0].module_conflicts == "error"
    assert levels(found) == ["warn"]  # r10k warns of this option, although it follows it


@pytest.mark.parametrize(
    "text", [json.dumps({"one": {"source": "/c"}}), "one:\n  remote: /c\n  nosuch: 1\n"]
)
def test_an_exec_source_prints_json_or_yaml(tmp_path, text):
    program = tmp_path / "envs"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n")
    program.chmod(stat.S_IRWXU)
    found = listed(type="exec", command=str(program))
    assert [one.remote for one in found.environments] == ["/c"]
    assert levels(found) == (["warn"] if "nosuch" in text else [])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"type": "nosuch"}, "the type 'nosuch' is unknown"),
        ({"remote": None}, "requires the option remote"),
        ({"basedir": 5}, "requires the option basedir"),
        ({"type": "exec"}, "requires the option command"),
        ({"type": "exec", "command": "/nosuch"}, "cannot run /nosuch"),
        ({"type": "yaml", "config": "/nosuch"}, "Couldn't open environments file /nosuch"),
        ({"type": "yamldir", "config": "/nosuch"}, "config must be a directory"),
        ({"invalid_branches": "nosuch"}, "invalid_branches must be"),
        ({"strip_component": True}, "strip_component must be"),
    ],
)
def test_wrong_sources_are_refused(source, message):
    with pytest.raises(PuppetError, match=message):
        listed(**source)


@pytest.mark.parametrize("sources", [None, {}, []])
def test_no_sources(sources):
    with pytest.raises(PuppetError, match="does not define the 'sources' key"):
        read_sources(R10kSettings(sources=sources))


def test_requested_names_are_folded_and_checked():
    assert folded_name("feature/x-1") == "feature_x_1"
    assert "did you mean 'dev'" in unknown_environments(["devv"], ["dev"])
    assert not unknown_environments(["dev"], ["dev"])


def test_passwords_are_not_printed():
    found = listed(remote="https://u:sesame@host/r.git", type="git")
    assert "sesame" not in repr(found)
