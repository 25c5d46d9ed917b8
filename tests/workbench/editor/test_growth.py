"""What one keystroke and one request cost does not grow with the workspace: the calls of functions are counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from bunraku.workbench.editor.completion.complete import completions
from bunraku.workbench.editor.definition import definitions_at
from bunraku.workbench.editor.hover import hover
from bunraku.workbench.editor.references import references
from support.editor import Workspace

FEW, MANY = 4, 90
"""Modules of two workspaces; each has the files below, with a name of its own."""
MODULE = {
    "metadata.json": '{{"name": "me-{name}", "version": "1.0.0"}}',
    "manifests/init.pp": "# The class.\nclass {name}(Integer $port = 1) inherits {name}::params {{\n  include {name}::server\n  $own = $port\n  $text = template('{name}/a.erb')\n  file {{ '/x': content => \"${{own}} ${{{name}::params::user}} ${{user}}\" }}\n}}\n",
    "manifests/params.pp": "class {name}::params {{\n  $user = 'x'\n}}\n",
    "manifests/server.pp": "class {name}::server {{\n  notice($::{name}::own)\n}}\n",
    "templates/a.erb": "<%= @own %> <%= @port %>\n",
    "data/common.yaml": "{name}::port: 3\n",
}
ASKED = "modules/m0/manifests/init.pp"
WORDS = ["m0::server", "port = 1", "own =", "m0/a.erb", "params::user", 'user}"']


def workspace(root: Path, count: int) -> Workspace:
    """Return a control repository with some modules, of which the first has an open document."""
    files = {"environment.conf": "modulepath = modules\n"}
    for number in range(count):
        name = f"m{number}"
        for path, text in MODULE.items():
            files[f"modules/{name}/{path}"] = text.format(name=name)
    made = Workspace(root, files, mark="\0")
    made.host.change(str(root / ASKED), files[ASKED])
    assert made.host.snapshot().index
    return made


def calls(action: Callable[[], object]) -> int:
    """Return how many functions an action calls."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count


def ask_all(made: Workspace) -> None:
    """Ask for what an editor shows of some names."""
    path = str(made.root / ASKED)
    text = made.host.documents[path].text
    for word in WORDS:
        offset = text.index(word) + 1
        snapshot = made.snapshot
        hover(snapshot, path, offset)
        definitions_at(snapshot, path, offset)
        list(references(snapshot, path, offset))


def type_a_letter(made: Workspace) -> None:
    """Change the open document, and ask what its class is: that needs the index as it is now."""
    path = str(made.root / ASKED)
    text = made.host.documents[path].text
    text = text.replace("The class", "The class x")
    made.host.change(path, text)
    assert hover(made.snapshot, path, text.index("m0(") + 1) is not None


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> list[Workspace]:
    """Return a small and a large workspace."""
    made = [workspace(tmp_path_factory.mktemp("growth"), count) for count in (FEW, MANY)]
    for one in made:  # what is read for the first names of a workspace, and imported
        ask_all(one)
        type_a_letter(one)
    return made


@pytest.mark.parametrize("action", [ask_all, type_a_letter])
def test_the_work_does_not_grow(both, action):
    few, many = (calls(lambda one=one: action(one)) for one in both)
    assert few > 0
    assert many == few


def test_names_of_all_modules_are_offered(both):
    """The answer grows where it must: a list of classes has those of all modules."""
    path = str(both[1].root / ASKED)
    text = both[1].host.documents[path].text
    found = completions(both[1].snapshot, path, text.index("m0::server") + 1)
    assert found is not None
    assert len({one.label.partition("::")[0] for one in found.items}) == MANY
