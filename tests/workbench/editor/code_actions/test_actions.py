"""What can be done about the code between two marks: the texts after it."""

from __future__ import annotations

import os

import pytest

from bunraku.base.text_edits import edited
from bunraku.workbench.editor.code_actions.action import EditedRange
from bunraku.workbench.editor.code_actions.actions import code_actions
from bunraku.workbench.editor.places import TextRange

SERVER = {"manifests/server.pp": "class ntp::server(Integer $port) {\n}\n"}


def actions(
    workspace,
    text,
    *,
    code="",
    message="",
    files=None,
    name="manifests/init.pp",
    only=(),
    automatic=False,
):
    """Return the actions for the code from the mark to the next one, with their texts after them."""
    start = text.index("^")
    end = text.index("^", start + 1) - 1 if text.count("^") > 1 else start
    made = workspace({**(files or {}), name: text.replace("^", "")})
    path = f"{made.root}/{name}"
    made.host.change(path, text.replace("^", ""))
    piece = TextRange(start, end)
    findings = ((piece, code, message),) if code else ()
    found = code_actions(made.snapshot, EditedRange(path, piece, findings, automatic), only)
    texts = {}
    for one in found:
        changed = {
            file: edited(made.snapshot.source(file).text, some) for file, some in one.edits.items()
        }
        texts[one.title] = {
            os.path.relpath(file, made.root): text
            for file, text in {**changed, **one.created}.items()
        }
    return texts


def test_the_lint_is_corrected(workspace):
    found = actions(workspace, 'class ntp {\n  $x = ^"a"\n}\n')
    title = next(one for one in found if one.startswith("Correct: double quoted"))
    assert found[title] == {"manifests/init.pp": "class ntp {\n  $x = 'a'\n}\n"}


def test_all_findings_are_corrected(workspace):
    found = actions(workspace, 'class ntp {\n  $x = ^"a"\n  $y = "b"\n}\n', only=["source.fixAll"])
    assert (
        found["Correct all findings of the lint in this file"]["manifests/init.pp"].count('"') == 0
    )


def test_an_editor_that_asks_by_itself_gets_no_lint_of_the_file_without_findings(workspace):
    text = 'class ntp {\n  $x = ^"a"\n}\n'
    assert [one for one in actions(workspace, text, automatic=True) if "Correct" in one] == []


def test_an_editor_that_asks_by_itself_gets_the_corrections_of_its_findings(workspace):
    text = 'class ntp {\n  $x = ^"a"^\n}\n'
    found = actions(workspace, text, code="double_quoted_strings", message="x", automatic=True)
    assert [one.partition(":")[0] for one in found if "Correct" in one] == ["Correct"]


def test_a_similar_name_is_put_in(workspace):
    message = "Could not find class ntp::sevrer\nhint: did you mean 'ntp::server'?"
    found = actions(
        workspace, "include ^ntp::sevrer^", code="UNKNOWN_CLASS", message=message, files=SERVER
    )
    assert found["Change 'ntp::sevrer' to 'ntp::server'"] == {
        "manifests/init.pp": "include ntp::server"
    }


@pytest.mark.parametrize(
    ("code", "message", "title", "files"),
    [
        (
            "UNKNOWN_CLASS",
            "Could not find class ntp::a::b",
            "Create the class ntp::a::b",
            ["manifests/a/b.pp"],
        ),
        (
            "FILE_NOT_FOUND",
            "Could not find 'ntp/a/b.epp' in the templates of its module",
            "Create templates/a/b.epp",
            ["templates/a/b.epp"],
        ),
    ],
)
def test_what_is_missing_is_created(workspace, code, message, title, files):
    found = actions(workspace, "include ^x^", code=code, message=message, files=SERVER)
    assert sorted(found[title]) == files


def test_a_missing_key_is_added(workspace):
    message = "Class[Ntp::Server] needs a value for parameter 'port'"
    files = {**SERVER, "data/common.yaml": "---\na: 1\n"}
    found = actions(
        workspace, "include ^x^", code="MISSING_PARAMETER", message=message, files=files
    )
    assert found["Add the key to data/common.yaml"] == {
        "data/common.yaml": "---\na: 1\nntp::server::port: ~\n"
    }


def test_nothing_is_created_outside_of_a_module(workspace):
    message = "Could not find 'ntp/../../x' in the files of its module"
    assert not actions(
        workspace, "include ^x^", code="FILE_NOT_FOUND", message=message, only=["quickfix"]
    )


def test_parameters_are_documented(workspace):
    text = "# @summary A class\n#\n# @param one\n#   One\nclass ntp(\n  $one,\n  $^two,\n) {\n}\n"
    found = actions(workspace, text)
    expected = text.replace("^", "").replace(
        "class ntp", "#\n# @param two\n#   Describe it here\nclass ntp"
    )
    assert found["Add documentation"] == {"manifests/init.pp": expected}


def test_a_variable_is_extracted(workspace):
    text = "class ntp {\n  file { '/x':\n    content => ^join([1, 2], ',')^,\n  }\n}\n"
    found = actions(workspace, text)
    assert found["Extract to a variable"] == {
        "manifests/init.pp": "class ntp {\n  $extracted = join([1, 2], ',')\n  file { '/x':\n    content => $extracted,\n  }\n}\n"
    }


@pytest.mark.parametrize(
    "text",
    [
        "class ntp($a = ^join([1], ',')^) {\n  notice(1)\n}\n",
        "class ntp {\n  ^notice(1)^\n}\n",
        "class ntp {\n  [1].each |$x = ^f(1)^| { }\n}\n",
        'class ntp {\n  notice("^a ^${b}")\n}\n',
        "class ntp {\n  notice(\"${^facts['os']^}\")\n}\n",
        "class ntp {\n  notice(\"${^facts['os']^['family']}\")\n}\n",
        "class ntp {\n  notice(^@(END)^)\n    text\n    | END\n}\n",
        "class ntp {\n  notice(^join([@(END)])^)\n    text\n    | END\n}\n",
    ],
)
def test_no_variable_where_no_statement_fits(workspace, text):
    assert "Extract to a variable" not in actions(workspace, text)


def test_a_class_is_extracted(workspace):
    text = "class ntp(String $host) {\n  $own = 1\n  ^file { '/x':\n    content => \"${host} ${own}\",\n  }^\n  notice($own)\n}\n"
    found = actions(workspace, text)["Extract to a class"]
    assert (
        found["manifests/init.pp"]
        == "class ntp(String $host) {\n  $own = 1\n  contain ntp::extracted\n  notice($own)\n}\n"
    )
    assert found["manifests/extracted.pp"].endswith(
        "class ntp::extracted {\n  file { '/x':\n    content => \"${ntp::host} ${ntp::own}\",\n  }\n}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "class ntp {\n  ^$own = 1^\n  notice($own)\n}\n",
        "class ntp ^{ }^\n",
        "class ntp {\n  ^notice(@(END))^\n    text\n    | END\n}\n",
    ],
)
def test_what_cannot_be_moved_to_a_class_stays(workspace, text):
    assert "Extract to a class" not in actions(workspace, text)
