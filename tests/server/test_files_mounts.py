"""The mounts of fileserver.conf."""

from __future__ import annotations

import os

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.server.files.mount_table import MountTable, read_mounts
from support.server_files import asked, files_of, got

E = "environment=production"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "code/environments/production").mkdir(parents=True)
    for name in ("web.example.com", "web", "example.com"):
        (tmp_path / "srv" / name).mkdir(parents=True)
        (tmp_path / "srv" / name / "x").write_text(f"of {name}")
    (tmp_path / "srv/x").write_text("of all")
    (tmp_path / "secret").write_text("secret")
    mounts = {
        "all": f"{tmp_path}/srv",
        "host": f"{tmp_path}/srv/%h",
        "name": f"{tmp_path}/srv/%H",
        "domain": f"{tmp_path}/srv/%d",
    }
    return replace(files_of(tmp_path / "code/environments"), mounts=lambda: mounts)


def content(files, path, client="web.example.com"):
    target = f"/puppet/v3/file_content/{path}?{E}"
    found = got(files, asked(target, client=client, accept="*/*"))
    return found[0], found[2]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("all/x", b"of all"),
        ("host/x", b"of web"),
        ("name/x", b"of web.example.com"),
        ("domain/x", b"of example.com"),
    ],
)
def test_the_path_of_a_mount_can_depend_on_the_client(files, path, text):
    assert content(files, path) == (200, text)


@pytest.mark.parametrize("client", [None, "..", ".", "../..", "a/../..", "a\0b", "a\nb"])
def test_a_name_that_leads_elsewhere_is_refused(files, client):
    for mount in ("host", "name", "domain"):
        assert content(files, f"{mount}/x", client)[0] == 403
        assert content(files, f"{mount}/secret", client)[0] == 403


def test_lists_a_mount(files):
    target = f"/puppet/v3/file_metadatas/all?recurse=true&recurselimit=1&{E}"
    found = got(files, asked(target, accept="application/json"))
    assert found[0] == 200
    assert found[2].count(b'"relative_path"') == 5


def test_a_dangling_link_in_a_mount_is_described(files, tmp_path):
    (tmp_path / "srv/dangling").symlink_to("nothing")
    target = f"/puppet/v3/file_metadata/all/dangling?{E}"
    assert b'"destination":"nothing"' in got(files, asked(target, accept="*/*"))[2]


def test_reads_the_file():
    text = "# comment\n\n[extra]\n  path /srv/extra  # here\n  allow *\n[b-2]\npath /b\n[modules]\n"
    found = read_mounts(text)
    assert found.mounts == {"extra": "/srv/extra", "b-2": "/b"}
    assert found.warnings == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("path /a\n", 1, "an entry before the first mount, [NAME]"),
        ("[a]\npth /a\n", 2, "unknown entry 'pth' (did you mean 'path'?)"),
        ("[a]\npath = /a\n", 2, "'=' does not separate name and value"),
        ("[a]\npath\n", 2, "malformed entry 'path'"),
        ("[a]\npath a\n", 2, "the path 'a' is not absolute"),
        ("[a]\npath /a\n[a]\npath /b\n", 3, "the mount 'a' is there twice"),
        ("[a]\n[b]\npath /b\n", 1, "the mount 'a' has no path"),
    ],
)
def test_errors_have_their_line(text, line, message):
    with pytest.raises(PuppetError) as caught:
        read_mounts(text, "/etc/fileserver.conf")
    found = caught.value.diagnostic
    assert (found.file, found.line) == ("/etc/fileserver.conf", line)
    assert found.message == f"Invalid configuration of mounts: {message}"


def test_old_rules_of_access_are_reported():
    text = "[a]\npath /a\nallow *.example.com\ndeny x\n[plugins]\npath /b\n"
    assert read_mounts(text, "f").warnings == [
        "f:3: 'allow' has no effect; use auth.conf",
        "f:4: 'deny' has no effect; use auth.conf",
        "f:6: the mount 'plugins' cannot have a path",
    ]


def test_a_changed_file_is_read_again(tmp_path):
    path, logged = tmp_path / "fileserver.conf", []
    table = MountTable(str(path), lambda level, text: logged.append((level, text)))
    assert table() == {}
    path.write_text(f"[a]\npath {tmp_path}\n")
    assert table() == {"a": str(tmp_path)}
    path.write_text("[a]\nbroken\n")
    os.utime(path, (1, 1))
    assert table() == {"a": str(tmp_path)}
    assert logged == [
        (
            "err",
            (
                f"{path}:2: Invalid configuration of mounts: malformed entry 'broken'; "
                "the mounts stay as they were"
            ),
        )
    ]
    path.write_text("[b]\npath /no/such/directory\n")
    assert table() == {"b": "/no/such/directory"}
    assert logged[1] == ("warning", "the mount 'b' has no directory /no/such/directory")


def test_a_file_that_is_invalid_at_the_start_is_an_error(tmp_path):
    path = tmp_path / "fileserver.conf"
    path.write_text("[a]\nbroken\n")
    with pytest.raises(PuppetError):
        MountTable(str(path), lambda *_: None)
