"""The jobs from Python: keywords of options, their kinds, and the configuration below them."""

from __future__ import annotations

import pytest

import bunraku
from bunraku.api.options import JobOptions
from bunraku.base.records import rules_of
from bunraku.jobs.project_context import context_in
from bunraku.project.options import CompileOptions

OF_DIRECTORY = {"directory", "configured"}


def test_type_checkers_see_the_options_of_the_record():
    assert JobOptions.__optional_keys__ == rules_of(CompileOptions).keys() - OF_DIRECTORY


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
    with pytest.raises(bunraku.UsageError, match="facts-folder"):
        bunraku.Environment(site).affected()
