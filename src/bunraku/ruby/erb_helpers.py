"""The helpers that the code of ERB templates names."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.ruby import erb_blocks, erb_collections, erb_hashes, erb_texts, erb_values
from bunraku.ruby.erb_blocks import BLOCK_METHODS
from bunraku.ruby.erb_texts import METHODS
from bunraku.ruby.erb_values import KNOWN, LISTS, Found, NeedsRuby, unknown
from bunraku.values.regexp import Regexp, escape

Value = Any


def only_ruby(what: str) -> NoReturn:
    """What only Ruby can do, in a place that may never be reached."""
    raise NeedsRuby(what)


def escaped(value: Value) -> str:
    """``Regexp.escape``."""
    return escape(erb_texts.string(value, "Regexp.escape"))


def case_match(subject: Value, pattern: Value) -> bool:
    """``when /pattern/``: what is no string does not fit."""
    if subject.__class__ not in KNOWN or subject.__class__ is Found:
        raise unknown("when", subject)
    if subject.__class__ is not str and not erb_texts.is_symbol(subject):
        return False
    return erb_texts.find_match(subject, pattern) is not None


def case_equal(pattern: Value, subject: Value) -> bool:
    """``when x``."""
    if pattern.__class__ is Regexp:
        return case_match(subject, pattern)
    return erb_values.equal(pattern, subject)


def reversed_items(value: Value) -> Any:
    """What ``reverse_each`` gives."""
    if value.__class__ in LISTS:
        return list(reversed(value))
    raise unknown("reverse_each", value)


HELPERS: dict[str, Any] = {
    ":Array": erb_values.Array,
    ":Hash": erb_values.Hash,
    ":symbol": erb_values.symbol,
    ":text": erb_values.text,
    ":equal": erb_values.equal,
    ":less": erb_values.less,
    ":greater": erb_values.greater,
    ":at_most": erb_values.at_most,
    ":at_least": erb_values.at_least,
    ":spaceship": erb_values.spaceship,
    ":add": erb_values.add,
    ":subtract": erb_values.subtract,
    ":multiply": erb_values.multiply,
    ":divide": erb_values.divide,
    ":bit_and": erb_values.bit_and,
    ":bit_or": erb_values.bit_or,
    ":push": erb_values.push,
    ":negative": erb_values.negative,
    ":plain_key": erb_values.plain_key,
    ":formatted": erb_texts.formatted,
    ":integer": erb_texts.integer,
    ":ip_address": erb_texts.ip_address,
    ":Raised": erb_values.Raised,
    ":regexp": erb_texts.regexp,
    ":differs": erb_texts.differs,
    ":match_place": erb_texts.match_place,
    ":replaced_by_block": erb_texts.replaced_by_block,
    ":escape": escaped,
    ":only_ruby": only_ruby,
    ":case_match": case_match,
    ":case_equal": case_equal,
    ":is_a": erb_collections.is_a,
    ":to_list": erb_collections.to_list,
    ":element": erb_collections.element,
    ":set_element": erb_collections.set_element,
    ":part": erb_collections.part,
    ":part_range": erb_collections.part_range,
    ":spread": erb_blocks.spread,
    ":number_range": erb_blocks.number_range,
    ":each": erb_blocks.each_one,
    ":each_two": erb_blocks.each_two,
    ":each_pair": erb_blocks.each_pair,
    ":each_pairs": erb_blocks.each_pairs,
    ":each_several": erb_blocks.each_several,
    ":with_index": erb_blocks.with_index,
    ":indices": erb_blocks.indices,
    ":times": erb_blocks.times,
    ":keys": erb_blocks.keys_of,
    ":values": erb_blocks.values_of,
    ":reverse_each": reversed_items,
    ":merged": erb_hashes.merged_by,
    **{f".{name}": function for name, function in METHODS.items()},
    **{f"&{name}": function for name, function in BLOCK_METHODS.items()},
}
