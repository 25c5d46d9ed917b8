"""What the server checks in the background: the project of a folder, or the modules in it, but not any folder."""

from __future__ import annotations

from io import BytesIO

import pytest

from bunraku.jobs.editor import Projects
from bunraku.lsp.background import Background
from bunraku.lsp.connection import JsonRpcStream
from bunraku.lsp.features.project_check import checked_directories
from bunraku.lsp.inbox import Inbox
from bunraku.lsp.session import ClientSession
from bunraku.workbench.editor.host import EditorHost


@pytest.mark.parametrize(
    ("files", "checked"),
    [
        (["environment.conf", "modules/a/manifests/init.pp"], []),
        (["metadata.json", "manifests/init.pp"], []),
        (["modules/a/manifests/init.pp", "notes/b.pp"], ["modules"]),
        (["site/a/manifests/init.pp", "modules/b/lib/facter/b.rb"], ["site", "modules"]),
        (["modules/README.md", "a.pp"], None),
        (["a.pp", "puppet/modules/a/manifests/init.pp"], None),
        ([], None),
    ],
)
def test_what_is_checked(tmp_path, files, checked):
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"name": "me-a"}' if name == "metadata.json" else "class a {}\n")
    background = Background()
    session = ClientSession(
        JsonRpcStream(BytesIO(), BytesIO()),
        EditorHost(Projects([].append)),
        background,
        Inbox(background.interrupt),
    )
    found = checked_directories(session, str(tmp_path))
    assert found == (checked and [f"{tmp_path}/{name}" for name in checked])
