"""Recorded requests for files, answered from a copy of the recorded site."""

from __future__ import annotations

import base64
import re
import tomllib

import pytest

from support.server import COMPRESSED, DATA, HAS_MODULES, SAMPLES, recorded, site
from support.server_files import asked, files_of, got, normal, without_owners

ROUTES = re.compile("/puppet/v3/(static_file_content|file_[a-z]+)(/|$)")
KNOWN = tomllib.loads((DATA.parent / "known_file_differences.toml").read_text())
CUT = re.compile(r"… \((\d+) characters\)$")
BASE64 = "<base64> "
BACKUP = b"bucket me\n"
BYTES = re.compile(r"<(\d+) bytes>")
HEADERS = ("content-type", "content-length")
CHUNKED = "application/json;charset=utf-8"


def of_files() -> list[dict]:
    """The recorded exchanges for files; of those that agents repeat, one."""
    found = {}
    for name in SAMPLES:
        for one in recorded(name):
            if ROUTES.match(one["target"].partition("?")[0]):
                key = (one["method"], one["target"], str(one["request_headers"].get("Accept")))
                found.setdefault((*key, one.get("note"), one["client"] is None), one)
    return list(found.values())


@pytest.fixture(scope="module")
def served_site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rig")
    environments = site(folder)
    (folder / "puppet").mkdir()
    command = folder / "puppet" / "code_content"
    path = f"{folder}/code/environments"
    command.write_text(f'#!/bin/sh\ncat "{path}/$1/$3" 2>/dev/null || cat "{path}/production/$3"\n')
    command.chmod(0o755)
    return str(folder), files_of(environments, code_content=str(command))


def sent(item: dict) -> bytes:
    """The body of a recorded request; of bodies that are not text, the record has the length."""
    text = item.get("request_body") or ""
    size = BYTES.fullmatch(text)
    if size is None:
        return text.encode()
    return BACKUP if int(size[1]) == len(BACKUP) else b"x" * int(size[1])


def expected(item: dict) -> tuple[str | bytes, int | None]:
    """The recorded body, and its length in characters if the record shortens it."""
    if "response_hex" in item:
        return bytes.fromhex(item["response_hex"]), None
    text = item["response_body"].removeprefix(COMPRESSED)
    if text.startswith(BASE64):
        return base64.b64decode(text.removeprefix(BASE64)), None
    cut = CUT.search(text)
    return (text, None) if cut is None else (text[: cut.start()], int(cut[1]))


def difference(root, files, item):
    """How the response differs from the recorded one; None if it agrees."""
    headers = {name.lower().replace("-", "_"): v for name, v in item["request_headers"].items()}
    request = asked(item["target"], item["method"], body=sent(item), **headers)
    status, found, body = got(files, request)
    if status != item["status"]:
        return f"status {status}, expected {item['status']}: {body[:300]}"
    recorded_headers = {name.lower(): v for name, v in item["response_headers"].items()}
    for name in HEADERS:
        if name == "content-length" and "content-encoding" in recorded_headers:
            continue
        if name in recorded_headers and recorded_headers[name] != found.get(name, str(len(body))):
            return f"{name} {found.get(name)}, expected {recorded_headers[name]}"
    wanted, length = expected(item)
    if item["method"] == "HEAD":
        return None
    if isinstance(wanted, bytes):
        return None if body == wanted else f"{body!r}, expected {wanted!r}"
    text = body.decode()
    if length is not None:
        size = len(without_owners(text.replace(root, "$RIG")))
        return None if size == length else f"{size} characters, expected {length}"
    ours, theirs = normal(text, root), normal(wanted, "$RIG")
    return None if ours == theirs else f"{ours[:500]}, expected {theirs[:500]}"


@pytest.mark.parametrize("item", of_files(), ids=lambda item: item["label"])
def test_answers_as_the_real_one(served_site, item):
    if ("apache" in item["target"] or "stdlib" in item["target"]) and not HAS_MODULES:
        pytest.skip("needs the modules of Debian that the rig served")
    root, files = served_site
    found = difference(root, files, item)
    if item["label"] in KNOWN:
        assert found, "agrees now: remove it from known_file_differences.toml"
    else:
        assert found is None


def test_known_differences_are_recorded_requests():
    assert KNOWN.keys() <= {item["label"] for item in of_files()}
