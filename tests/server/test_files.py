"""Mounts, descriptions and contents of files. Sentences of errors are those of Puppet 7.23."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time

import pytest

from bunraku.server.files import metadata as descriptions
from support.server_files import asked, files_of, got, metadata

V3 = "/puppet/v3"
E = "environment=production"


@pytest.fixture
def rig(tmp_path):
    """An environment with the modules a and b, and a file server of it."""
    modules = tmp_path / "code/environments/production/modules"
    for path, text in {
        "a/files/one": "one\n",
        "a/files/tree/x": "x",
        "a/files/tree/x.bak": "backup",
        "a/files/tree/.hidden": "h",
        "a/files/tree/sub/deep/y": "y",
        "a/lib/puppet/a.rb": "a",
        "a/lib/both.rb": "of a",
        "b/lib/both.rb": "of b",
        "b/lib/puppet/b.rb": "b",
        "b/facts.d/fact.txt": "f=1",
        "b/scripts/run.sh": "#!/bin/sh\n",
        "b/tasks/init.sh": "#!/bin/sh\n",
        "b/locales/de/b.po": "",
    }.items():
        (modules / path).parent.mkdir(parents=True, exist_ok=True)
        (modules / path).write_text(text)
    (tmp_path / "outside").write_text("secret of the server")
    return modules, files_of(tmp_path / "code/environments")


def failing(files, target, **options):
    """Return status and message of a failure."""
    options.setdefault("accept", "application/json")
    status, _, body = got(files, asked(target, **options))
    return status, json.loads(body)["message"]


def names(found):
    return [one["relative_path"] for one in found]


# -- mounts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("modules/a/one", "one\n"),
        ("modules//a///one", "one\n"),
        ("plugins/puppet/b.rb", "b"),
        ("plugins/both.rb", "of a"),
        ("pluginfacts/fact.txt", "f=1"),
        ("scripts/b/run.sh", "#!/bin/sh\n"),
        ("tasks/b/init.sh", "#!/bin/sh\n"),
        ("locales/de/b.po", ""),
    ],
)
def test_serves_the_mounts(rig, path, text):
    status, headers, body = got(rig[1], asked(f"{V3}/file_content/{path}?{E}", accept="*/*"))
    assert (status, body.decode()) == (200, text)
    assert headers["content-length"] == str(len(body))


@pytest.mark.parametrize(
    ("target", "status", "message"),
    [
        ("file_metadata/modules", 500, "Server Error: No module specified"),
        ("file_metadatas/modules", 500, "Server Error: No module specified"),
        ("file_metadata/tasks", 500, "Server Error: No task specified"),
        ("file_metadata/a%20b/x", 500, "Server Error: Cannot find file: Invalid mount 'a b'"),
        (
            "file_metadata/modules/a/one/",
            404,
            "Not Found: Could not find file_metadata modules/a/one/",
        ),
        (
            "file_metadata/modules/A/one",
            404,
            "Not Found: Could not find file_metadata modules/A/one",
        ),
        ("file_metadata/plugins/no", 404, "Not Found: Could not find file_metadata plugins/no"),
        (
            "file_metadata/",
            400,
            "Bad Request: No request key specified in /puppet/v3/file_metadata/",
        ),
        (
            "file_metadatas/no-mount/x",
            500,
            (
                "Server Error: Not authorized to call search on /file_metadata/no-mount/x with "
                '{:rest=>"no-mount/x"}'
            ),
        ),
    ],
)
def test_refuses_other_names(rig, target, status, message):
    assert failing(rig[1], f"{V3}/{target}?{E}") == (status, message)


def test_merges_the_plugins_of_all_modules(rig):
    modules, files = rig
    found = metadata(files, f"{V3}/file_metadatas/plugins?recurse=true&links=follow&{E}")
    assert names(found) == [".", "both.rb", "puppet", "puppet/a.rb", "puppet/b.rb"]
    assert found[0]["path"] == str(modules / "a/lib")
    assert found[4]["path"] == str(modules / "b/lib")


def test_lists_an_empty_root_without_plugins(tmp_path):
    modules = tmp_path / "code/environments/production/modules"
    (modules / "c").mkdir(parents=True)
    files = files_of(tmp_path / "code/environments")
    found = metadata(files, f"{V3}/file_metadatas/plugins?recurse=true&{E}")
    assert [(one["path"], one["relative_path"]) for one in found] == [(str(modules), ".")]


def test_lists_an_empty_root_without_directories_for_modules_and_code(tmp_path):
    environment = tmp_path / "environments/production"
    (environment / "manifests").mkdir(parents=True)
    files = files_of(tmp_path / "environments", code_directory=str(tmp_path / "none"))
    found = metadata(files, f"{V3}/file_metadatas/plugins?recurse=true&{E}")
    assert [(one["path"], one["relative_path"]) for one in found] == [(str(environment), ".")]


# -- descriptions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"])
def test_describes_by_each_kind_of_checksum(rig, kind):
    found = metadata(rig[1], f"{V3}/file_metadata/modules/a/one?checksum_type={kind}&{E}")
    digest = hashlib.new(kind, b"one\n").hexdigest()
    assert found["checksum"] == {"type": kind, "value": f"{{{kind}}}{digest}"}


@pytest.mark.parametrize(("kind", "name"), [("md5lite", "md5"), ("sha256lite", "sha256")])
def test_the_lite_kinds_read_the_start(rig, kind, name):
    modules, files = rig
    (modules / "a/files/long").write_bytes(b"x" * 5000)
    found = metadata(files, f"{V3}/file_metadata/modules/a/long?checksum_type={kind}&{E}")
    assert found["checksum"]["value"] == f"{{{kind}}}{hashlib.new(name, b'x' * 512).hexdigest()}"


@pytest.mark.parametrize("kind", ["mtime", "ctime"])
def test_times_have_whole_seconds(rig, kind):
    modules, files = rig
    path = modules / "a/files/one"
    os.utime(path, ns=(0, 1_700_000_000_999_000_000))
    found = metadata(files, f"{V3}/file_metadata/modules/a/one?checksum_type={kind}&{E}")
    seconds = int(getattr(path.stat(), f"st_{kind}"))
    text = time.strftime("%Y-%m-%d %H:%M:%S +0000", time.gmtime(seconds))
    assert found["checksum"]["value"] == f"{{{kind}}}{text}"


def test_describes_links(rig):
    modules, files = rig
    tree = modules / "a/files/tree"
    (tree / "link").symlink_to("x")
    (tree / "dangling").symlink_to("nothing")
    (tree / "up").symlink_to("../tree/sub")
    found = metadata(files, f"{V3}/file_metadatas/modules/a/tree?recurse=true&links=manage&{E}")
    by_name = {one["relative_path"]: one for one in found}
    digest = hashlib.sha256(b"x").hexdigest()
    assert by_name["link"]["type"] == "link"
    assert by_name["link"]["destination"] == "x"
    assert by_name["link"]["checksum"]["value"] == f"{{sha256}}{digest}"
    assert by_name["dangling"]["checksum"]["value"] is None
    assert by_name["up"]["checksum"]["value"] is None
    assert "up/deep" not in by_name
    (tree / "dangling").unlink()
    found = metadata(files, f"{V3}/file_metadatas/modules/a/tree?recurse=true&links=follow&{E}")
    assert {"up/deep", "up/deep/y"} <= set(names(found))
    assert {one["type"] for one in found} == {"file", "directory"}


def test_a_followed_link_to_nothing_fails_as_in_puppet(rig):
    modules, files = rig
    (modules / "a/files/tree/dangling").symlink_to("nothing")
    target = f"{V3}/file_metadatas/modules/a/tree?recurse=true&links=follow&{E}"
    path = modules / "a/files/tree/dangling"
    assert failing(files, target) == (500, f"Server Error: No such file or directory - {path}")


def test_a_circle_of_links_ends(rig):
    modules, files = rig
    for name in ("l1", "l2"):
        (modules / f"a/files/tree/{name}").symlink_to(".")
    target = f"{V3}/file_metadatas/modules/a/tree?recurse=true&links=follow&{E}"
    status, message = failing(files, target)
    assert status == 500
    assert message.startswith("Server Error: Too many levels of symbolic links - ")


def test_describes_special_files(rig):
    modules, files = rig
    os.mkfifo(modules / "a/files/fifo")
    os.mknod(modules / "a/files/sock", stat.S_IFSOCK | 0o600)
    for name, kind in (("fifo", "fifo"), ("sock", "socket")):
        found = metadata(files, f"{V3}/file_metadata/modules/a/{name}?{E}")
        assert (found["type"], found["checksum"]["value"]) == (kind, "{none}")
    (modules / "a/files/null").symlink_to("/dev/null")
    target = f"{V3}/file_metadata/modules/a/null?links=follow&{E}"
    message = "Server Error: Cannot manage files of type characterSpecial"
    assert failing(files, target) == (500, message)


def test_the_owner_and_mode_of_the_source_on_request(rig):
    modules, files = rig
    (modules / "a/files/one").chmod(0o4711)
    target = f"{V3}/file_metadata/modules/a/one?{E}&source_permissions="
    found = {value: metadata(files, target + value) for value in ("use", "use_when_creating")}
    assert {one["mode"] for one in found.values()} == {0o4711}
    ignored = metadata(files, target + "ignore")
    assert (ignored["mode"], ignored["owner"]) == (0o644, os.geteuid())


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("file_metadata/modules/a/one?links=bad", ":links can only be set to :manage or :follow"),
        ("file_metadatas/modules/a/one?links=ignore", "Invalid :links value 'ignore'"),
        ("file_metadata/modules/a/one?checksum_type=etag", "Unsupported checksum type etag"),
        ("file_metadata/modules/a/one?source_permissions=x", "Unsupported source_permission x"),
        (
            "file_metadatas/modules/a/tree?recurse=1",
            "Fileset recurse parameter must not be a number anymore, please use recurselimit",
        ),
        (
            "file_metadatas/modules/a/tree?recurse=true&recurselimit=x",
            "comparison of Integer with String failed",
        ),
        (
            "file_metadatas/modules/a/tree?recurse=true&recurselimit=true",
            "comparison of Integer with true failed",
        ),
        ("file_metadatas/modules/a/tree?max_files=x", "comparison of String with 0 failed"),
    ],
)
def test_refuses_unknown_values(rig, target, message):
    assert failing(rig[1], f"{V3}/{target}&{E}") == (500, f"Server Error: {message}")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("recurse=false", ["."]),
        ("", ["."]),
        ("recurse=remote&recurselimit=1", [".", ".hidden", "sub", "x", "x.bak"]),
        ("recurse=true&recurselimit=0", ["."]),
        ("recurse=true&recurselimit=" + "9" * 5000, None),
        ("recurse=true&ignore=*.bak&ignore=sub", [".", ".hidden", "x"]),
        ("recurse=true&ignore=.*&ignore=[z-a]&ignore=x*", [".", "sub", "sub/deep", "sub/deep/y"]),
    ],
)
def test_lists_as_far_as_requested(rig, query, expected):
    found = names(metadata(rig[1], f"{V3}/file_metadatas/modules/a/tree?{query}&{E}"))
    assert found == (expected or [".", ".hidden", "sub", "x", "x.bak", "sub/deep", "sub/deep/y"])


def test_a_glob_of_many_stars_takes_no_time(rig):
    modules, files = rig
    (modules / ("a/files/tree/" + "a" * 250)).write_text("")
    stars = "*a" * 60 + "b"
    metadata(files, f"{V3}/file_metadatas/modules/a/tree?recurse=true&ignore={stars}&{E}")


def test_a_changed_file_gets_another_checksum(rig):
    modules, files = rig
    path, target = modules / "a/files/one", f"{V3}/file_metadata/modules/a/one?{E}"
    old = time.time() - 1000
    os.utime(path, (old, old))
    before = metadata(files, target)["checksum"]["value"]
    for text in ("two\n", "six\n"):  # of the same size, perhaps within one tick of the clock
        path.write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        assert metadata(files, target)["checksum"]["value"] == f"{{sha256}}{digest}" != before


def test_checksums_are_kept_for_files_that_do_not_change(rig, monkeypatch):
    modules, files = rig
    path, target = modules / "a/files/one", f"{V3}/file_metadata/modules/a/one?{E}"
    deadline = time.monotonic() + 30
    while files.host.signature(str(path)) is None and time.monotonic() < deadline:
        time.sleep(0.02)
    metadata(files, target)
    kept = descriptions.CHECKSUMS["sha256", str(path)]
    metadata(files, target)
    assert descriptions.CHECKSUMS["sha256", str(path)] is kept


# -- formats ---------------------------------------------------------------------------------------


def test_a_name_that_is_not_utf8_is_listed_in_pson_only(rig):
    modules, files = rig
    (modules / "a/files").joinpath(os.fsdecode(b"caf\xe9")).write_text("x")
    target = f"{V3}/file_metadatas/modules/a?recurse=true&{E}"
    status, headers, body = got(files, asked(target, accept="application/json, text/pson"))
    assert (status, headers["content-type"]) == (200, "text/pson")
    assert b"caf\xe9" in body
    assert got(files, asked(target, accept="application/json"))[0] == 406
    found = got(files, asked(f"{V3}/file_content/modules/a/caf%E9?{E}", accept="*/*"))
    assert (found[0], found[2]) == (200, b"x")


def test_an_absent_header_and_an_absent_file(rig):
    files = rig[1]
    assert got(files, asked(f"{V3}/file_metadata/modules/a/one?{E}"))[0] == 400
    assert got(files, asked(f"{V3}/file_content/modules/a/one?{E}"))[0] == 400
    assert got(files, asked(f"{V3}/file_content/modules/a/no?{E}"))[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("route", ["file_metadata", "file_metadatas", "file_content"])
def test_other_methods_have_no_route(rig, method, route):
    status, headers, _ = got(rig[1], asked(f"{V3}/{route}/modules/a/one?{E}", method))
    assert (status, headers["content-type"]) == (404, "application/json")


# -- contents --------------------------------------------------------------------------------------

CONTENT = f"{V3}/file_content/modules/a/digits?{E}"


@pytest.mark.parametrize(
    ("header", "status", "body", "range_"),
    [
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=8-", 206, b"89", "bytes 8-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=-99", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=" + "9" * 18 + "-", 416, b"", "bytes */10"),
        ("bytes=" + "9" * 19 + "-", 200, b"0123456789", None),
        ("bytes=5-2", 200, b"0123456789", None),
        ("bytes=0-1,3-4", 200, b"0123456789", None),
        ("bytes=-", 200, b"0123456789", None),
        ("lines=1-2", 200, b"0123456789", None),
        ("", 200, b"0123456789", None),
    ],
)
def test_ranges(rig, header, status, body, range_):
    modules, files = rig
    (modules / "a/files/digits").write_bytes(b"0123456789")
    found = got(files, asked(CONTENT, accept="*/*", range=header))
    assert (found[0], found[2], found[1].get("content-range")) == (status, body, range_)
    assert found[1]["content-length"] == str(len(body))


def test_a_range_of_a_certain_version_is_the_whole(rig):
    modules, files = rig
    (modules / "a/files/digits").write_bytes(b"0123456789")
    request = asked(CONTENT, accept="*/*", range="bytes=0-1", if_range='"x"')
    assert got(files, request)[0] == 200


def test_a_file_of_five_gigabytes_is_read_in_pieces(rig):
    modules, files = rig
    size = 5 << 30
    with open(modules / "a/files/digits", "wb") as file:
        file.truncate(size)
    from bunraku.server.files.interface import answer_files

    response = answer_files(files, asked(CONTENT, accept="*/*"))
    assert response.headers["content-length"] == str(size)
    pieces = iter(response.body)
    assert max(len(next(pieces)) for _ in range(20)) <= 1 << 20
    response.body.close()
    found = got(files, asked(CONTENT, accept="*/*", range=f"bytes={size - 2}-"))
    assert (found[0], found[2]) == (206, b"\0\0")


def test_a_file_that_is_not_sent_is_closed(rig):
    modules, files = rig
    (modules / "a/files/digits").write_bytes(b"x" * (1 << 21))
    from bunraku.server.files.interface import answer_files

    response = answer_files(files, asked(CONTENT, accept="*/*"))
    response.body.close()
    assert response.body.file.closed


def test_special_files_have_no_content(rig):
    modules, files = rig
    os.mkfifo(modules / "a/files/fifo")
    (modules / "a/files/null").symlink_to("/dev/zero")
    for name, kind in (("fifo", "fifo"), ("null", "characterSpecial")):
        found = failing(files, f"{V3}/file_content/modules/a/{name}?{E}", accept="*/*")
        assert found == (500, f"Server Error: Cannot manage files of type {kind}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_a_failure(rig):
    modules, files = rig
    (modules / "a/files/one").chmod(0)
    status, message = failing(files, f"{V3}/file_content/modules/a/one?{E}", accept="*/*")
    assert (status, message) == (
        500,
        f"Server Error: Permission denied - {modules / 'a/files/one'}",
    )


def test_links_are_followed_as_in_puppet(rig):
    modules, files = rig
    (modules / "a/files/out").symlink_to(modules.parents[3] / "outside")
    found = got(files, asked(f"{V3}/file_content/modules/a/out?{E}", accept="*/*"))
    assert found[2] == b"secret of the server"
