"""The helpers that the code of ERB templates names."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.ruby.values import blocks, collections, hashes, objects, texts
from bunraku.ruby.values.blocks import BLOCK_METHODS
from bunraku.ruby.values.objects import KNOWN, LISTS, Found, NeedsRuby, unknown
from bunraku.ruby.values.texts import METHODS
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
    return objects.equal(pattern, subject)


def reversed_items(value: Value) -> Any:
    """Return the items of ``reverse_each``."""
    if value.__class__ in LISTS:
        return list(reversed(value))
    raise unknown("reverse_each", value)


HELPERS: dict[str, Any] = {
    ":Array": objects.Array,
    ":Hash": objects.Hash,
    ":symbol": objects.symbol,
    ":text": objects.text,
    ":equal": objects.equal,
    ":less": objects.less,
    ":greater": objects.greater,
    ":at_most": objects.at_most,
    ":at_least": objects.at_least,
    ":spaceship": objects.spaceship,
    ":add": objects.add,
    ":subtract": objects.subtract,
    ":multiply": objects.multiply,
    ":divide": objects.divide,
    ":bit_and": objects.bit_and,
    ":bit_or": objects.bit_or,
    ":push": objects.push,
    ":negative": objects.negative,
    ":plain_key": objects.plain_key,
    ":formatted": texts.formatted,
    ":integer": texts.integer,
    ":ip_address": texts.ip_address,
    ":Raised": objects.Raised,
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
