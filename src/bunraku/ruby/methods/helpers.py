"""The helpers that the code of ERB templates names."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.ruby.methods import blocks, collections, hashes, texts, values
from bunraku.ruby.methods.blocks import BLOCK_METHODS
from bunraku.ruby.methods.texts import METHODS
from bunraku.ruby.methods.values import KNOWN, LISTS, Found, NeedsRuby, unknown
from bunraku.values.regexp.regexp import Regexp, escape

Value = Any


def only_ruby(what: str) -> NoReturn:
    """Raise NeedsRuby for an unsupported form, at a place that may never run."""
    raise NeedsRuby(what)


def escaped(value: Value) -> str:
    """Implement ``Regexp.escape``."""
    return escape(texts.string(value, "Regexp.escape"))


def case_match(subject: Value, pattern: Value) -> bool:
    """Implement ``when /pattern/``: only strings can match."""
    if subject.__class__ not in KNOWN or subject.__class__ is Found:
        raise unknown("when", subject)
    if subject.__class__ is not str and not texts.is_symbol(subject):
        return False
    return texts.find_match(subject, pattern) is not None


def case_equal(pattern: Value, subject: Value) -> bool:
    """Implement ``when x``."""
    if pattern.__class__ is Regexp:
        return case_match(subject, pattern)
    return values.equal(pattern, subject)


def reversed_items(value: Value) -> Any:
    """Return the items of ``reverse_each``."""
    if value.__class__ in LISTS:
        return list(reversed(value))
    raise unknown("reverse_each", value)


HELPERS: dict[str, Any] = {
    ":Array": values.Array,
    ":Hash": values.Hash,
    ":symbol": values.symbol,
    ":text": values.text,
    ":equal": values.equal,
    ":less": values.less,
    ":greater": values.greater,
    ":at_most": values.at_most,
    ":at_least": values.at_least,
    ":spaceship": values.spaceship,
    ":add": values.add,
    ":subtract": values.subtract,
    ":multiply": values.multiply,
    ":divide": values.divide,
    ":bit_and": values.bit_and,
    ":bit_or": values.bit_or,
    ":push": values.push,
    ":negative": values.negative,
    ":plain_key": values.plain_key,
    ":formatted": texts.formatted,
    ":integer": texts.integer,
    ":ip_address": texts.ip_address,
    ":Raised": values.Raised,
    ":regexp": texts.regexp,
    ":differs": texts.differs,
    ":match_place": texts.match_place,
    ":replaced_by_block": texts.replaced_by_block,
    ":escape": escaped,
    ":only_ruby": only_ruby,
    ":case_match": case_match,
    ":case_equal": case_equal,
    ":is_a": collections.is_a,
    ":to_list": collections.to_list,
    ":element": collections.element,
    ":set_element": collections.set_element,
    ":part": collections.part,
    ":part_range": collections.part_range,
    ":spread": blocks.spread,
    ":number_range": blocks.number_range,
    ":each": blocks.each_one,
    ":each_two": blocks.each_two,
    ":each_pair": blocks.each_pair,
    ":each_pairs": blocks.each_pairs,
    ":each_several": blocks.each_several,
    ":with_index": blocks.with_index,
    ":indices": blocks.indices,
    ":times": blocks.times,
    ":keys": blocks.keys_of,
    ":values": blocks.values_of,
    ":reverse_each": reversed_items,
    ":merged": hashes.merged_by,
    **{f".{name}": function for name, function in METHODS.items()},
    **{f"&{name}": function for name, function in BLOCK_METHODS.items()},
}
