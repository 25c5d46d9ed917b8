"""The filebucket on the wire, in the layout of Puppet."""

from __future__ import annotations

import hashlib
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bunraku.base.records import replace
from bunraku.providers.filebucket.bucket import Bucket
from bunraku.web.http import BodyTooLarge, ClientGone
from bunraku.world.linux import LinuxHost
from support.server_files import HOST, asked, files_of, got

BINARY = "application/octet-stream"
E = "environment=production"
TEXT = b"kept\n"
DIGEST = hashlib.sha256(TEXT).hexdigest()
BUCKET = "/puppet/v3/file_bucket_file/sha256"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "code/environments/production").mkdir(parents=True)
    return files_of(tmp_path / "code/environments")


def put(files, name=DIGEST, body=TEXT, **headers):
    headers = {"content_type": BINARY, "accept": BINARY, **headers}
    return got(files, asked(f"{BUCKET}/{name}?{E}", "PUT", body=body, **headers))


def get(files, name=DIGEST, query="", method="GET"):
    return got(files, asked(f"{BUCKET}/{name}?{E}{query}", method, accept=BINARY))


def message(found):
    return found[0], json.loads(found[2])["message"]


def stored(files, digest=DIGEST) -> Path:
    return Path(files.bucket, *digest[:8], digest)


def test_stores_as_puppet_does(files):
    assert put(files, f"{DIGEST}//etc/motd") == (200, {"content-type": BINARY}, b"")
    assert put(files, f"{DIGEST}//etc/issue")[0] == 200
    assert put(files, f"{DIGEST}//etc/motd")[0] == 200
    folder = stored(files)
    assert (folder / "contents").read_bytes() == TEXT
    assert (folder / "paths").read_text() == "etc/motd\netc/issue\n"
    assert stat.S_IMODE((folder / "contents").stat().st_mode) == 0o440
    assert stat.S_IMODE((folder / "paths").stat().st_mode) == 0o640
    left = [one.name for one in Path(files.bucket).iterdir() if len(one.name) > 1]
    assert left == [".lock"]


def test_returns_what_it_has(files):
    assert get(files)[0] == 404
    assert get(files, method="HEAD")[0] == 404
    put(files, f"{DIGEST}//etc/motd")
    for name in (DIGEST, f"{DIGEST}/", f"{DIGEST}//etc/motd"):
        assert (get(files, name)[0], get(files, name)[2]) == (200, TEXT)
        assert get(files, name, method="HEAD") == (200, {}, b"")
    assert get(files, f"{DIGEST}//etc/other")[0] == 404
    assert get(files, f"{DIGEST}//etc/other", method="HEAD")[0] == 404


def test_backups_of_apply_are_the_same_bucket(files, tmp_path):
    (tmp_path / "motd").write_bytes(TEXT)
    bucket = Bucket(HOST, "puppet", files.bucket, lambda *_: None)
    bucket.backup(str(tmp_path / "motd"))
    assert get(files)[2] == TEXT
    put(files, "0" * 64, b"sent")
    digest = hashlib.sha256(b"sent").hexdigest()
    assert b"".join(bucket.content(digest)) == b"sent"


def test_a_content_without_a_path_has_none(files):
    put(files)
    assert (stored(files) / "contents").exists()
    assert not (stored(files) / "paths").exists()
    assert get(files, f"{DIGEST}/x")[0] == 404


def test_a_damaged_content_is_replaced(files):
    put(files)
    contents = stored(files) / "contents"
    contents.chmod(0o640)
    contents.write_bytes(b"damaged")
    put(files)
    assert contents.read_bytes() == TEXT


@pytest.mark.parametrize("kind", ["md5", "sha512"])
def test_another_digest_algorithm(files, kind):
    files = replace(files, digest=kind)
    digest = hashlib.new(kind, TEXT).hexdigest()
    target = f"/puppet/v3/file_bucket_file/{kind}/{digest}?{E}"
    put_one = asked(target, "PUT", body=TEXT, content_type=BINARY)
    assert got(files, put_one)[0] == 200
    assert got(files, asked(target, accept="*/*"))[2] == TEXT


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("x" * 64, '"' + "x" * 64 + '"'),
        (DIGEST.upper(), f'"{DIGEST.upper()}"'),
        (DIGEST[:-1], f'"{DIGEST[:-1]}"'),
        ("", "nil"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT"])
def test_malformed_checksums(files, name, shown, method):
    found = put(files, name) if method == "PUT" else get(files, name, method=method)
    assert message(found) == (500, f"Server Error: Invalid checksum {shown}")


@pytest.mark.parametrize("name", ["../../../../etc", "..", "%2e%2e", "a/b", "a%0Ab"])
def test_the_other_content_of_a_difference_is_a_checksum(files, name, tmp_path):
    (tmp_path / "contents").write_text("outside")
    put(files)
    status, text = message(get(files, query=f"&diff_with={name}"))
    assert status == 500
    assert text.startswith("Server Error: Invalid checksum ")


def test_differences(files):
    put(files)
    put(files, body=b"other\n")
    other = hashlib.sha256(b"other\n").hexdigest()
    found = get(files, query=f"&diff_with={other}")
    assert found[0] == 200
    assert found[2].splitlines()[2:] == [b"@@ -1 +1 @@", b"-kept", b"+other"]
    assert get(files, query=f"&diff_with={DIGEST}")[2] == b""
    absent = message(get(files, query=f"&diff_with={'0' * 64}"))
    assert absent == (500, f"Server Error: could not find diff_with {'0' * 64}")


def test_a_list_is_refused(files):
    put(files)
    expected = (500, "Server Error: Listing remote file buckets is not allowed")
    assert message(get(files, query="&list_all=true")) == expected


def test_the_bodies_must_be_bytes(files):
    assert message(put(files, content_type="text/plain"))[0] == 415
    request = asked(f"{BUCKET}/{DIGEST}?{E}", "PUT", body=TEXT)
    assert message(got(files, request))[0] == 400
    assert put(files, accept="text/plain")[0] == 406


def test_an_original_path_is_one_line(files):
    status, _, body = put(files, f"{DIGEST}/etc/a%0Aetc/b")
    assert status == 400
    assert body.startswith(b"Control character in")
    assert not stored(files).exists()


@pytest.mark.parametrize("error", [BodyTooLarge, ClientGone])
def test_nothing_is_left_of_a_body_that_does_not_end(files, error):
    def pieces():
        yield b"x" * 100
        raise error

    request = replace(asked(f"{BUCKET}/{DIGEST}?{E}", "PUT", content_type=BINARY), body=pieces())
    with pytest.raises(error):
        got(files, request)
    assert list(Path(files.bucket).iterdir()) == []


def test_a_body_has_a_limit(files):
    files = replace(files, largest_backup=10)
    assert put(files, body=b"x" * 10)[0] == 200
    with pytest.raises(BodyTooLarge):
        put(files, body=b"x" * 11)


def test_no_path_is_lost_when_many_clients_store_the_same(files):
    def one(number):
        return put(files, f"{DIGEST}/path/{number}")[0]

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(one, range(40))) == {200}
    paths = (stored(files) / "paths").read_text().splitlines()
    assert sorted(paths) == sorted(f"path/{number}" for number in range(40))


def test_a_lock_that_stays_taken_is_a_failure(files, tmp_path):
    class Impatient(LinuxHost):
        def sleep(self, seconds):
            """Do not wait."""

    files = replace(files, host=Impatient())
    put(files)
    with HOST.lock(f"{files.bucket}/.lock") as is_free:
        assert is_free
        status, text = message(put(files, f"{DIGEST}/x"))
    assert (status, text.partition(" /")[0]) == (500, "Server Error: the filebucket")
    assert put(files, f"{DIGEST}/x")[0] == 200


def test_other_methods_have_no_route(files):
    assert got(files, asked(f"{BUCKET}/{DIGEST}?{E}", "POST"))[0] == 404
