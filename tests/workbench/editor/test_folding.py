"""What can be folded, and what is selected around a cursor."""

from __future__ import annotations

from itertools import pairwise

from bunraku.workbench.editor.folding import folds, selections

TEXT = """# One
# two
class ntp (
  String $a,
) {
  file { '/x':
    mode => '0644',
  }
  $text = @(END)
    one
    two
    | END
}
^"""


def test_brackets_comments_and_heredocs_fold(workspace):
    made = workspace({"manifests/init.pp": TEXT})
    found = {(one.first, one.last, one.kind) for one in folds(made.snapshot, made.path)}
    assert found == {
        (1, 2, "comment"),
        (3, 4, "code"),
        (5, 12, "code"),
        (6, 7, "code"),
        (10, 12, "text"),
    }


def test_a_broken_text_folds_what_is_whole(workspace):
    made = workspace({"manifests/init.pp": "class a {\n  if $x {\n    $y\n  }\n^"})
    assert [(one.first, one.last) for one in folds(made.snapshot, made.path)] == [(2, 3)]


def test_selections_grow(workspace):
    text = "class ntp {\n  file { '/x': mode => '06^44' }\n}\n"
    made = workspace({"manifests/init.pp": text})
    source = made.snapshot.source(made.path)
    pieces = [source.text[one.start : one.end] for one in selections(*made.cursor)]
    assert pieces[:2] == ["'0644'", "mode => '0644'"]
    assert pieces[-1] == source.text
    assert all(small in large for small, large in pairwise(pieces))


def test_selections_in_broken_code_stay_in_the_text(workspace):
    made = workspace({"manifests/init.pp": "class ntp(\n) inherits ntp::base {^"})
    found = selections(*made.cursor)
    assert len(found) == len(set(found))
    assert max(one.end for one in found) == made.offset
