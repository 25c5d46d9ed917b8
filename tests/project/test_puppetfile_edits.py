"""Edits of a Puppetfile keep what they are not about: options, other calls, and the ends of lines."""

import pytest

from bunraku.project.puppetfile_edits import added, removed, with_version


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mod 'a/b'", "mod 'a/b', '2'"),
        ("mod('a/b')", "mod('a/b', '2')"),
        ("mod 'a/b', :latest", "mod 'a/b', '2'"),
        ("mod 'a/b', version: '1', type: 'forge'", "mod 'a/b', version: '2', type: 'forge'"),
        (
            "mod 'a/b', {:version => '1', :install_path => 'c'}",
            "mod 'a/b', {:version => '2', :install_path => 'c'}",
        ),
        ("mod 'a/b', {'version' => '1'}", "mod 'a/b', {'version' => '2'}"),
        ("mod 'a/b', type: 'forge'", "mod 'a/b', :version => '2', type: 'forge'"),
    ],
)
def test_another_version_keeps_the_options(before, after):
    assert with_version(f"{before} # c\n", "b", "'2'") == f"{after} # c\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mod 'a/b'; mod 'c/d'\n", "mod 'c/d'\n"),
        ("mod 'c/d'; mod 'a/b' # e\n", "mod 'c/d' # e\n"),
        ("mod 'c/d'; mod 'a/b'; mod 'e/f'\n", "mod 'c/d'; mod 'e/f'\n"),
        ("mod 'c/d'\n\nmod 'a/b',\n  '1'\n\nmod 'e/f'\n", "mod 'c/d'\n\nmod 'e/f'\n"),
    ],
)
def test_other_modules_on_the_line_stay(before, after):
    assert removed(before, "b") == after


def test_new_lines_end_as_the_others():
    assert added("mod 'a/b'\r\n", "mod 'c',\n  d") == "mod 'a/b'\r\nmod 'c',\r\n  d\r\n"
    assert added("mod 'a/b'\r\nmod 'c/d'", "mod 'e'") == "mod 'a/b'\r\nmod 'c/d'\r\nmod 'e'\r\n"
