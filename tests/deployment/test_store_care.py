"""The store shows its size, loses what no deployment needs, and finds what is damaged."""

import gc
import json
import os
import threading

import pytest

from bunraku.cli.main import main
from bunraku.deployment.store import Store
from bunraku.deployment.store_care import prune_store, store_size, verify_store
from bunraku.jobs.deploy import rollback, status
from bunraku.world import linked_files


@pytest.fixture
def cache(site):
    return str(site.top / "cache")


def test_an_absent_store_has_no_size(tmp_path):
    assert store_size(str(tmp_path / "absent")) is None


def test_pruning_leaves_all_deployments_that_can_be_restored(site, cache):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    site.deploy()
    first = site.files()
    site.control.commit({"new": "x"})
    site.deploy()
    before = store_size(cache)
    removed = prune_store(cache)
    assert (removed.files, removed.trees, removed.remotes) == (0, 0, 0)
    assert store_size(cache).trees == before.trees
    assert rollback(site.options("production")).is_whole
    assert site.files() == first
    assert not (removed := prune_store(cache)).files, removed


def test_what_nothing_needs_goes(site, cache):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    for number in range(13):
        site.control.commit({"number": str(number)})
        site.deploy()
    site.puppetfile("# none")
    for number in range(11):
        site.control.commit({"number": f"again {number}"})
        site.deploy()
    removed = prune_store(cache)
    assert removed.files >= 15
    assert removed.bytes > 0
    assert removed.trees >= 14
    assert removed.remotes == 1
    assert removed.bases == 1
    assert len(status(site.options())[0].deployments) == 10
    assert not site.deploy().environments[0].changed
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    assert site.deploy().is_whole
    assert "modules/alpha/manifests/init.pp" in site.files()


def test_a_base_directory_that_is_gone_needs_nothing(site, cache):
    site.deploy()
    linked_files.remove_tree(str(site.env))
    linked_files.remove_tree(str(site.top / ".env.bunraku"))
    removed = prune_store(cache)
    assert removed.bases == 0
    assert store_size(cache).files == 0
    assert site.deploy().is_whole


def test_a_base_directory_counts_also_if_nothing_changed_with_a_new_store(site, cache):
    site.deploy()
    linked_files.remove_tree(cache)
    site.deploy()
    assert prune_store(cache).bases == 1


def test_pruning_waits_for_a_deployment(site, cache):
    site.deploy()
    used = Store(cache)
    used.prepare()
    waited, done = threading.Event(), threading.Event()

    def prune():
        prune_store(cache, waited.set)
        done.set()

    thread = threading.Thread(target=prune)
    thread.start()
    assert waited.wait(20)
    assert not done.wait(0.2)
    del used
    assert done.wait(20)
    thread.join()


def test_other_directories_lose_nothing(tmp_path):
    for name in ("files/a", "files/ab/c", "trees/x", "names/y", "git/mine/HEAD", "git/x.lock"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    prune_store(str(tmp_path))
    verify_store(str(tmp_path))
    assert set(before) <= set(tmp_path.rglob("*"))


def test_damage_without_a_trace_is_found_and_repaired(site, cache):
    site.control.branch("dev", {"x": "1"})
    site.deploy()
    deployed = site.env / "production/manifests/site.pp"
    before = deployed.stat()
    with deployed.open("r+b") as file:
        file.write(b"N")
    os.utime(deployed, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not any(one.edited for one in status(site.options()))
    found = verify_store(cache)
    assert len(found.damaged) == 1
    assert all(one.edited == ("manifests/site.pp",) for one in status(site.options()))
    assert site.deploy().is_whole
    for name in ("production", "dev"):
        assert (site.env / name / "manifests/site.pp").read_text() == "node default { }\n"
    assert verify_store(cache).damaged == ()


def test_damaged_lists_and_git_copies_are_removed(site, cache):
    site.deploy()
    tree = next((site.top / "cache/trees").iterdir())
    tree.write_text("{}")
    [copy] = (site.top / "cache/git").glob("*/")
    pack = next(path for path in copy.rglob("*") if path.is_file() and len(path.name) == 38)
    pack.chmod(0o600)
    pack.write_bytes(b"damaged")
    assert verify_store(cache).damaged == (str(tree), str(copy))
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole
    assert verify_store(cache).damaged == ()


def test_a_store_that_this_process_has_left_is_not_waited_for(site, cache):
    """It hung without tree-sitter: the error of its import kept a store until the next collection."""

    def fail():
        raise AssertionError("waits for a store that nothing uses")

    site.deploy()
    tree = next((site.top / "cache/trees").iterdir())
    tree.write_text("{}")
    gc.disable()
    try:
        left = [Store(cache)]
        left[0].prepare()
        left.append(left)
        del left
        assert verify_store(cache, fail).damaged == (str(tree),)
    finally:
        gc.enable()


def test_the_command_shows_prunes_and_verifies(site, cache, capsys):
    site.deploy()
    site.control.commit({"new": "x"})
    site.deploy()
    assert main(["cache", "--cachedir", cache, "--format", "json"]) == 0
    modules = json.loads(capsys.readouterr().out)["modules"]
    assert (modules["folder"], modules["exists"], modules["files"]) == (cache, True, 2)
    assert (modules["trees"], modules["remotes"], modules["bases"]) == (2, 1, 1)
    assert main(["cache", "--cachedir", cache]) == 0
    assert "2 files (4 KiB)" not in capsys.readouterr().out
    assert main(["cache", "prune", "--cachedir", cache]) == 0
    assert "0 files (0 KiB), 0 trees, 0 git remotes" in capsys.readouterr().out
    assert main(["cache", "verify", "--cachedir", cache]) == 0
    assert capsys.readouterr().out == "5 checked, 0 damaged\n"
    stored = next(path for path in (site.top / "cache/files").rglob("*") if path.is_file())
    stored.write_text("damaged")
    assert main(["cache", "verify", "--cachedir", cache, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["damaged"] == [str(stored)]


def test_the_store_in_the_cache_of_code_is_not_cleared(site, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(site.top / "home"))
    store = Store(str(site.top / "home/bunraku/modules"))
    store.prepare()
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().err == ""
    assert os.path.isdir(store.root)
