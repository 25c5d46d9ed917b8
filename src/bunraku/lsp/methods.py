"""The dispatch table: each request and notification with the function that answers it.

A feature is a file in ``features/`` and a row here; the row also has what the server declares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.lsp.features import (
    code_actions,
    code_lens,
    commands,
    completion,
    documents,
    folding,
    formatting,
    hierarchy,
    hover,
    inlay_hints,
    links,
    navigation,
    nodes,
    rename,
    semantic_tokens,
    signature,
    symbols,
    workspace,
)
from bunraku.lsp.query import ClientQuery, Json


@record(frozen=True)
class Feature:
    """A request that clients can send.

    ``capability`` is what the server declares for it. A ``retried`` request is sent again by clients
    after a change of the document: it ends early when one comes.
    """

    answer: Callable[[ClientQuery], Json]
    capability: Mapping[str, Any] = field(default_factory=dict)
    retried: bool = False


REQUESTS: Mapping[str, Feature] = {
    "textDocument/hover": Feature(hover.on_hover, {"hoverProvider": True}),
    "textDocument/definition": Feature(navigation.on_definition, {"definitionProvider": True}),
    "textDocument/declaration": Feature(navigation.on_definition, {"declarationProvider": True}),
    "textDocument/typeDefinition": Feature(
        navigation.on_type_definition, {"typeDefinitionProvider": True}
    ),
    "textDocument/implementation": Feature(
        navigation.on_implementation, {"implementationProvider": True}
    ),
    "textDocument/references": Feature(navigation.on_references, {"referencesProvider": True}),
    "textDocument/prepareCallHierarchy": Feature(
        hierarchy.on_prepare_calls, {"callHierarchyProvider": True}
    ),
    "callHierarchy/incomingCalls": Feature(hierarchy.on_incoming),
    "callHierarchy/outgoingCalls": Feature(hierarchy.on_outgoing),
    "textDocument/prepareTypeHierarchy": Feature(
        hierarchy.on_prepare_types, {"typeHierarchyProvider": True}
    ),
    "typeHierarchy/supertypes": Feature(hierarchy.on_supertypes),
    "typeHierarchy/subtypes": Feature(hierarchy.on_subtypes),
    "textDocument/documentLink": Feature(
        links.on_links, {"documentLinkProvider": {}}, retried=True
    ),
    "textDocument/codeLens": Feature(
        code_lens.on_code_lens, {"codeLensProvider": {"resolveProvider": True}}, retried=True
    ),
    "codeLens/resolve": Feature(code_lens.on_resolve_code_lens),
    "textDocument/completion": Feature(
        completion.on_completion,
        {
            "completionProvider": {
                "triggerCharacters": completion.TRIGGERS,
                "resolveProvider": True,
            }
        },
        retried=True,
    ),
    "completionItem/resolve": Feature(completion.on_resolve_completion),
    "textDocument/signatureHelp": Feature(
        signature.on_signature_help,
        {"signatureHelpProvider": {"triggerCharacters": ["(", ","]}},
    ),
    "textDocument/semanticTokens/full": Feature(
        semantic_tokens.on_semantic_tokens,
        {
            "semanticTokensProvider": {
                "legend": semantic_tokens.LEGEND,
                "full": True,
                "range": True,
            }
        },
        retried=True,
    ),
    "textDocument/semanticTokens/range": Feature(
        semantic_tokens.on_semantic_tokens_of_range, retried=True
    ),
    "textDocument/inlayHint": Feature(
        inlay_hints.on_inlay_hints, {"inlayHintProvider": True}, retried=True
    ),
    "textDocument/foldingRange": Feature(
        folding.on_folding_ranges, {"foldingRangeProvider": True}, retried=True
    ),
    "textDocument/selectionRange": Feature(
        folding.on_selection_ranges, {"selectionRangeProvider": True}
    ),
    "textDocument/documentHighlight": Feature(
        rename.on_highlights, {"documentHighlightProvider": True}, retried=True
    ),
    "textDocument/prepareRename": Feature(rename.on_prepare_rename),
    "textDocument/rename": Feature(rename.on_rename, {"renameProvider": {"prepareProvider": True}}),
    "textDocument/codeAction": Feature(
        code_actions.on_code_actions,
        {"codeActionProvider": {"codeActionKinds": code_actions.KINDS}},
        retried=True,
    ),
    "textDocument/formatting": Feature(
        formatting.on_formatting, {"documentFormattingProvider": True}
    ),
    "textDocument/rangeFormatting": Feature(
        formatting.on_range_formatting, {"documentRangeFormattingProvider": True}
    ),
    "textDocument/onTypeFormatting": Feature(
        formatting.on_type_formatting,
        {"documentOnTypeFormattingProvider": formatting.ON_TYPE},
    ),
    "textDocument/documentSymbol": Feature(
        symbols.on_document_symbols, {"documentSymbolProvider": True}, retried=True
    ),
    "workspace/symbol": Feature(
        symbols.on_workspace_symbols, {"workspaceSymbolProvider": {"resolveProvider": True}}
    ),
    "workspace/executeCommand": Feature(
        commands.on_execute, {"executeCommandProvider": {"commands": [*commands.COMMANDS]}}
    ),
    "bunraku/nodes": Feature(nodes.on_nodes),
    "bunraku/chooseNode": Feature(nodes.on_choose_node),
    "workspaceSymbol/resolve": Feature(symbols.on_resolve_workspace_symbol),
}
NOTIFICATIONS: Mapping[str, Callable[[ClientQuery], None]] = {
    "initialized": workspace.on_initialized,
    "workspace/didChangeConfiguration": workspace.on_settings,
    "workspace/didChangeWatchedFiles": workspace.on_watched_files,
    "workspace/didChangeWorkspaceFolders": workspace.on_folders,
    "textDocument/didOpen": documents.on_open,
    "textDocument/didChange": documents.on_change,
    "textDocument/didSave": documents.on_save,
    "textDocument/didClose": documents.on_close,
}
INCREMENTAL = 2
ALWAYS: Mapping[str, Any] = {
    "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {}},
    "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
}


def server_capabilities() -> dict[str, Any]:
    """Return what the server declares: that of all rows."""
    found: dict[str, Any] = {**ALWAYS}
    for feature in REQUESTS.values():
        found.update(feature.capability)
    return found
