"""Patterns and properties of .editorconfig."""

from __future__ import annotations

import pytest

from bunraku.workbench.format.editorconfig import matches, properties_of

# From https://spec.editorconfig.org/ (glob expressions).
PATTERNS = [
    ("*.pp", "a/b/c.pp", True),
    ("a/*.pp", "a/c.pp", True),
    ("a/*.pp", "a/b/c.pp", False),
    ("a/**.pp", "a/b/c.pp", True),
    ("**/c.pp", "c.pp", True),
    ("/c.pp", "a/c.pp", False),
    ("?.pp", "c.pp", True),
    ("[abc].pp", "c.pp", True),
    ("[!abc].pp", "c.pp", False),
    ("{c,d}.pp", "c.pp", True),
    ("{c.pp,Rakefile}", "Rakefile", True),
    ("f{1..3}.pp", "f2.pp", True),
    ("f{1..3}.pp", "f4.pp", False),
    ("{c.pp", "{c.pp", True),
    (r"\*.pp", "c.pp", False),
    ("*.(pp", "c.(pp", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), PATTERNS)
def test_patterns(pattern, path, expected):
    assert matches(path, pattern) is expected


def test_nearer_files_and_later_sections_win_up_to_the_root():
    files = {
        "/.editorconfig": "[*]\nindent_style = tab\n",
        "/c/.editorconfig": "root = True\n; a comment\n[*]\nindent_size = 4\n[*.pp]\nTab_Width=3\n",
        "/c/m/.editorconfig": "[*.pp]\nindent_size = 8\n",
    }
    assert properties_of("/c/m/a.pp", files.get) == {"indent_size": "8", "tab_width": "3"}
    assert properties_of("/d/a.pp", files.get) == {"indent_style": "tab"}
