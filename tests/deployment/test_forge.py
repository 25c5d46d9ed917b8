"""The Forge: which requests are sent, what is cached, and what goes wrong."""

from __future__ import annotations

import json
import os
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.deployment.forge import Forge
from bunraku.deployment.forge_connection import ForgeConnection
from bunraku.web.requests import Network, Proxy, TlsFiles
from support.certificates import Authority
from support.forge_server import Fault, ForgeServer, serving_forge
from support.web_proxy import proxying

ALPHA = "/v3/files/acme-alpha-1.0.0.tar.gz"


@pytest.fixture
def server():
    """A Forge with one module."""
    with serving_forge() as forge:
        forge.add("acme-alpha", "1.0.0")
        forge.add("acme-alpha", "1.2.0", {"acme-beta": ">= 1.0.0 < 2.0.0"})
        forge.add("acme-alpha", "2.0.0-rc1")
        yield forge


@pytest.fixture
def waits():
    """The seconds that a Forge waited."""
    return []


@pytest.fixture
def forge(server, tmp_path, waits):
    """Return a function that makes a Forge as a new run does."""
    made = []

    def make(url: str = server.url, offline: bool = False, warn=lambda _: None, **options) -> Forge:
        connection = ForgeConnection(url, sleep=waits.append, **options)
        made.append(connection)
        return Forge(connection, cache=str(tmp_path / "cache"), offline=offline, warn=warn)

    yield make
    for one in made:
        one.close()


def cached_files(tmp_path) -> list[str]:
    """Return the paths of all files of the cache, without the directory of the Forge."""
    files = (one for one in (tmp_path / "cache").rglob("*") if one.is_file())
    return sorted("/".join(one.relative_to(tmp_path / "cache").parts[1:]) for one in files)


def failure(call, *arguments) -> tuple[str, str]:
    """Return the code and the message of the error that a call raises."""
    with pytest.raises(PuppetError) as caught:
        call(*arguments)
    return caught.value.code, caught.value.message


# -- what is asked ---------------------------------------------------------------------------------


def test_an_index_is_asked_once_in_a_run_and_then_with_its_etag(server, forge):
    run = forge()
    found = run.releases("acme/alpha")
    assert [one.version for one in found] == ["2.0.0-rc1", "1.2.0", "1.0.0"]
    assert found[1].dependencies == (("acme-beta", ">= 1.0.0 < 2.0.0"),)
    assert run.releases("acme-alpha") is found
    assert server.take_requests() == ["/v3/releases"]
    assert forge().releases("acme-alpha") == found
    assert server.statuses == [200, 304]


def test_all_pages_of_an_index_are_read_and_only_changed_ones_again(server, forge):
    server.page_size = 2
    for number in range(5):
        server.add("acme-many", f"1.{number}.0")
    versions = [one.version for one in forge().releases("acme-many")]
    assert versions == ["1.4.0", "1.3.0", "1.2.0", "1.1.0", "1.0.0"]
    assert len(server.take_requests()) == 3
    server.statuses.clear()
    server.deleted.add(("acme-many", "1.0.0"))
    assert [one.version for one in forge().releases("acme-many")] == versions[:-1]
    assert server.statuses == [304, 200]
    assert len(forge(offline=True).releases("acme-many")) == 4


def test_pages_that_never_end_are_refused(server, forge):
    again = '{"pagination": {"next": "/v3/releases?module=acme-alpha&again"}, "results": []}'
    server.faults["/v3/releases"] = Fault(200, body=again.encode())
    assert failure(forge().releases, "acme-alpha") == (
        "FORGE_BAD_ANSWER",
        f"The answer of {server.url}/v3/releases cannot be used: its pages do not end",
    )


def test_the_index_of_an_unknown_module_is_empty(forge):
    assert forge().releases("acme-nothing") == ()


def test_the_newest_release_is_the_current_one(server, forge):
    assert forge().newest("acme/alpha").version == "1.2.0"
    assert forge().newest("acme/alpha").sha256
    assert server.statuses == [200, 304]
    server.add("acme-alpha", "1.3.0")
    assert forge().newest("acme/alpha").version == "1.3.0"
    assert forge(offline=True).newest("acme/alpha").version == "1.3.0"


def test_deleted_releases_are_never_the_newest(server, forge):
    server.deleted |= {("acme-alpha", "1.2.0"), ("acme-alpha", "1.0.0")}
    assert forge().newest("acme-alpha").version == "2.0.0-rc1"
    server.deleted.add(("acme-alpha", "2.0.0-rc1"))
    assert failure(forge().newest, "acme-alpha") == (
        "FORGE_NOTHING_RELEASED",
        (
            f"The module acme-alpha has no published release on {server.url}, "
            "so its latest version is not known"
        ),
    )


def test_a_pinned_release_costs_requests_once(server, forge):
    run = forge()
    run.archive(run.release("acme/alpha", "1.0.0"))
    assert server.take_requests() == ["/v3/releases/acme-alpha-1.0.0", ALPHA]
    again = forge()
    path = again.archive(again.release("acme/alpha", "1.0.0"))
    assert Path(path).read_bytes() == server.archives["acme-alpha", "1.0.0"]
    assert server.take_requests() == []
    offline = forge(offline=True)
    assert offline.archive(offline.release("acme/alpha", "1.0.0")) == path


@pytest.mark.parametrize("question", [Forge.releases, Forge.newest])
def test_a_release_of_a_known_index_needs_no_request(server, forge, question):
    question(forge(), "acme-alpha")
    server.take_requests()
    assert forge().release("acme-alpha", "1.2.0").sha256
    assert server.take_requests() == []


def test_deleted_and_deprecated_releases_say_so(server, forge):
    server.deleted.add(("acme-alpha", "1.0.0"))
    server.deprecated.add("acme-alpha")
    found = forge().release("acme-alpha", "1.0.0")
    assert (found.deleted, found.deprecated) == ("2024-02-01 00:00:00", "2024-03-01 00:00:00")
    assert forge().newest("acme-alpha").deprecated
    server.deleted.clear()
    assert not forge().release("acme-alpha", "1.0.0").deleted


def test_threads_ask_once(server, forge):
    run = forge()
    found = []

    def ask():
        found.append(run.archive(run.release("acme-alpha", "1.0.0")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8
    assert len(server.take_requests()) == 2


def test_concurrent_runs_share_a_cache(server, tmp_path):
    code = f"""
from bunraku.deployment.forge import Forge
from bunraku.deployment.forge_connection import ForgeConnection
run = Forge(ForgeConnection({server.url!r}), cache={str(tmp_path / "cache")!r})
for version in ("1.0.0", "1.2.0", "2.0.0-rc1"):
    run.releases("acme-alpha")
    print(len(open(run.archive(run.release("acme-alpha", version)), "rb").read()))
"""
    runs = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)
    ]
    printed = {run.communicate()[0] for run in runs}
    assert [run.returncode for run in runs] == [0] * 4
    assert len(printed) == 1
    assert not [one for one in cached_files(tmp_path) if one.endswith(".new")]


def test_files_of_the_cache_are_private(forge, tmp_path):
    run = forge()
    run.releases("acme-alpha")
    run.newest("acme-alpha")
    run.archive(run.release("acme-alpha", "1.0.0"))
    for one in (tmp_path / "cache").rglob("*"):
        mode = stat.S_IMODE(one.stat().st_mode)
        assert mode == (0o700 if one.is_dir() else 0o600), one
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema": 1, "pages": [3]}', b"\xff"])
def test_damaged_files_of_the_cache_are_asked_again(server, forge, tmp_path, content):
    found = forge().releases("acme-alpha")
    newest = forge().newest("acme-alpha")
    for one in (tmp_path / "cache").rglob("*.json"):
        one.write_bytes(content)
    assert forge().releases("acme-alpha") == found
    assert forge().newest("acme-alpha") == newest


def test_nothing_is_downloaded_offline(forge):
    run = forge(offline=True)
    assert failure(run.releases, "acme-alpha")[0] == "FORGE_OFFLINE"
    assert failure(run.newest, "acme-alpha")[0] == "FORGE_OFFLINE"
    assert failure(run.release, "acme-alpha", "1.0.0") == (
        "FORGE_OFFLINE",
        "The release acme-alpha-1.0.0 is not in the cache, and nothing is downloaded offline",
    )
    release = forge().release("acme-alpha", "1.0.0")
    assert failure(forge(offline=True).archive, release)[0] == "FORGE_OFFLINE"


# -- archives --------------------------------------------------------------------------------------


def test_md5_counts_if_there_is_no_sha256(server, forge):
    server.with_sha256 = False
    run = forge()
    assert os.path.exists(run.archive(run.release("acme-alpha", "1.0.0")))


def test_a_wrong_digest_leaves_nothing_in_the_cache(server, forge, tmp_path):
    server.wrong.add(("acme-alpha", "1.0.0"))
    run = forge()
    release = run.release("acme-alpha", "1.0.0")
    code, message = failure(run.archive, release)
    assert code == "FORGE_WRONG_DIGEST"
    assert f"but {server.url} promises {'0' * 64}" in message
    assert cached_files(tmp_path) == ["releases/acme-alpha-1.0.0.json"]


def test_a_right_md5_does_not_excuse_a_wrong_sha256(server, forge):
    document = server.release("acme-alpha", "1.0.0") | {"file_sha256": "0" * 64}
    server.faults["/v3/releases/acme-alpha-1.0.0"] = Fault(200, body=json_of(document))
    run = forge()
    assert failure(run.archive, run.release("acme-alpha", "1.0.0"))[0] == "FORGE_WRONG_DIGEST"


def json_of(document: object) -> bytes:
    """Return a document as JSON."""
    return json.dumps(document).encode()


def test_a_release_without_a_digest_is_refused(server, forge):
    document = server.release("acme-alpha", "1.0.0") | {"file_sha256": None, "file_md5": ""}
    server.faults["/v3/releases/acme-alpha-1.0.0"] = Fault(200, body=json_of(document))
    run = forge()
    assert failure(run.archive, run.release("acme-alpha", "1.0.0"))[0] == "FORGE_NO_DIGEST"


def test_a_truncated_download_is_repeated_and_never_stored(server, forge, tmp_path, waits):
    whole = server.archives["acme-alpha", "1.0.0"]
    server.faults[ALPHA] = Fault(200, body=whole[:50], cut=True, times=1)
    run = forge()
    path = run.archive(run.release("acme-alpha", "1.0.0"))
    assert Path(path).read_bytes() == whole
    assert waits == [0.5]
    server.faults[ALPHA] = Fault(200, body=whole[:50], cut=True)
    os.unlink(path)
    code, message = failure(forge().archive, run.release("acme-alpha", "1.0.0"))
    assert (code, "ends early" in message) == ("FORGE_NOT_REACHED", True)
    assert cached_files(tmp_path) == ["releases/acme-alpha-1.0.0.json"]


def test_a_damaged_archive_of_the_cache_is_downloaded_again(server, forge):
    run = forge()
    path = run.archive(run.release("acme-alpha", "1.0.0"))
    Path(path).write_bytes(b"edited")
    assert forge().archive(run.release("acme-alpha", "1.0.0")) == path
    assert Path(path).read_bytes() == server.archives["acme-alpha", "1.0.0"]


def test_a_cache_that_cannot_be_written_is_an_error(forge, tmp_path):
    run = forge()
    release = run.release("acme-alpha", "1.0.0")
    (tmp_path / "cache" / os.path.basename(run.cache) / "archives").write_text("in the way")
    code, message = failure(run.archive, release)
    assert code == "FORGE_CACHE"
    assert "archives" in message


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_forge_is_asked_again(server, forge, waits, status):
    server.faults["/v3/releases/acme-alpha-1.0.0"] = Fault(status, {"Retry-After": "7"}, times=1)
    assert forge().release("acme-alpha", "1.0.0").version == "1.0.0"
    assert waits == [7.0]


def test_attempts_are_limited(server, forge, waits):
    server.faults["/v3/modules/acme-alpha"] = Fault(500, body=b'{"message": "broken"}')
    run = forge()
    expected = (
        "FORGE_BUSY",
        f"{server.url}/v3/modules/acme-alpha answers with status 500, also after 3 attempts: broken",
    )
    assert failure(run.newest, "acme-alpha") == expected
    assert failure(run.newest, "acme-alpha") == expected
    assert len(server.take_requests()) == 3
    assert waits == [0.5, 1.0]


def test_a_forge_cannot_make_a_run_wait_for_long(server, forge, waits):
    server.faults["/v3/modules/acme-alpha"] = Fault(429, {"Retry-After": "86400"}, times=2)
    forge().newest("acme-alpha")
    assert waits == [30.0, 30.0]


def test_unknown_names_say_what_is_missing(server, forge):
    assert failure(forge().release, "acme/alpha", "9.9.9") == (
        "FORGE_NO_RELEASE",
        f"The module release acme-alpha-9.9.9 does not exist on {server.url}",
    )
    assert failure(forge().newest, "acme/nothing") == (
        "FORGE_NO_MODULE",
        f"The module acme-nothing does not exist on {server.url}",
    )
    server.faults[ALPHA] = Fault(404)
    run = forge()
    assert failure(run.archive, run.release("acme-alpha", "1.0.0"))[0] == "FORGE_NO_RELEASE"


@pytest.mark.parametrize(
    "name", ["alpha", "../../etc/passwd", "acme/../x", "acme-alpha-x", "a/b\n"]
)
def test_names_are_checked_before_they_become_paths(server, forge, name):
    assert failure(forge().releases, name)[0] == "FORGE_BAD_NAME"
    assert server.requests == []


@pytest.mark.parametrize("version", ["1.x", "../1.0.0", "1.0", "latest", "", "1.0.0\n"])
def test_versions_are_checked_before_they_become_paths(server, forge, version):
    assert failure(forge().release, "acme-alpha", version)[0] == "FORGE_BAD_VERSION"
    assert server.requests == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"results": 3}',
        b"[" * 100_000,
        b'{"results": [], "pagination": 7}',
    ],
)
def test_answers_of_another_form_are_errors(server, forge, body):
    for path in ("/v3/releases", "/v3/releases/acme-alpha-1.0.0", "/v3/modules/acme-alpha"):
        server.faults[path] = Fault(200, body=body)
    run = forge()
    assert failure(run.releases, "acme-alpha")[0] == "FORGE_BAD_ANSWER"
    assert failure(run.release, "acme-alpha", "1.0.0")[0] == "FORGE_BAD_ANSWER"
    code = failure(run.newest, "acme-alpha")[0]
    assert code in {"FORGE_BAD_ANSWER", "FORGE_NOTHING_RELEASED"}


def test_a_release_of_another_module_is_refused(server, forge):
    server.add("evil-alpha", "1.0.0")
    body = json_of(server.release("evil-alpha", "1.0.0"))
    server.faults["/v3/releases/acme-alpha-1.0.0"] = Fault(200, body=body)
    assert failure(forge().release, "acme-alpha", "1.0.0") == (
        "FORGE_BAD_ANSWER",
        (
            f"The answer of {server.url}/v3/releases/acme-alpha-1.0.0 cannot be used: "
            "it describes evil-alpha-1.0.0"
        ),
    )


def test_releases_that_cannot_be_used_are_left_out_with_a_warning(server, forge):
    page = server.page("/v3/releases?module=acme-alpha")
    page["results"][0]["metadata"]["dependencies"] = [{"name": "no owner"}]
    server.faults["/v3/releases"] = Fault(200, body=json_of(page))
    warnings = []
    found = forge(warn=warnings.append).releases("acme-alpha")
    assert [one.version for one in found] == ["1.2.0", "1.0.0"]
    assert [(one.severity, "'no owner' is not the name" in one.message) for one in warnings] == [
        ("warning", True)
    ]


def test_a_forge_that_is_not_there_is_an_error(forge, waits):
    with serving_forge() as gone:
        url = gone.url
    assert failure(forge(url).newest, "acme-alpha") == (
        "FORGE_NOT_REACHED",
        f"Cannot get {url}/v3/modules/acme-alpha: Connection refused",
    )
    assert waits == []


def test_a_forge_that_hangs_is_left(forge):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        code, message = failure(forge(url, seconds=0.2).newest, "acme-alpha")
    assert (code, message.endswith("timed out")) == ("FORGE_NOT_REACHED", True)


def test_a_forge_that_hangs_is_waited_for_once(forge):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        run = forge(f"http://127.0.0.1:{silent.getsockname()[1]}", seconds=0.2)
        begin = time.monotonic()
        found = [failure(run.newest, f"acme-m{number}") for number in range(20)]
    assert time.monotonic() - begin < 2
    assert {code for code, _ in found} == {"FORGE_NOT_REACHED"}
    assert "/v3/modules/acme-m19: " in found[19][1]


BAD_ADDRESSES = [
    "http://[",
    "http://web:port/x",
    "file:///etc/passwd",
    "/é",
    "/a b",
    "/a\nb",
    "/\x00",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_malformed_addresses_in_answers_are_errors(server, forge, address):
    run = forge()
    release = replace(run.release("acme-alpha", "1.0.0"), file=address)
    assert failure(run.archive, release)[0] == "FORGE_NOT_REACHED"
    page = {"results": [], "pagination": {"next": address}}
    server.faults["/v3/releases"] = Fault(200, body=json_of(page))
    assert failure(run.releases, "acme-alpha")[0] == "FORGE_NOT_REACHED"


@pytest.mark.parametrize("location", ["http://[", "http://web:port/x", "ext::x"])
def test_malformed_redirects_are_errors(server, forge, location):
    server.faults["/v3/modules/acme-alpha"] = Fault(302, {"Location": location})
    assert failure(forge().newest, "acme-alpha")[0] == "FORGE_NOT_REACHED"


def test_an_etag_that_cannot_be_sent_is_dropped(server, forge):
    server.faults["/v3/modules/acme-alpha"] = Fault(
        200, {"ETag": '"é"'}, json_of(server.module("acme-alpha")), times=1
    )
    forge().newest("acme-alpha")
    assert forge().newest("acme-alpha").version == "1.2.0"


@pytest.mark.parametrize("token", ["Bearer sesame\n", "sesame\r\nX: y", "s\u0430same"])
def test_a_token_that_is_no_header_is_refused_without_showing_it(forge, server, token):
    assert failure(lambda: forge(token=token)) == (
        "FORGE_BAD_TOKEN",
        f"The token for {server.url} has a character that a header cannot have",
    )


@pytest.mark.parametrize(
    "url", ["ftp://web/", "web", "http://", "http://web:port/", "-x", "ext::a", "http://["]
)
def test_urls_that_are_not_http_are_refused(forge, url):
    assert failure(forge, url)[0] == "FORGE_BAD_URL"


# -- credentials -----------------------------------------------------------------------------------

TOKEN = "Bearer sesame"


def sent(server: ForgeServer) -> list[str | None]:
    """Return the credentials of each request."""
    return [one.get("authorization") for one in server.headers]


def everything_cached(tmp_path: Path) -> bytes:
    """Return all names and contents of the cache."""
    found = list((tmp_path / "cache").rglob("*"))
    content = b"".join(one.read_bytes() for one in found if one.is_file())
    return content + "".join(map(str, found)).encode()


def test_a_token_is_sent_as_it_stands_and_never_cached(server, forge, tmp_path):
    run = forge(token=TOKEN)
    run.archive(run.release("acme-alpha", "1.0.0"))
    run.releases("acme-alpha")
    assert sent(server) == [TOKEN] * 3
    assert b"sesame" not in everything_cached(tmp_path)


def test_a_password_of_the_url_is_sent_and_never_shown(server, forge, tmp_path):
    run = forge(server.url.replace("//", "//anna:secret@"))
    assert failure(run.release, "acme-alpha", "9.9.9")[1].endswith(
        f"does not exist on {server.url}"
    )
    run.newest("acme-alpha")
    assert sent(server) == ["Basic YW5uYTpzZWNyZXQ="] * 2
    assert run.url == server.url
    assert b"secret" not in everything_cached(tmp_path)
    assert forge().cache == run.cache


def test_a_token_comes_before_the_password_of_the_url(server, forge):
    forge(server.url.replace("//", "//anna:secret@"), token=TOKEN).newest("acme-alpha")
    assert sent(server) == [TOKEN]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_redirects_do_not_carry_the_token_to_another_server(server, forge, address):
    with serving_forge(address) as other:
        other.add("acme-alpha", "1.0.0")
        server.archives["acme-alpha", "1.0.0"] = other.archives["acme-alpha", "1.0.0"]
        server.faults[ALPHA] = Fault(302, {"Location": f"{other.url}{ALPHA}?signature=secret"})
        run = forge(token=TOKEN)
        run.archive(run.release("acme-alpha", "1.0.0"))
        assert sent(server) == [TOKEN] * 2
        assert sent(other) == [None]
        other.faults[ALPHA] = Fault(403)
        os.unlink(run.archive(run.release("acme-alpha", "1.0.0")))
        assert "signature" not in failure(forge().archive, run.release("acme-alpha", "1.0.0"))[1]


def test_addresses_in_answers_do_not_get_the_token_either(server, forge):
    with serving_forge("127.0.0.2") as other:
        other.add("acme-alpha", "1.0.0")
        document = other.release("acme-alpha", "1.0.0") | {"file_uri": other.url + ALPHA}
        server.faults["/v3/releases/acme-alpha-1.0.0"] = Fault(200, body=json_of(document))
        run = forge(token=TOKEN)
        run.archive(run.release("acme-alpha", "1.0.0"))
        assert (sent(server), sent(other)) == ([TOKEN], [None])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_on_the_forge_keep_the_token(server, forge, status):
    server.faults["/v3/modules/acme-alpha"] = Fault(status, {"Location": "/v3/modules/acme-beta"})
    server.add("acme-beta", "1.0.0")
    forge(token=TOKEN).newest("acme-alpha")
    assert sent(server) == [TOKEN] * 2


def test_redirects_end(server, forge):
    server.faults["/v3/modules/acme-alpha"] = Fault(302, {"Location": "/v3/modules/acme-alpha"})
    assert "more than 10 redirects" in failure(forge().newest, "acme-alpha")[1]
    server.faults["/v3/modules/acme-alpha"] = Fault(302, {"Location": "file:///etc/passwd"})
    assert "not one of http or https" in failure(forge().newest, "acme-alpha")[1]


def test_a_forge_that_repeats_the_token_does_not_bring_it_into_errors(server, forge):
    body = json_of({"message": f"bad credentials: {TOKEN}, sesame"})
    server.faults["/v3/modules/acme-alpha"] = Fault(401, body=body)
    code, message = failure(forge(token=TOKEN).newest, "acme-alpha")
    assert code == "FORGE_REFUSED"
    assert message.endswith("with status 401: bad credentials: ***, ***")


# -- the way there ---------------------------------------------------------------------------------


def test_requests_go_through_the_proxy(server, forge):
    with proxying() as proxy:
        forge(network=Network(Proxy("127.0.0.1", proxy.port))).newest("acme-alpha")
        assert [one[1] for one in proxy.asked] == [f"{server.url}/v3/modules/acme-alpha"]


def test_a_forge_can_be_below_a_path(server, forge):
    connection = forge(f"{server.url}/api/forge/").connection
    for place in ("/v3/modules/a-b", "v3/modules/a-b", "/api/forge/v3/modules/a-b"):
        assert connection.address(place) == f"{server.url}/api/forge/v3/modules/a-b"


def test_a_server_needs_a_certificate_that_is_known(forge, tmp_path):
    authority = Authority(tmp_path)
    authority.sign("forge.example.com")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(
        authority.path("forge.example.com.pem"), authority.path("forge.example.com.key")
    )
    with serving_forge(context=context) as server:
        server.add("acme-alpha", "1.0.0")
        code, message = failure(forge(server.url).newest, "acme-alpha")
        assert (code, "CERTIFICATE_VERIFY_FAILED" in message) == ("FORGE_NOT_REACHED", True)
        trusting = forge(server.url, tls=TlsFiles(authority=authority.path("ca.pem")))
        assert trusting.newest("acme-alpha").version == "1.0.0"
