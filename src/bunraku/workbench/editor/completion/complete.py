"""What an editor offers at a cursor."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.workbench.editor.completion import files, keys, names, resources, variables
from bunraku.workbench.editor.completion.before import Before, before_cursor
from bunraku.workbench.editor.completion.expected import Expected, expected
from bunraku.workbench.editor.completion.items import CompletionItem, Completions, selected
from bunraku.workbench.editor.languages.readers import DATA
from bunraku.workbench.editor.parsed import PUPPET_CODE
from bunraku.workbench.editor.snapshot import Snapshot


def completions(snapshot: Snapshot, path: str, offset: int) -> Completions | None:
    """Return what can be inserted at a cursor; None where nothing is known."""
    if path.endswith(DATA):
        return keys.in_data(snapshot, path, offset)
    source = snapshot.source(path)
    if source is None or not path.endswith(PUPPET_CODE):
        return None
    before = before_cursor(source, offset, snapshot.project_of(path).dialect)
    if before is None:
        return None
    items = offered(snapshot, path, before, expected(before))
    return selected(items, before.word, before.range)


def offered(
    snapshot: Snapshot, path: str, before: Before, wanted: Expected
) -> Iterable[CompletionItem]:
    """Return the items of the kind that is expected."""
    match wanted.kind:
        case "statement":
            return [
                *names.statement_items(snapshot, path),
                *variables.variables(snapshot, path, before),
            ]
        case "expression":
            return [
                *variables.variables(snapshot, path, before),
                *names.expressions(snapshot, path),
            ]
        case "variable" if "::" in before.word:
            return variables.variables_of_classes(snapshot, before.word)
        case "variable":
            return variables.variables(snapshot, path, before)
        case "method":
            return names.methods(snapshot)
        case "attribute":
            return resources.attributes(snapshot, wanted)
        case "value":
            return resources.values(snapshot, path, before, wanted)
        case "resource_title":
            return resources.titles(snapshot, path, wanted.owner, quoted=before.quote != "")
        case "class":
            return names.classes(snapshot)
        case "data_type":
            return names.data_types(snapshot, path)
        case "fact":
            return variables.fact_keys(wanted.path)
        case "key":
            return keys.parameter_keys(snapshot, before.word)
        case "template":
            return files.templates(snapshot, path, wanted.name)
        case "file":
            return files.files(snapshot, path)
        case "file_url":
            return files.file_urls(snapshot, path)
        case "nothing":
            return []
