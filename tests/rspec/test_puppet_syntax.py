"""``require 'bunraku/puppet-syntax'``: the tasks of puppet-syntax with Puppet's parser and with bunraku's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GEM = Path(__file__).parents[2] / "integrations" / "rspec" / "lib"
BUNRAKU = Path(sys.executable).parent / "bunraku"
FILES = {
    "manifests/init.pp": "class things {\n  notify { 'a': }\n}\n",
    "plans/run.pp": "plan things::run() {\n  $x = 1\n}\n",
    "templates/a.epp": "<%- | $x | -%>\n<%= $x %>\n",
    "templates/a.erb": "<%= @x %>\n",
}
WRONG = {
    "manifests/bad.pp": "class things::bad {\n  $x =\n}\n",
    "manifests/escape.pp": 'notice("a")\n$x = "\\d"\n',
    "manifests/twice.pp": "$x = {a => 1,\n  a => 2}\n",
    "plans/bad.pp": "plan things::bad( {\n}\n",
    "templates/bad.epp": "one\n<% if $x { %>\n",
    "templates/bad.erb": "one\n<%= @x.foo( %>\n",
}
RAKEFILE = "require 'puppet-syntax/tasks/puppet-syntax'\nPuppetSyntax::RakeTask.new\n"
OURS = "require 'bunraku/puppet-syntax'\n"
PLACE = re.compile(r"\(file: (\S+?)(?:, line: (\d+))?(?:, column: \d+)?\)$", re.MULTILINE)


def missing_program():
    """Return which of the Ruby programs and libraries that the tasks need is missing."""
    if shutil.which("rake") is None:
        return "rake"
    found = subprocess.run(
        ["ruby", "-e", "require 'puppet-syntax'"], capture_output=True, check=False
    )
    return "the gem puppet-syntax" if found.returncode else None


MISSING = missing_program()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=f"{MISSING} is not installed")


def rake(folder, task, rakefile, bunraku=BUNRAKU):
    """Return the result of a task of a Rakefile in a folder."""
    (folder / "Rakefile").write_text(rakefile)
    names = {name: value for name, value in os.environ.items() if not name.startswith("BUNRAKU")}
    return subprocess.run(
        ["rake", "-I", str(GEM), task],
        cwd=folder,
        env={**names, "BUNRAKU": str(bunraku)},
        capture_output=True,
        text=True,
        check=False,
    )


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def places(text):
    """Return the files and lines of messages; Puppet's summary of a file has no line."""
    return {(Path(name).name, line) for name, line in PLACE.findall(text) if line}


@pytest.mark.parametrize("task", ["syntax:manifests", "syntax:templates"])
def test_correct_files_pass(tmp_path, task):
    done = rake(written(tmp_path, FILES), task, OURS + RAKEFILE)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_manifests_fail_at_the_lines_at_which_they_fail_with_puppet(tmp_path):
    written(tmp_path, {**FILES, **WRONG})
    found = rake(tmp_path, "syntax:manifests", OURS + RAKEFILE)
    wanted = rake(tmp_path, "syntax:manifests", RAKEFILE)
    assert found.returncode == wanted.returncode == 1, found.stderr
    assert places(found.stdout) == places(wanted.stdout)
    names = {name for name, _ in places(found.stdout)}
    assert names == {"bad.pp", "escape.pp", "twice.pp"}
    assert len(places(found.stdout)) == 4


def test_templates_fail_in_both(tmp_path):
    written(tmp_path, {**FILES, **WRONG})
    found = rake(tmp_path, "syntax:templates", OURS + RAKEFILE)
    wanted = rake(tmp_path, "syntax:templates", RAKEFILE)
    assert found.returncode == wanted.returncode == 1, found.stderr
    assert "Syntax error: unexpected end of input" in found.stderr
    assert "templates/bad.epp, line: 2, column: 14)" in found.stderr
    assert "templates/bad.erb:2: syntax error" in found.stderr
    assert "bad.epp" in wanted.stderr
    assert "templates/bad.erb:2: syntax error" in wanted.stderr
    assert "/a.e" not in found.stderr


def test_a_missing_program_is_named(tmp_path):
    done = rake(written(tmp_path, FILES), "syntax:manifests", OURS + RAKEFILE, "/missing/bunraku")
    assert done.returncode == 1
    assert "cannot start bunraku: /missing/bunraku" in done.stderr
