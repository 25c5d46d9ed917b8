"""The files that decide a compile, compared by their digests."""

from __future__ import annotations

import pytest

from bunraku.engine.remote.files import LARGEST, table_difference, table_of
from bunraku.engine.request import Request


@pytest.fixture
def site(tmp_path):
    for name in (
        "manifests/site.pp",
        "modules/a/manifests/init.pp",
        "modules/a/files/large",
        "data/common.yaml",
        "catalogs/a.json",
        "modules/a/.git/config",
        "hiera.yaml",
    ):
        path = tmp_path / "production" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "production/modules/loop").symlink_to(tmp_path / "production/modules")
    return tmp_path / "production"


def table(site):
    settings = {"environmentpath": str(site.parent), "environment": "production"}
    return table_of(Request(code="", node="a", settings=settings))


CHANGES = {
    "manifests/site.pp": "has another content",
    "modules/a/manifests/init.pp": "has another content",
    "modules/a/manifests/more.pp": "exists on the worker only",
    "data/common.yaml": "has another content",
    "data/nodes/a.yaml": "exists on the worker only",
    "hiera.yaml": "has another content",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_file_that_differs_is_named(name, site):
    before = table(site)
    assert table_difference(before) is None
    path = site / name
    path.parent.mkdir(exist_ok=True)
    old = path.read_text() if path.exists() else None
    path.write_text("new")
    after = table(site)
    assert table_difference(after) is None
    if old is None:
        path.unlink()
        assert table_difference(after) == f"{path} is missing"
        path.write_text("new")
    assert table_difference(before) == f"{path} {CHANGES[name]}"


def test_files_that_decide_nothing(site):
    before = table(site)
    (site / "catalogs/a.json").write_text("written meanwhile")
    (site / "modules/a/.git/config").write_text("new")
    large = site / "modules/a/files/large"
    large.write_bytes(b"x" * LARGEST + b"1")
    assert table_difference(before) == f"{large} has another content"
    known = table(site)
    large.write_bytes(b"x" * LARGEST + b"2")
    assert table_difference(known) is None


def test_a_directory_that_is_missing(site):
    before = table(site)
    (site / "modules").rename(site / "elsewhere")
    assert table_difference(before) == f"{site}/modules is missing"


def test_manifests_in_a_directory_with_other_files(site):
    before = table_of(Request(path=str(site), node="a"))
    (site / "catalogs/a.json").write_text("written meanwhile")
    assert table_difference(before) is None
    (site / "new.pp").write_text("")
    assert table_difference(before) == f"{site}/new.pp exists on the worker only"


def test_an_invalid_request_has_no_files(tmp_path):
    settings = {"environmentpath": str(tmp_path), "environment": "none"}
    assert table_of(Request(code="", node="a", settings=settings)) == {}
