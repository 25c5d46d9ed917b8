"""The resource type augeas: commands and conditions, and their effects on the tree and the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku import PuppetError
from bunraku.providers.augeas.commands import parse_array, parse_commands
from bunraku.providers.augeas.conditions import holds
from bunraku.providers.errors import ResourceFailure
from bunraku.world.augeas import AugeasError, LibraryTree, is_installed
from bunraku.world.linux import LinuxHost
from support.applying import apply
from support.augeas import MemoryTree
from support.host import MemoryHost

CONTEXT = "/files/etc/app"
SAVES = [("save", "noop"), ("save", "overwrite")]


# -- commands ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("set a 1", ["/files/etc/app/a", "1"]),
        ("set a/ 1", ["/files/etc/app/a", "1"]),
        ("set /x 1", ["/x", "1"]),
        ("set $v/x 1", ["$v/x", "1"]),
        ("set a one two", ["/files/etc/app/a", "one"]),
        ("set a 'one two'", ["/files/etc/app/a", "one two"]),
        ('set a "it\'s \\"so\\" \\\' "', ["/files/etc/app/a", "it's \"so\" \\' "]),
        ("set a ''", ["/files/etc/app/a", ""]),
        ("set *[b = 'c d']/e f", ["/files/etc/app/*[b = 'c d']/e", "f"]),
        ("set 'a b' c", ["/files/etc/app/a b", "c"]),
        ("set a\\ b c", ["/files/etc/app/a\\ b", "c"]),
        ("ins x before a", ["x", "before", "/files/etc/app/a"]),
        ("match a size == 1", ["/files/etc/app/a", "size == 1"]),
        ("get a >= 3", ["/files/etc/app/a", ">=", "3"]),
        ("size > 12", [">", "12"]),
        ("rm", ["/files/etc/app/"]),
    ],
)
def test_arguments(line: str, arguments: list[str]) -> None:
    assert parse_commands(line, CONTEXT) == [(line.split(maxsplit=1)[0], arguments)]


def test_commands_are_lines_or_elements() -> None:
    by_line = parse_commands("set a 1\n\n  rm b  \n", "")

    assert by_line == [("set", ["a", "1"]), ("rm", ["b"])]
    assert parse_commands([["set a 1"], None, "", "rm b"], "") == by_line


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("put a 1", "Unknown command put"),
        ("(", "Unknown command "),
        ("set a", "missing string argument 2 for set"),
        ("set a] 1", "unmatched ["),
        ("get a 1", "invalid comparator for command get"),
    ],
)
def test_wrong_commands(line: str, reason: str) -> None:
    with pytest.raises(ResourceFailure) as refused:
        parse_commands(line, "")
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[]", []),
        ("['a' , \"b\", ]", ["a", "b"]),
        (r"""[ '\'\\', "\"\t\x41\101\u0041\u{41 42}\s" ]""", ["'\\", '"\tAAAAB ']),
    ],
)
def test_arrays(text: str, found: list[str]) -> None:
    assert parse_array(text) == found


@pytest.mark.parametrize("text", ["", "[a]", "['a'", "['a'] x", r'["\q"]', "['\\n']"])
def test_wrong_arrays(text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        parse_array(text)


# -- conditions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ("get num > 9", True),
        ("get word > 9", True),
        ("get num == 10.0", False),
        ("get num <= 10.0", True),
        ("get gone == ''", True),
        ("get word =~ ^a", True),
        ("get word =~ ^b", False),
        ("match x/* size == 2", True),
        ("match x/* size != 2", False),
        ("match x/* size =~ 2", False),
        ("match x/* include /f/x/1", True),
        ("match x/* not_include /f/x/1", False),
        ("match x/* == ['/f/x/1', '/f/x/2']", True),
        ("match x/* != ['/f/x/1']", True),
        ("match x/* get a == b", False),
        ("values x/* include one", True),
        ("values x/* == ['one', \"two\"]", True),
        ("values x/* size == 2", False),
        ("set x 1", True),
    ],
)
def test_conditions(condition: str, held: bool) -> None:
    tree = MemoryTree({"/f/num": "10", "/f/word": "abc", "/f/x/1": "one", "/f/x/2": "two"})

    assert holds(tree, parse_commands(condition, "/f")[0], "/f") is held


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("get a =~ (", "Error sending command 'get' with params []/"),
        ("match a", "Error sending command 'match' with params nil/the clause"),
        ("match a count 1", "Error sending command 'match' with params nil/Unknown command count"),
        ("values a == [x", "Error sending command 'values' with params nil/Invalid array"),
    ],
)
def test_wrong_conditions(condition: str, reason: str) -> None:
    with pytest.raises(ResourceFailure) as refused:
        holds(MemoryTree({}), parse_commands(condition, "")[0], "")
    assert str(refused.value).startswith(reason)


# -- the type, on a tree in memory -------------------------------------------------------------------


def test_changes_are_tried_before_they_are_written() -> None:
    tree = MemoryTree({"/files/etc/app/a": "1"})
    host = MemoryHost(tree=tree)
    code = f"augeas {{ 'x': context => '{CONTEXT}', changes => ['set a 2', 'mv b c'] }}"

    assert apply(host, code).changes == ["Augeas[x]/returns: executed successfully"]
    assert [call for call in tree.calls if call[0] == "save"] == SAVES
    assert [call for call in tree.calls if call[0] == "move"] == [
        ("move", "/files/etc/app/b", "/files/etc/app/c")
    ]
    assert tree.closed


@pytest.mark.parametrize(
    "parameters",
    [
        "changes => 'set a 1'",
        "changes => 'set a 2', onlyif => 'match a size == 0'",
        "changes => 'set a 2', onlyif => 'match a size == 0', force => true",
    ],
)
def test_nothing_is_written_if_nothing_changes(parameters: str) -> None:
    tree = MemoryTree({"/files/etc/app/a": "1"})
    host = MemoryHost(tree=tree)

    assert apply(host, f"augeas {{ 'x': context => '{CONTEXT}', {parameters} }}").changes == []
    assert ("save", "overwrite") not in tree.calls
    assert tree.closed


def test_noop_writes_nothing() -> None:
    tree = MemoryTree({})
    code = f"augeas {{ 'x': context => '{CONTEXT}', changes => 'set a 2', noop => true }}"

    done = apply(MemoryHost(tree=tree), code)

    assert done.changes == ["Augeas[x]/returns: current_value 'need_to_run', should be 0 (noop)"]
    assert ("save", "overwrite") not in tree.calls
    assert tree.closed


def test_forced_changes_are_made_without_a_trial() -> None:
    tree = MemoryTree({"/files/etc/app/a": "1"})
    code = f"augeas {{ 'x': context => '{CONTEXT}', changes => 'set a 1', force => true }}"

    assert len(apply(MemoryHost(tree=tree), code).changes) == 1
    assert [call for call in tree.calls if call[0] == "save"] == [("save", "overwrite")]


@pytest.mark.parametrize(
    ("change", "failing", "reason"),
    [
        ("ins x above a", "", 'params ["x", "above", "/files/etc/app/a"]/Invalid value \'above\''),
        ("get a == b", "", "Command 'get' is not supported"),
        ("rm a", "remove", "Error sending command 'rm' with params [\"/files/etc/app/a\"]/Error"),
        ("touch a", "match", "no match today"),
        ("set a 1", "save", "Save failed, see debug output for details"),
    ],
)
def test_failures(change: str, failing: str, reason: str) -> None:
    host = MemoryHost(tree=MemoryTree({}, failing=[failing]))

    done = apply(
        host, f"augeas {{ 'x': lens => 'A.lns', incl => '/etc/app', changes => '{change}' }}"
    )

    line = next(line for line in done.lines if line.startswith("Error: /Stage"))
    assert line.startswith("Error: /Stage[main]/Main/Augeas[x]: Could not evaluate: ")
    assert reason in line


def test_secret_changes_are_not_shown() -> None:
    code = "augeas { 'x': context => '/files/etc/app', changes => Sensitive('put hush'), }"
    done = apply(MemoryHost(tree=MemoryTree({}, failing=["remove"])), code.replace("put", "rm"))

    assert not any("hush" in line for line in done.lines)


def test_a_lens_needs_a_file() -> None:
    with pytest.raises(PuppetError) as refused:
        apply(MemoryHost(tree=MemoryTree({})), "augeas { 'x': lens => 'A.lns' }")
    assert refused.value.message == (
        "Validation of Augeas[x] failed: "
        "You must specify both the lens and incl parameters, or neither."
    )


def test_without_the_library_the_resource_fails() -> None:
    done = apply(MemoryHost(), "augeas { 'x': changes => 'rm /files/a' }")

    assert any("Could not find a suitable provider for augeas" in line for line in done.lines)


# -- the library -------------------------------------------------------------------------------------

LENS = r"""module Mine =
  let entry = [ key /[a-z]+/ . del /:/ ":" . store /[^\n]+/ . del /\n/ "\n" ]
  let lns = entry*
"""
with_library = pytest.mark.skipif(not is_installed(), reason="libaugeas is not installed")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a directory with a file, and a lens for it."""
    (tmp_path / "mine.aug").write_text(LENS)
    (tmp_path / "file").write_text("a:1\nb:zwei ä\n")
    return tmp_path


def change(root: Path, changes: str, *more: str) -> list[str]:
    """Apply changes to the file; return the changed properties."""
    parameters = f"root => '{root}', load_path => '{root}', lens => 'Mine.lns', incl => '/file'"
    rest = "".join(f", {one}" for one in more)
    return apply(LinuxHost(), f"augeas {{ 'x': {parameters}, changes => {changes}{rest} }}").lines


@with_library
def test_files_change_once(root: Path) -> None:
    (root / "file").chmod(0o640)

    assert "executed successfully" in change(root, "['set a ö', 'set c 3', 'rm b']")[-1]
    assert (root / "file").read_text() == "a:ö\nc:3\n"
    assert (root / "file").stat().st_mode & 0o777 == 0o640
    assert change(root, "['set a ö', 'set c 3', 'rm b']") == []


@with_library
def test_noop_leaves_no_file_behind(root: Path) -> None:
    before = sorted(path.name for path in root.iterdir())

    change(root, "'set a 2'", "noop => true")
    change(root, "'rm /files/file'", "noop => true")

    assert (root / "file").read_text() == "a:1\nb:zwei ä\n"
    assert sorted(path.name for path in root.iterdir()) == before


@with_library
def test_what_the_lens_cannot_write_fails(root: Path) -> None:
    lines = change(root, "'set A 2'")

    assert any("Save failed, see debug output for details" in line for line in lines)
    assert (root / "file").read_text() == "a:1\nb:zwei ä\n"


@with_library
def test_the_tree_of_the_library(root: Path) -> None:
    tree = LibraryTree(str(root), str(root), type_check=True, autoload=False)
    tree.set("/augeas/load/Mine/lens", "Mine.lns")
    tree.set("/augeas/load/Mine/incl", "/file")
    assert tree.load()

    assert tree.match("/files/file/*") == ["/files/file/a", "/files/file/b"]
    assert [tree.get("/files/file/b"), tree.get("/files/file/*"), tree.get("/x")] == [
        "zwei ä", None, None,
    ]  # fmt: skip
    assert tree.insert("/files/file/a", "n", before=True)
    assert tree.set("/files/file/n", "0")
    assert tree.define_variable("v", "/files/file/*")
    assert tree.set_many("$v", ".", "x")
    assert tree.define_node("w", "/files/file/w", "y")
    assert tree.relabel("$w", "z")
    assert tree.move("/files/file/z", "/files/file/q")
    assert tree.text("Mine.lns", "a:1\n", "/files/file") == "n:x\na:x\nb:x\nq:y\n"
    assert not tree.set("/files/file/*", "no")
    assert tree.reason().startswith("Too many matches for path expression")
    assert not tree.move("/none", "/files/x")
    with pytest.raises(AugeasError, match="Matching path expression"):
        tree.match("/files/*[")
    with pytest.raises(AugeasError, match="null byte"):
        tree.set("/files/file/a", "x\0y")
    with pytest.raises(AugeasError, match="cannot be encoded"):
        tree.set("/files/file/a", "\ud800")
    tree.close()
    tree.close()
    with pytest.raises(AugeasError, match="closed"):
        tree.get("/files")


@with_library
def test_a_broken_lens_is_an_error(root: Path) -> None:
    (root / "broken.aug").write_text("module Broken =\n autoload xfm\n let")

    with pytest.raises(AugeasError, match=r"Failed to initialize Augeas: .*broken\.aug"):
        LibraryTree(str(root), str(root), type_check=False, autoload=True)
