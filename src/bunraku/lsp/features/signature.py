"""The parameters of the function whose arguments are being written."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json


def on_signature_help(query: ClientQuery) -> Json:
    """Answer the signatures of the call around the cursor."""
    from bunraku.workbench.editor.signature import signature_help

    found = signature_help(query.snapshot, query.path, query.offset)
    if found is None:
        return None
    return {
        "signatures": [
            {
                "label": one.label,
                "parameters": [
                    {"label": one.label[piece.start : piece.end]} for piece in one.parameters
                ],
                "documentation": {"kind": "markdown", "value": one.documentation},
            }
            for one in found.signatures
        ],
        "activeSignature": found.active,
        "activeParameter": found.argument,
    }
