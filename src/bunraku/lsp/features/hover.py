"""What the editor shows under the mouse."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.query import ClientQuery, Json

if TYPE_CHECKING:
    from bunraku.workbench.editor.hover import Hover
    from bunraku.workbench.editor.snapshot import Snapshot


def on_hover(query: ClientQuery) -> Json:
    """Answer what is known about the name at the cursor."""
    found = hover_of()(query.snapshot, query.path, query.offset)
    if found is None:
        return None
    contents = {"kind": "markdown", "value": found.markdown}
    return {"contents": contents, "range": query.range(query.path, found.range)}


def hover_of() -> Callable[[Snapshot, str, int], Hover | None]:
    """Return the function that answers; its module is imported when it is first needed."""
    from bunraku.workbench.editor.hover import hover

    return hover
