"""Providers in Ruby: ``Puppet::Type.type(:name).provide(:name)``."""

from __future__ import annotations

from bunraku.workbench.docs.comments import read_comment
from bunraku.workbench.docs.model import ModuleDocs, Provider
from bunraku.workbench.docs.ruby.file import (
    Node,
    RubyFile,
    block_statements,
    call_arguments,
    is_call,
    method_name,
    node_line,
    pairs_of,
    receiver,
    text_of,
)
from bunraku.workbench.docs.ruby.types import described_text, first_name, text_of_pairs


def provider(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the provider that a call defines."""
    owner = receiver(node)
    inner = None if owner is None or owner.type != "call" else receiver(owner)
    if (
        owner is None
        or inner is None
        or text_of(inner) != "Puppet::Type"
        or method_name(owner) != "type"
    ):
        return
    type_name, name = first_name(file, owner), first_name(file, node)
    if not type_name or not name:
        return
    text, line = file.comment(node)
    described = described_text(file, node)
    comment = read_comment(*described) if described else read_comment(text or "", line)
    made = Provider("providers", name, file.path, node_line(node), comment, type_name=type_name)
    for child in block_statements(node) or []:
        if is_call(child):
            add_part(made, file, child)
    docs.add(made)


def add_part(made: Provider, file: RubyFile, node: Node) -> None:
    """Add what one call in the block of a provider says."""
    given = call_arguments(node)
    match method_name(node):
        case "confine" if given:
            made.confines |= pair_texts(file, given[0])
        case "commands" if given:
            made.commands |= pair_texts(file, given[0])
        case "has_feature" | "has_features":
            made.features += [
                text_of_pairs(one) if isinstance(one, list) else file.shown(one) for one in given
            ]
        case "defaultfor":
            for one in given:
                found = [[key, value] for key, value in pair_texts(file, one).items()]
                if found:
                    made.defaults.append(found)


def pair_texts(file: RubyFile, given: Node) -> dict[str, str]:
    """Return keys with their values as texts."""
    return {
        file.shown(key): file.shown(value) for key, value in pairs_of(given) if value is not None
    }
