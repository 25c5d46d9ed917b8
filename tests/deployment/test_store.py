"""The store has the content of each file once and notices when a file is not as it was written."""

import os

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.store import Store, file_time, is_unchanged


@pytest.fixture
def store(tmp_path):
    tmp_path.chmod(0o700)
    made = Store(str(tmp_path / "store"))
    made.prepare()
    return made


def tree_of(store, tmp_path, files, name="t"):
    top = tmp_path / name
    for path, content in files.items():
        target = top / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return store.take_tree(str(top))


def test_equal_files_are_kept_once_and_their_trees_are_equal(store, tmp_path):
    one = tree_of(store, tmp_path, {"a": b"x", "b/c": b"x"}, "one")
    two = tree_of(store, tmp_path, {"b/c": b"x", "a": b"x"}, "two")
    assert one == two
    assert len([names for *_, names in os.walk(f"{store.root}/files") if names]) == 1


def test_modes_and_links_are_kept(store, tmp_path):
    top = tmp_path / "t"
    top.mkdir()
    (top / "run").write_text("#!/bin/sh\n")
    (top / "run").chmod(0o750)
    (top / "link").symlink_to("run")
    tree = store.take_tree(str(top))
    assert tree.entries["run"][0] == "x"
    assert tree.entries["link"] == ("l", "run", 3)
    store.place(tree.entries["run"], str(tmp_path / "placed"))
    assert (tmp_path / "placed").stat().st_mode & 0o777 == 0o755


def test_a_fifo_is_refused(store, tmp_path):
    (tmp_path / "t").mkdir()
    os.mkfifo(tmp_path / "t" / "pipe")
    with pytest.raises(PuppetError) as caught:
        store.take_tree(str(tmp_path / "t"))
    assert caught.value.code == "STORE_UNFIT"


def test_the_time_of_a_file_comes_from_its_content(store, tmp_path):
    tree = tree_of(store, tmp_path, {"a": b"x"})
    entry = tree.entries["a"]
    assert int(os.stat(store.path_of(entry)).st_mtime) == file_time(entry[1])


def test_a_placed_file_that_is_edited_is_not_unchanged(store, tmp_path):
    entry = tree_of(store, tmp_path, {"a": b"x"}).entries["a"]
    placed = tmp_path / "placed"
    store.place(entry, str(placed))
    assert is_unchanged(os.lstat(placed), entry)
    placed.write_bytes(b"y")
    assert not is_unchanged(os.lstat(placed), entry)


def test_an_edit_through_a_hard_link_makes_the_store_fetch_again(store, tmp_path):
    tree = tree_of(store, tmp_path, {"a": b"x", "b": b"other"})
    placed = tmp_path / "placed"
    store.place(tree.entries["a"], str(placed))
    placed.write_bytes(b"edited")
    fresh = Store(store.root)
    assert fresh.listing(tree.digest) == tree
    assert fresh.tree(tree.digest) is None
    assert not os.path.exists(store.path_of(tree.entries["a"]))
    assert placed.read_bytes() == b"edited"
    assert tree_of(fresh, tmp_path, {"a": b"x", "b": b"other"}, "again") == tree
    assert fresh.tree(tree.digest) == tree


def test_copies_do_not_share_edits(tmp_path):
    tmp_path.chmod(0o700)
    store = Store(str(tmp_path / "store"), link=False)
    store.prepare()
    entry = tree_of(store, tmp_path, {"a": b"x"}).entries["a"]
    placed = tmp_path / "placed"
    store.place(entry, str(placed))
    assert is_unchanged(os.lstat(placed), entry)
    placed.write_bytes(b"edited")
    assert store.read(entry) == b"x"


def test_content_that_was_damaged_without_a_trace_is_found(store, tmp_path):
    tree = tree_of(store, tmp_path, {"a": b"x"})
    path = store.path_of(tree.entries["a"])
    before = os.stat(path)
    with open(path, "r+b") as file:
        file.write(b"y")
    os.utime(path, (before.st_atime, before.st_mtime))
    assert store.damaged(tree) == ["a"]
    with pytest.raises(PuppetError) as caught:
        store.read(tree.entries["a"])
    assert caught.value.code == "STORE_DAMAGED"


@pytest.mark.parametrize("content", [b"", b"{}", b'{"schema":1,"files":{"../x":["f","00",1]}}'])
def test_a_damaged_list_of_files_is_as_if_it_were_absent(store, tmp_path, content):
    tree = tree_of(store, tmp_path, {"a": b"x"})
    with open(f"{store.root}/trees/{tree.digest}", "wb") as file:
        file.write(content)
    assert Store(store.root).tree(tree.digest) is None


def test_names_lead_to_trees_as_long_as_they_are_whole(store, tmp_path):
    tree = tree_of(store, tmp_path, {"a": b"x"})
    store.remember("name", tree)
    assert Store(store.root).remembered("name") == tree
    assert Store(store.root).remembered("other") is None
    os.unlink(store.path_of(tree.entries["a"]))
    assert Store(store.root).remembered("name") is None


def test_the_store_is_private(store, tmp_path):
    tree = tree_of(store, tmp_path, {"a": b"x"})
    store.remember("name", tree)
    for directory, _names, files in os.walk(store.root):
        assert os.stat(directory).st_mode & 0o077 == 0
        if not directory.startswith(f"{store.root}/files"):
            assert all(os.stat(f"{directory}/{one}").st_mode & 0o077 == 0 for one in files)


def test_a_store_that_others_can_change_is_refused(tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.raises(PuppetError) as caught:
        Store(str(open_to_all / "store")).prepare()
    assert caught.value.code == "STORE_NOT_PRIVATE"
