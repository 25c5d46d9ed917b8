"""What a deployment removes is what r10k removes, except for the parents of allowed files."""

import pytest

from bunraku.deployment.purging import matches_glob, unmanaged_content, unmanaged_modules

TRACKED = ["manifests/site.pp", "site/role/manifests/web.pp", "conf.d/a"]


def removed(*present, **options):
    return unmanaged_content([*TRACKED, *present], TRACKED, **options)


def test_untracked_files_are_removed():
    present = (
        "stray.txt",
        "site/role/manifests/stray.pp",
        "strays/a/b",
        ".r10k-deploy.json",
        ".git/x",
    )
    assert removed(*present) == ["site/role/manifests/stray.pp", "stray.txt", "strays"]


def test_allowed_files_stay_with_their_parents():
    present = ("keep.json", "deep/er/a.xpp", "deep/b", "cache/x/y")
    allowlist = ["keep.json", "**/*.xpp", "cache"]
    assert removed(*present, allowlist=allowlist) == ["deep/b"]


def test_modules_and_their_directories_belong_to_another_level():
    present = ("modules/alpha/x", "modules/stray/x", "ext/in/beta/y", "ext/other", "other")
    directories = ["modules", "ext/in"]
    modules = ["modules/alpha", "ext/in/beta"]
    assert removed(*present, modules=modules, module_directories=directories) == ["other"]


def test_directories_with_a_dot_are_not_searched():
    assert removed("conf.d/stray") == []


def test_tracked_content_between_modules_stays():
    present = {"/e/modules": ["alpha", "own", "stray", ".hidden"], "/e": ["x"]}
    found = unmanaged_modules(present, ["/e/modules/alpha"], root="/e", tracked=["/e/modules/own"])
    assert found == ["/e/modules/.hidden", "/e/modules/stray"]


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.json", "a.json", True),
        ("*.json", "x/a.json", False),
        ("*.json", ".a.json", True),
        ("**/*.json", "x/y/.a.json", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**", "a/x", True),
        ("a/**", "a/x/y", False),
        ("**", "a", True),
        ("/a?[bc]", "axb", True),
        ("/a?[bc]", "axd", False),
    ],
)
def test_globs_of_allow_lists(glob, path, matches):
    assert matches_glob(glob, path) is matches
