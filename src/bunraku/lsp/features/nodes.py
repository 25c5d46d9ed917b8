"""The node whose values the editor shows: which there are, and choosing one.

Requests of bunraku's own: ``bunraku/nodes`` and ``bunraku/chooseNode``. The notification
``bunraku/nodeChanged`` says which node is chosen.
"""

from __future__ import annotations

from bunraku.lsp.features.workspace import choose_node
from bunraku.lsp.query import ClientQuery, Json
from bunraku.workbench.editor.node import ChosenNode


def on_nodes(query: ClientQuery) -> Json:
    """Answer the nodes that have facts, and the sample systems: their names, and where the facts are from."""
    host = query.session.host
    found: list[ChosenNode] = []
    for folder in host.folders:
        found += host.project_of(f"{folder}/.").data.nodes()
    return [
        {"name": str(one), "source": "sample system" if one.system else "facts of the project"}
        for one in dict.fromkeys(found)
    ]


def on_choose_node(query: ClientQuery) -> Json:
    """Choose a node by name, a sample system, or both: a name with the facts of the system."""
    params = query.params
    chosen = ChosenNode(str(params.get("node") or ""), str(params.get("system") or ""))
    choose_node(query.session, chosen)
    return {"node": chosen.name, "system": chosen.system}
