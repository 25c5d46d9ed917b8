"""``bunraku compile --profile``: where the time of a compile went, as a page and for speedscope."""

from __future__ import annotations

import json
import re
import sys

import pytest

import bunraku
from bunraku.cli.main import main
from bunraku.cli.pages.model import Place
from bunraku.cli.profile.page import busiest_lines, flat_boxes, page, tree
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.workbench.profile import Profile, StackLevel, stack_levels
from bunraku.workbench.speedscope import speedscope

SLOW = """
class work {
  $n = busy(30000)
  notify { "n ${n}": }
}
function busy($n) { Integer[1, $n].reduce(0) |$m, $i| { $m + $i * 2 % 7 } }
include work
"""


def profile(tmp_path, name, code=SLOW):
    manifest = tmp_path / "site.pp"
    manifest.write_text(code, encoding="utf-8")
    target = tmp_path / name
    status = main(["compile", str(manifest), "--node", "a.example.org", "--profile", str(target)])
    return status, target, manifest


def test_speedscope_has_the_lines_of_manifests(tmp_path, capsys):
    status, target, manifest = profile(tmp_path, "out.json")
    assert status == 0
    assert '"n ' in capsys.readouterr().out
    data = json.loads(target.read_text(encoding="utf-8"))
    frames = data["shared"]["frames"]
    (found,) = data["profiles"]
    assert len(found["samples"]) == len(found["weights"])
    assert sum(found["weights"]) == pytest.approx(found["endValue"])
    assert all(0 <= at < len(frames) for stack in found["samples"] for at in stack)
    assert {frame["file"] for frame in frames if "file" in frame} <= {str(manifest)}


def test_a_sample_has_the_puppet_code_that_runs():
    stacks = []

    @bunraku.function("sample() >> Undef")
    def sample() -> None:
        stacks.append([(place.label, place.line) for place in stack_levels(sys._getframe())])

    code = """
class work {
  $n = busy(1)
}
function busy($n) {
  Integer[1, $n].map |$i| { sample() }
}
include work
"""
    compile_catalog(Request(code=code, functions=[sample]), lambda entry: None)
    assert stacks == [
        [
            ("lambda", 6),
            ("function map", 0),
            ("function busy", 6),
            ("class work", 3),
            ("function include", 0),
            ("main", 8),
        ]
    ]


def test_page_needs_nothing_else(tmp_path, capsys):
    status, target, manifest = profile(tmp_path, "out.html")
    assert status == 0
    capsys.readouterr()
    text = target.read_text(encoding="utf-8")
    assert f"{manifest}" in text
    assert not re.search(r"<(link|script|img)[^>]*\b(src|href)=", text)


def test_a_profile_is_written_when_the_compile_fails(tmp_path, capsys):
    status, target, _ = profile(tmp_path, "out.json", SLOW + "fail('no')")
    assert status == 1
    assert "no" in capsys.readouterr().err
    assert json.loads(target.read_text(encoding="utf-8"))["profiles"]


@pytest.mark.parametrize("name", ["out.txt", "nowhere/out.html"])
def test_a_file_that_cannot_be_is_refused_before_anything_runs(tmp_path, capsys, name):
    status, target, _ = profile(tmp_path, name)
    assert status == 2
    assert not target.exists()
    assert capsys.readouterr().out == ""


def made():
    found = Profile()
    main_, class_ = StackLevel("main", "", "a.pp", 1), StackLevel("class", "</script>", "a.pp", 2)
    found.add((main_,), 1.0)
    found.add((main_, class_), 2.0)
    found.add((main_, class_, class_), 1.0)
    return found


def test_time_is_counted_once_where_code_calls_itself():
    assert made().totals() == [("main", "", 4.0, 1.0), ("class", "</script>", 3.0, 3.0)]


def test_boxes_lie_inside_the_box_below():
    boxes = flat_boxes(tree(made()))
    assert [[box.depth, box.start, box.width] for box in boxes] == [
        [0, 0.0, 1.0],
        [1, 0.0, 1.0],
        [2, 0.0, 0.75],
        [3, 0.0, 0.25],
    ]


def test_the_table_has_the_line_that_took_most_time():
    found = made()
    found.add((StackLevel("main", "", "a.pp", 9),), 5.0)
    assert busiest_lines(found)["main", ""] == Place("a.pp", 9)
    assert '<span class="place">a.pp:9</span>' in page(found, "x")


def test_names_do_not_end_the_script():
    text = page(made(), "<b>")
    assert text.count("</script>") == 2
    assert "<b>" not in text


def test_an_empty_profile_can_be_written():
    assert "<dt>samples</dt><dd>0</dd>" in page(Profile(), "x")
    assert speedscope(Profile(), "x")["profiles"][0]["samples"] == []


def test_a_failing_compile_is_profiled(tmp_path, capsys):
    status, target, _manifest = profile(tmp_path, "out.json", SLOW + "fail('late')\n")
    assert status == 1
    assert json.loads(target.read_text(encoding="utf-8"))["profiles"][0]["samples"]
    assert "late" in capsys.readouterr().err


def test_a_profile_replaces_neither_a_directory_nor_the_file_behind_a_link(tmp_path, capsys):
    (tmp_path / "folder.html").mkdir()
    status, target, _ = profile(tmp_path, "folder.html", "notice(1)")
    assert status == 2
    assert f"bunraku: cannot write {target}: it is a directory\n" in capsys.readouterr().err
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "link.json").symlink_to("victim")
    status, target, _ = profile(tmp_path, "link.json", "notice(1)")
    assert (status, target.is_symlink()) == (0, False)
    assert (tmp_path / "victim").read_text() == "kept"
