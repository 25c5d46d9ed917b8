"""Hostile names: nothing outside of a mount is read, and no exception leaves.

The table of places where a name from a client becomes part of a path is in ``names.py``.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bunraku.base.records import replace
from bunraku.server.files.names import BadPath, decoded_path
from bunraku.web.http import BodyTooLarge
from support.server_files import asked, files_of, got

SECRET = b"never to be seen"
HEX = "a" * 64
ROUTES = (
    "file_metadata",
    "file_metadatas",
    "file_content",
    "file_bucket_file",
    "static_file_content",
)


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """A site with a secret beside each directory that is served."""
    root = tmp_path_factory.mktemp("hostile")
    module = root / "code/environments/production/modules/a"
    for folder in ("files/d", "lib", "facts.d", "locales", "scripts", "tasks", "manifests"):
        (module / folder).mkdir(parents=True)
    for folder in (
        module,
        module.parent,
        module.parents[1],
        module.parents[2],
        root,
        *root.parents,
    ):
        if folder.is_relative_to(root):
            (folder / "secret").write_bytes(SECRET)
            (folder / "contents").write_bytes(SECRET)
    (module / "manifests/secret").write_bytes(SECRET)
    (module / "files/d/x").write_bytes(b"served")
    (root / "srv/plain8").mkdir(parents=True)
    (root / "srv/secret").write_bytes(SECRET)
    mounts = {"mine": f"{root}/srv/%h", "fixed": f"{root}/srv/plain8"}
    return replace(
        files_of(root / "code/environments", code_content="/bin/echo"), mounts=lambda: mounts
    )


def answered(files, request):
    """The status and the body; the secret is not in it."""
    status, _, body = got(files, request)
    assert SECRET not in body
    assert status in {200, 206, 400, 403, 404, 406, 415, 416, 500}
    return status, body


CLIMBS = [
    *("..", ".", "%2e%2e", "%2E.", ".%2e", "%2e", "..%2f", "%2f", "..%5c", "..%00", "%00", "x%00y"),
    *("%c0%ae%c0%ae", "%252e%252e", "..;", "....", "%", "%zz", "~", "a" * 256, "%e2%80%a5", "%ff"),
]


@pytest.mark.parametrize("climb", CLIMBS)
@pytest.mark.parametrize("route", ROUTES)
def test_every_way_up_is_refused(rig, route, climb):
    if route == "file_bucket_file":
        starts = ("", "sha256/", f"sha256/{HEX}/")
    elif route == "static_file_content":
        starts = ("", "modules/", "modules/a/", "modules/a/files/")
    else:
        starts = (
            "",
            "modules/",
            "modules/a/",
            "modules/a/d/",
            "plugins/",
            "scripts/a/",
            "fixed/",
            "mine/",
        )
    for start in starts:
        for end in ("/secret", "/../secret", "/manifests/secret", ""):
            target = f"/puppet/v3/{route}/{start}{climb}{end}?environment=production&code_id=v1"
            status, body = answered(rig, asked(target, accept="*/*"))
            assert status != 206
            if status == 200 and start != "plugins/":  # its listings begin at the roots
                assert b"production v1 modules/a/files/" in body  # what the command prints


PLAIN_CLIMBS = (
    "..",
    ".",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%2e",
    "%2f",
    "..%2f",
    "x%00y",
    "%",
    "%zz",
    "a" * 256,
)


@pytest.mark.parametrize("climb", PLAIN_CLIMBS)
@pytest.mark.parametrize("route", ROUTES)
def test_names_that_are_not_plain_are_bad_requests(rig, route, climb):
    target = f"/puppet/v3/{route}/modules/a/d/{climb}/x?environment=production"
    assert answered(rig, asked(target, accept="*/*"))[0] == 400


def test_long_paths_are_bad_requests(rig):
    target = f"/puppet/v3/file_content/modules/a/{'b/' * 2000}x?environment=production"
    assert answered(rig, asked(target, accept="*/*"))[0] == 400


@pytest.mark.parametrize(
    "name", ["..", "../..", "production/..", "a b", "", "a\0b", "production\n", "é"]
)
@pytest.mark.parametrize("route", ROUTES)
def test_an_environment_is_a_word(rig, route, name):
    path = f"sha256/{HEX}" if route == "file_bucket_file" else "modules/a/files/d/x"
    target = f"/puppet/v3/{route}/{path}?environment={quote(name)}&code_id=v1"
    assert answered(rig, asked(target, accept="*/*"))[0] == 400


@pytest.mark.parametrize("module", ["..", "a/../a", "%2e%2e", "A", "a%20", ".git", "a%0a", "*"])
def test_a_module_is_a_name_in_a_table(rig, module):
    for mount in ("modules", "scripts", "tasks"):
        target = f"/puppet/v3/file_content/{mount}/{module}/secret?environment=production"
        assert answered(rig, asked(target, accept="*/*"))[0] in {400, 404}


SEGMENTS = st.one_of(
    st.sampled_from(
        [*CLIMBS, "modules", "plugins", "a", "d", "x", "secret", "files", "lib", "mine", "", HEX]
    ),
    st.text(max_size=12).map(lambda text: quote(text, safe="", errors="replace")),
    st.binary(max_size=6).map(quote),
    st.text(alphabet="./%2eEfF\\;:0", max_size=8),
)
VALUES = st.one_of(
    st.sampled_from(
        ["true", "false", "1", "-1", "md5", "follow", "manage", "use", "", "../..", HEX, "*", "["]
    ),
    st.text(max_size=20),
)
NAMES = st.sampled_from(
    [
        *("recurse", "recurselimit", "max_files", "ignore", "links", "checksum_type", "list_all"),
        *("source_permissions", "environment", "code_id", "diff_with", "bucket_path"),
    ]
)
HEADERS = st.dictionaries(
    st.sampled_from(["accept", "content_type", "range", "if_range"]),
    st.one_of(
        st.sampled_from(
            ["*/*", "text/pson", "text/yaml", "application/octet-stream", "bytes=1-", "bytes=-5"]
        ),
        st.text(max_size=20),
    ),
)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(ROUTES),
    st.lists(SEGMENTS, max_size=6),
    st.lists(st.tuples(NAMES, VALUES), max_size=5),
    st.sampled_from(["GET", "HEAD", "PUT", "POST"]),
    HEADERS,
    st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["..", "plain8", "a/b"])),
)
def test_no_request_reaches_a_secret(rig, route, segments, pairs, method, headers, client):
    path = f"/puppet/v3/{route}/" + "/".join(segments)
    pairs = [("environment", "production"), *pairs]
    request = replace(
        asked(path.partition("?")[0], method, body=b"body", client=client, **headers),
        parameters=dict(pairs),
        pairs=pairs,
    )
    try:
        answered(rig, request)
    except BodyTooLarge:
        pytest.fail("a small body is not too large")
    assert not (Path(rig.bucket).parent / "b").exists()


@settings(max_examples=300, deadline=None)
@given(st.lists(SEGMENTS, max_size=8))
def test_a_decoded_path_is_plain_or_refused(segments):
    try:
        found = decoded_path("/" + "/".join(segments))
    except BadPath:
        return
    assert not {".", ".."} & set(found.split("/"))
    assert "\0" not in found
    assert "//" not in found
