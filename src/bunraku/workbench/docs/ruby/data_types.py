"""Data types in Ruby: ``Puppet::DataTypes.create_type`` with an interface in the Puppet language."""

from __future__ import annotations

from bunraku.workbench.docs.model import ModuleDocs
from bunraku.workbench.docs.ruby.file import Node, RubyFile


def data_type(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the data type that a call defines."""
