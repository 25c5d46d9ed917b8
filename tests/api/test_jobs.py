"""The jobs from Python: keywords of options, their kinds, and the configuration below them."""

from __future__ import annotations

import subprocess

import pytest

import bunraku
from bunraku.jobs.project_context import context_in
from tools import write_options


def test_type_checkers_see_the_options_of_the_table():
    pages = write_options.pages()
    assert {path: path.read_text(encoding="utf-8") for path in pages} == pages, "make pages"


@pytest.fixture
def site(tmp_path):
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notify { 'a': }\n")
    (tmp_path / "bunraku.toml").write_text("strict = 'off'\ntimeout = '7s'\nfollow = 'documents'\n")
    return tmp_path


def test_keywords_win_over_the_configuration_file(site):
    context = context_in(site, strict="warning")
    assert context.settings["strict"] == "warning"
    assert (context.limits.seconds, context.fields["follow"]) == (7.0, "documents")
    assert context.project.root == str(site)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"langauge": "8"}, "unknown option 'langauge' (did you mean 'language'?)"),
        ({"settings": ["a"]}, "settings: expected a mapping, not ['a']"),
        ({"modulepath": 7}, "modulepath: expected a list of directories, not 7"),
        (
            {"modulepath": "/a:/b"},
            "modulepath: expected a list of directories, not '/a:/b' (write ['/a', '/b'])",
        ),
        (
            {"basemodulepath": ["/a", 7]},
            "basemodulepath: expected a list of directories, not ['/a', 7]",
        ),
        ({"strict_variables": "no"}, "strict_variables: expected True or False, not 'no'"),
        ({"jobs": "2"}, "jobs: expected a number, not '2'"),
        ({"facts": 3}, "facts: expected a mapping or a path, not 3"),
    ],
)
def test_wrong_options_are_errors(site, options, message):
    with pytest.raises(TypeError) as caught:
        context_in(site, **options)
    assert str(caught.value) == message


def test_wrong_usage_is_an_error_of_its_own(site):
    with pytest.raises(bunraku.UsageError, match="unknown rule 'NOPE'"):
        bunraku.Environment(site).check(only=["NOPE"])
    with pytest.raises(bunraku.UsageError, match="is not in a git repository"):
        bunraku.Environment(site).affected()


def test_a_keyword_means_the_same_in_a_compile_and_in_a_job(tmp_path):
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    (tmp_path / "m" / "manifests" / "init.pp").write_text("class m { notify { $facts['a']: } }\n")
    (tmp_path / "facts.yaml").write_text("a: one\n")
    for modulepath in (str(tmp_path), tmp_path, [tmp_path], ["/nowhere", tmp_path]):
        catalog = bunraku.compile(
            "include m", modulepath=modulepath, facts=tmp_path / "facts.yaml", language=None
        )
        assert "Notify[one]" in catalog


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"settings": ["a"]}, "settings: expected a mapping, not ['a']"),
        ({"facts": 3}, "facts: expected a mapping or a path, not 3"),
        ({"node_classes": "web"}, "node_classes: expected a list of names or a mapping, not 'web'"),
        ({"cycles": 1}, "cycles: expected True or False, not 1"),
        (
            {"modulepath": "/a:/b"},
            "modulepath: expected a list of directories, not '/a:/b' (write ['/a', '/b'])",
        ),
        ({"timeout": 1}, "unknown option 'timeout'"),
    ],
)
def test_wrong_keywords_of_a_compile_are_errors(options, message):
    with pytest.raises(TypeError) as caught:
        bunraku.compile("", **options)
    assert str(caught.value) == message


def test_options_of_jobs_are_checked(site):
    host = bunraku.Host(site)
    for options, message in (
        ({"nop": True}, "unknown option 'nop' (did you mean 'noop'?)"),
        ({"show_diff": "no"}, "show_diff: expected True or False, not 'no'"),
    ):
        with pytest.raises(TypeError) as caught:
            host.plan("notify { 'a': }", **options)
        assert str(caught.value) == message
    with pytest.raises(TypeError, match="options: expected a CompareOptions, not 5"):
        bunraku.Environment(site).compare(options=5, facts_folder=str(site))
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run(["git", *who, *words], cwd=site, check=True, capture_output=True)
    with pytest.raises(bunraku.UsageError, match="match selects nodes"):
        bunraku.Environment(site).affected(node="web1", facts_folder=str(site))
    with pytest.raises(bunraku.UsageError, match="cannot find the directory /nonexistent"):
        bunraku.Host("/nonexistent")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: bunraku.compile(3), "code_or_path: expected code or a path, not 3"),
        (lambda _: bunraku.lookup("a", 3), "keys: expected a string, not 3"),
        (lambda _: bunraku.diff(3, {}), "old: expected a Catalog or its data, not 3"),
        (lambda _: bunraku.query(3, "x"), "text: expected a string, not 3"),
        (lambda site: site.compile(True), "node: expected a string, not True"),
        (lambda site: site.evaluate(None), "code: expected a string, not None"),
        (lambda site: site.check(only="A"), "only: expected a list of strings, not 'A'"),
        (lambda site: site.compare(3), "revisions: expected a string, not 3"),
    ],
)
def test_arguments_of_a_wrong_kind_are_errors(site, call, message):
    with pytest.raises(TypeError) as caught:
        call(bunraku.Environment(site))
    assert str(caught.value) == message
