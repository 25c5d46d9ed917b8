"""An update is known before anything is written: what is changed, removed, carried, edited."""

import os

import pytest

from bunraku.deployment.layers import Layer, composed
from bunraku.deployment.store import Store
from bunraku.deployment.update import update_of


@pytest.fixture
def made(tmp_path):
    tmp_path.chmod(0o700)
    store = Store(str(tmp_path / "store"))
    store.prepare()
    count = iter(range(100))

    def tree(**files):
        top = tmp_path / f"t{next(count)}"
        for name, text in files.items():
            path = top / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return store.take_tree(str(top))

    return store, tree


def put(store, layers, root):
    for path, entry in composed(layers).items():
        target = f"{root}/{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        store.place(entry, target)


def test_a_module_takes_the_place_of_what_the_control_repository_has_there(made):
    _store, tree = made
    base = Layer("", tree(modules__a__old="x", modules__own__x="x", site="s"), "git")
    module = Layer("modules/a", tree(new="y", spec__s="z"), "git", exclude_spec=True)
    assert sorted(composed([base, module])) == ["modules/a/new", "modules/own/x", "site"]


def test_nothing_changes_where_all_is_as_it_was_deployed(made, tmp_path):
    store, tree = made
    layers = [Layer("", tree(a="1", b__c="2"), "git")]
    put(store, layers, tmp_path / "e")
    update = update_of(str(tmp_path / "e"), layers, layers)
    assert update.is_empty
    assert update.edited == []


def test_edits_additions_and_removals_are_told_apart(made, tmp_path):
    store, tree = made
    old = [Layer("", tree(same="1", edited="2", gone="3", missing="4"), "git")]
    new = [Layer("", tree(same="1", edited="2", missing="4", new="5"), "git")]
    root = tmp_path / "e"
    put(store, old, root)
    (root / "edited").unlink()
    (root / "edited").write_text("mine")
    (root / "missing").unlink()
    (root / "stray").write_text("mine")
    (root / "empty").mkdir()
    update = update_of(str(root), new, old)
    assert sorted(update.changed) == ["edited", "missing", "new"]
    assert sorted(update.edited) == ["edited", "missing"]
    assert update.removed == ["gone"]
    assert sorted(update.carried) == ["empty/", "stray"]


def test_directories_that_lose_their_last_file_go(made, tmp_path):
    store, tree = made
    old = [Layer("", tree(a__b__c="1", d="2"), "git")]
    root = tmp_path / "e"
    put(store, old, root)
    update = update_of(str(root), [Layer("", tree(d="2"), "git")], old)
    assert sorted(update.removed) == ["a/", "a/b/", "a/b/c"]


@pytest.mark.parametrize(("kind", "stays"), [("git", True), ("forge", False)])
def test_strange_files_in_a_module_stay_only_in_those_from_git(made, tmp_path, kind, stays):
    store, tree = made
    layers = [Layer("modules/a", tree(x="1"), kind, "a")]
    root = tmp_path / "e"
    put(store, layers, root)
    (root / "modules/a/stray").write_text("mine")
    update = update_of(str(root), layers, layers)
    assert ("modules/a/stray" in update.carried) is stays
    assert ("modules/a/stray" in update.removed) is not stays


def test_a_module_of_another_kind_is_replaced_as_a_whole(made, tmp_path):
    store, tree = made
    old = [Layer("modules/a", tree(x="1"), "git", "a", remote="/r")]
    root = tmp_path / "e"
    put(store, old, root)
    (root / "modules/a/stray").write_text("mine")
    update = update_of(str(root), [Layer("modules/a", tree(x="1"), "git", "a", remote="/s")], old)
    assert update.removed == ["modules/a/stray"]


def test_files_and_directories_change_places(made, tmp_path):
    store, tree = made
    root = tmp_path / "e"
    (root / "a").mkdir(parents=True)
    (root / "a" / "mine").write_text("x")
    (root / "b").write_text("x")
    update = update_of(str(root), [Layer("", tree(a="1", b__c="2"), "git")], [])
    assert sorted(update.changed) == ["a", "b/c"]
    assert sorted(update.removed) == ["a/", "a/mine", "b"]
    assert update.carried == []
    store.prepare()


def test_the_git_directories_of_r10k_go_and_those_of_others_stay(made, tmp_path):
    _store, tree = made
    root = tmp_path / "e"
    for name in (".git/HEAD", "modules/a/.git/HEAD", "other/.git/HEAD"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("ref\n")
    layers = [Layer("", tree(x="1"), "git"), Layer("modules/a", tree(y="1"), "git", "a")]
    update = update_of(str(root), layers, [])
    assert {".git/HEAD", "modules/a/.git/HEAD"} <= set(update.removed)
    assert "other/.git/HEAD" in update.carried


def test_changes_in_one_module_need_only_its_directory(made, tmp_path):
    store, tree = made
    base = Layer("", tree(site="s"), "git")
    old = [base, Layer("modules/a", tree(x="1"), "git", "a")]
    new = [base, Layer("modules/a", tree(x="2"), "git", "a")]
    root = tmp_path / "e"
    put(store, old, root)
    update = update_of(str(root), new, old)
    assert update.smallest(["", "modules/a"]) == "modules/a"
    (root / "site").unlink()
    assert update_of(str(root), new, old).smallest(["", "modules/a"]) == ""
