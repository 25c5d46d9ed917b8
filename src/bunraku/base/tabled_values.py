"""How compiled code writes values that need no code of their own into constants.

A manifest consists mostly of literals and variables. Each as an expression of Python takes several
nodes of ``ast``, which a first compile spends most of its time on; a constant takes one. A value is a
pair:

* None, and a literal;
* a variable (``$x``, ``a::x``), and its place, None if it surely is set;
* the name and titles of a reference (``("File", "/a")``), and its place;
* :data:`ARRAY`, and its elements, which are such pairs;
* :data:`HASH`, and its entries, each a key and such a pair.

A place is first line, column, last line, column after the end, as ``ast`` has them.
``compiler/tables.py`` makes pairs, ``runtime/tables.py`` evaluates them.
"""

from __future__ import annotations

from typing import Any

Tabled = tuple[Any, Any]
ARRAY = 0
HASH = 1
