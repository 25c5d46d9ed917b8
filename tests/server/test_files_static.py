"""Static catalogs, and files in the version of the code that a catalog was made from."""

from __future__ import annotations

import hashlib

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.server.failures import Refused
from bunraku.server.files.code import CommandFailed, check_commands, current_code_id
from bunraku.server.files.settings import silent
from bunraku.server.files.static_catalogs import static_metadata
from support.server import site
from support.server_files import HOST, asked, files_of, got

SUMS = "sha256.sha384.sha512.sha224.md5"


@pytest.fixture
def rig(tmp_path):
    environments = site(tmp_path)
    files = files_of(environments)
    return environments, files


def made(rig, *resources, environment="production", sums=SUMS):
    """The additions to a catalog of file resources."""
    catalog = {
        "name": "node",
        "resources": [
            {"type": "File", "title": f"/f{number}", "parameters": one}
            for number, one in enumerate(resources)
        ],
    }
    served = rig[1].environment(environment)
    found = static_metadata(rig[1], served, catalog, sums)
    assert catalog.keys() == {"name", "resources"}
    return {name: value for name, value in found.items() if name not in catalog}


def test_describes_a_source(rig):
    path = rig[0] / "production/modules/demo/files/one.txt"
    source = "puppet:///modules/demo/one.txt"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    found = made(rig, {"source": source + "/"})
    expected = {
        "path": str(path),
        "relative_path": None,
        "links": "manage",
        "mode": 0o644,
        "checksum": {"type": "sha256", "value": f"{{sha256}}{digest}"},
        "type": "file",
        "destination": None,
        "content_uri": "puppet:///modules/demo/files/one.txt",
        "source": source,
    }
    one = found["metadata"]["/f0"]
    assert {
        name: value for name, value in one.items() if name not in ("owner", "group")
    } == expected
    assert list(found) == ["metadata"]


def test_takes_the_first_source_that_exists(rig):
    names = ("absent", "tree/f1", "one.txt")
    found = made(rig, {"source": [f"puppet:///modules/demo/{name}" for name in names]})
    assert found["metadata"]["/f0"]["source"] == "puppet:///modules/demo/tree/f1"


@pytest.mark.parametrize("recurse", [True, "true", "remote"])
def test_describes_trees(rig, recurse):
    source = "puppet:///modules/demo/tree"
    found = made(rig, {"source": source, "recurse": recurse, "ignore": ["*.bak", "sub"]})
    listing = found["recursive_metadata"]["/f0"][source]
    assert [one["relative_path"] for one in listing] == [".", "f1", "f2", "f3", "link", "raw.bin"]
    uri = "puppet:///modules/demo/files/tree"
    assert [one["content_uri"] for one in listing][:2] == [uri, f"{uri}/f1"]
    assert all("source" not in one for one in listing)


def test_the_parameters_of_a_resource_count(rig):
    source = "puppet:///modules/demo/tree"
    tree = {"source": source, "recurse": True, "recurselimit": 1, "checksum": "md5"}
    found = made(rig, {**tree, "links": "follow", "source_permissions": "use"})
    listing = {one["relative_path"]: one for one in found["recursive_metadata"]["/f0"][source]}
    assert "sub/g" not in listing
    assert listing["link"]["type"] == "file"
    assert listing["f1"]["checksum"]["type"] == "md5"
    assert listing["."]["mode"] == 0o755
    with pytest.raises(Exception, match="exceeds the limit of 2 "):
        made(rig, {**tree, "max_files": 2})


def test_all_sources_or_the_first(rig):
    sources = [
        "puppet:///modules/demo/tree/sub",
        "puppet:///modules/demo/no",
        "puppet:///modules/demo/tree",
    ]
    tree = {"source": sources, "recurse": True}
    assert list(made(rig, tree)["recursive_metadata"]["/f0"]) == sources[:1]
    both = made(rig, {**tree, "sourceselect": "all"})["recursive_metadata"]["/f0"]
    assert list(both) == [sources[0], sources[2]]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"content": "x"},
        {"source": "puppet:///modules/demo/one.txt", "ensure": "absent"},
        {"source": "/etc/motd"},
        {"source": ["puppet:///modules/demo/one.txt", "http://example.com/x"]},
        {"source": "puppet://other.example.com/modules/demo/one.txt"},
        {"source": "puppet:///plugins/facter/demo_fact.rb"},
        {"source": "puppet:///modules/demo", "recurse": True},
        {"source": "puppet:///modules/demo/absent", "recurse": True},
    ],
)
def test_other_resources_stay_as_they_are(rig, parameters):
    assert made(rig, parameters) == {}


def test_files_of_other_mounts_are_left_to_the_agent(rig, tmp_path):
    (tmp_path / "srv").mkdir()
    (tmp_path / "srv/x").write_text("x")
    mounts = {"own": f"{tmp_path}/srv", "host": f"{tmp_path}/srv/%h"}
    rig = (rig[0], replace(rig[1], mounts=lambda: mounts))
    one = "puppet:///modules/demo/one.txt"
    for source in ("puppet:///own/x", "puppet:///host/x"):
        assert made(rig, {"source": [source, one]}) == {}
        assert made(rig, {"source": source, "recurse": True}) == {}
    found = made(rig, {"source": ["puppet:///own/absent", one, "puppet:///host/x"]})
    assert found["metadata"]["/f0"]["source"] == one


def test_files_outside_of_the_environment_are_left_to_the_agent(rig):
    source = "puppet:///modules/demo/one.txt"
    assert made(rig, {"source": source}, environment="testing") == {}
    tree = {"source": "puppet:///modules/demo/tree", "recurse": True}
    assert made(rig, tree, environment="testing") == {}
    assert made(rig, {"source": source}, environment="static")["metadata"]["/f0"]["path"] == str(
        rig[0] / "static/modules/demo/files/one.txt"
    )


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("puppet:///modules/demo/no", "puppet:///modules/demo/no"),
        (["puppet:///modules/demo/no"], '["puppet:///modules/demo/no"]'),
    ],
)
def test_a_source_that_does_not_exist_fails(rig, source, shown):
    with pytest.raises(Refused) as caught:
        made(rig, {"source": source})
    assert caught.value.message == f"Could not get metadata for {shown}"


@pytest.mark.parametrize("path", ["../manifests/init.pp", "tree/../../manifests/init.pp", ".."])
def test_a_source_cannot_leave_its_module(rig, path):
    for more in ({}, {"recurse": True}):
        with pytest.raises(Refused, match="Invalid relative path"):
            made(rig, {"source": f"puppet:///modules/demo/{path}", **more})


def test_the_first_common_checksum(rig):
    found = made(rig, {"source": "puppet:///modules/demo/one.txt"}, sums="blake.md5.sha256")
    assert found["metadata"]["/f0"]["checksum"]["type"] == "md5"
    with pytest.raises(Refused, match="Unable to find a common checksum type between agent 'x'"):
        made(rig, sums="x")


# -- commands --------------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path):
    def write(text):
        path = tmp_path / "command"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    return write


def test_the_code_id_is_what_the_command_prints(command):
    text = 'echo "v-1;$1:x_"'
    assert current_code_id(HOST, silent, command(text), "testing") == "v-1;testing:x_"
    assert current_code_id(HOST, silent, command("true"), "testing") == ""


def test_errors_of_a_command_that_succeeds_are_logged(command):
    lines = []
    found = command("echo v1; echo careful >&2")
    assert current_code_id(HOST, lambda *line: lines.append(line), found, "testing") == "v1"
    text = f"Error output generated while running '{found}'. stderr: 'careful\n'"
    assert lines == [("err", text)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "echo 'a b'",
            "Invalid code-id 'a b'. Must contain only alpha-numerics and '-', '_', ';', or ':'",
        ),
        ("printf 'a\\nb'", "Invalid code-id 'a\nb'. Must"),
        ("echo out; echo err >&2; exit 3", "exit-code: '3', stdout: 'out\n', stderr: 'err\n'"),
    ],
)
def test_a_code_id_command_that_fails(command, text, reason):
    with pytest.raises(CommandFailed) as caught:
        current_code_id(HOST, silent, command(text), "testing")
    assert reason in str(caught.value)


def test_a_command_that_does_not_exist(tmp_path):
    with pytest.raises(CommandFailed, match="No such file or directory"):
        current_code_id(HOST, silent, str(tmp_path / "none"), "testing")


def test_one_command_alone_is_an_error():
    check_commands(None, None)
    check_commands("/a", "/b")
    with pytest.raises(
        PuppetError, match="code-id-command requires the setting code-content-command"
    ):
        check_commands("/a", None)
    with pytest.raises(
        PuppetError, match="code-content-command requires the setting code-id-command"
    ):
        check_commands(None, "/b")


def content(files, path, query="environment=production&code_id=v1"):
    return got(files, asked(f"/puppet/v3/static_file_content/{path}?{query}", accept="*/*"))


def test_returns_the_bytes_of_a_version(tmp_path, command):
    files = files_of(tmp_path / "a/b", code_content=command('printf "\\377\\000%s|" "$@"'))
    found = content(files, "modules/demo/files/a%20b/%24c")
    assert (found[0], found[2]) == (
        200,
        b"\xff\0production|\xff\0v1|\xff\0modules/demo/files/a b/$c|",
    )


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("", "environment=production&code_id=v1", 400),
        ("modules/demo/files/x", "environment=production&code_id=", 400),
        ("modules/demo/files/x", "environment=../x&code_id=v1", 400),
        ("modules/demo/files/x", "environment=production&code_id=$(id)", 400),
        ("modules/demo/files/../x", "environment=production&code_id=v1", 400),
        ("modules/demo/manifests/x", "environment=production&code_id=v1", 403),
        ("modules/demo/files", "environment=production&code_id=v1", 403),
        ("files/x", "environment=production&code_id=v1", 403),
        ("a/modules/demo/files/x", "environment=production&code_id=v1", 403),
    ],
)
def test_refuses_other_paths(tmp_path, command, path, query, status):
    files = files_of(tmp_path / "a/b", code_content=command("echo reached"))
    found = content(files, path, query)
    assert found[0] == status
    assert b"reached" not in found[2]


def test_without_a_command_there_is_no_static_content(tmp_path):
    found = content(files_of(tmp_path / "a/b"), "modules/demo/files/x")
    assert found[0] == 500
    assert b"Cannot retrieve code content" in found[2]
