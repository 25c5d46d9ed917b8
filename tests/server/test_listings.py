"""Listings are kept, and after any change they are those of a server that keeps none."""

from __future__ import annotations

import os
import random
import time

import pytest

from bunraku.base.records import replace
from bunraku.engine import kept
from bunraku.server.files.listings import LISTINGS, KeptListing, keep_listing
from bunraku.server.files.options import FileOptions
from bunraku.world.file_signatures import JUST_NOW
from bunraku.world.linux import LinuxHost
from support.server_files import asked, files_of, got, metadata

PLUGINS = "/puppet/v3/file_metadatas/plugins?environment=production&recurse=true"
SETTLED = JUST_NOW / 1e9 + 0.02
"""Seconds after which a file counts as unchanged."""
MARK = "Ruby code of a plugin\n"


class Scanning(LinuxHost):
    """This machine; it counts the directories that were read."""

    def __init__(self):
        self.scanned = 0

    def scan(self, path):
        self.scanned += 1
        return super().scan(path)


@pytest.fixture
def site(tmp_path):
    """The ``lib`` directories of two modules, and a file server that has kept no listing."""
    kept.forget()
    modules = tmp_path / "code/environments/production/modules"
    for path in ("a/lib/puppet/one.rb", "a/lib/puppet/two.rb", "b/lib/facter/three.rb"):
        (modules / path).parent.mkdir(parents=True, exist_ok=True)
        (modules / path).write_text(MARK)
    time.sleep(SETTLED)
    return modules, replace(files_of(tmp_path / "code/environments"), host=Scanning())


def scans(files, target=PLUGINS):
    """Return how many directories an answer reads."""
    before = files.host.scanned
    metadata(files, target)
    return files.host.scanned - before


def test_an_unchanged_listing_is_made_once(site):
    _, files = site
    first = metadata(files, PLUGINS)
    assert len(first) == 6
    assert scans(files) == 0
    assert metadata(files, PLUGINS) == first


def test_options_have_listings_of_their_own(site):
    _, files = site
    every = metadata(files, PLUGINS)
    without = metadata(files, f"{PLUGINS}&ignore=one.rb")
    assert [one for one in every if one not in without] == [
        one for one in every if one["relative_path"] == "puppet/one.rb"
    ]
    assert metadata(files, f"{PLUGINS}&checksum_type=md5") != every
    assert metadata(files, PLUGINS) == every
    assert scans(files) == scans(files, f"{PLUGINS}&ignore=one.rb") == 0


def test_a_listing_of_a_moment_ago_is_not_kept(site):
    modules, files = site
    (modules / "a/lib/puppet/one.rb").write_text("new")
    assert scans(files) == 4
    time.sleep(SETTLED)
    assert (scans(files), scans(files)) == (4, 0)


def test_listings_with_links_are_not_kept(site):
    modules, files = site
    (modules / "a/lib/link.rb").symlink_to("puppet/one.rb")
    time.sleep(SETTLED)
    assert (scans(files), scans(files)) == (4, 4)


def test_a_warning_comes_with_each_answer(site):
    modules, files = site
    for number in range(1001):
        (modules / f"a/lib/puppet/{number}.rb").touch()
    time.sleep(SETTLED)
    said = []
    files = replace(files, log=lambda level, text: said.append(level))
    for _ in range(2):
        got(files, asked(f"{PLUGINS}&max_files=0", accept="application/json"))
    assert said == ["warning", "warning"]


@pytest.mark.parametrize(("most", "expected"), [(5, 0), (10, 1), (20, 2)])
def test_the_number_of_entries_is_bounded(site, most, expected):
    kept.forget()
    signature = (1, 1, 0, 1, 1)
    for root, length in {"/a": 8, "/b": 7}.items():
        listing = KeptListing([], {f"{root}/{number}": signature for number in range(length)})
        keep_listing(((root,), FileOptions("sha256")), listing, most)
    assert len(LISTINGS) == expected


CHANGES = {
    "another content": lambda path, _: path.write_text("other\n"),
    "a content of the same size": lambda path, _: path.write_text(MARK[::-1]),
    "a mode": lambda path, _: path.chmod(0o600),
    "a new file": lambda path, number: path.with_name(f"{number}.rb").touch(),
    "a file less": lambda path, _: path.unlink(),
    "a new name": lambda path, number: path.rename(path.with_name(f"renamed{number}.rb")),
    "a new directory": lambda path, number: (path.parent / f"d{number}").mkdir(),
    "the same again": lambda path, _: os.utime(path),
    "a link": lambda path, number: path.with_name(f"l{number}.rb").symlink_to(path),
}


@pytest.mark.parametrize("seed", [1, 2])
def test_random_changes_are_seen_at_once(site, seed):
    modules, files = site
    chance = random.Random(seed)
    for number in range(12):
        if chance.random() < 0.5:
            time.sleep(SETTLED)
        metadata(files, PLUGINS)
        files_there = [one for one in sorted(modules.rglob("*.rb")) if not one.is_symlink()]
        name = chance.choice(sorted(CHANGES))
        CHANGES[name](chance.choice(files_there), number)
        answered = metadata(files, PLUGINS)
        kept.forget()
        assert metadata(files, PLUGINS) == answered, name
        for link in modules.rglob("*.rb"):
            if link.is_symlink():
                link.unlink()
