"""Forms are decoded as ``urllib.parse`` decodes them."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, quote, unquote

from hypothesis import given
from hypothesis import strategies as st

from bunraku.web.forms import form_fields, percent_decoded

PARTS = ["%", "%2", "%25", "%41", "%zz", "%e4", "%C3%BC", "=", "==", "_", "+", "&", ";", "a", "ü"]
ODD = [*PARTS, " ", "\t", "\n", "\r", "\r\n", "\0", "3D", "=3D", "%3D", "%0A", "=\n", "."]
TEXTS = st.lists(st.sampled_from(ODD)).map("".join) | st.text()


@given(TEXTS)
def test_a_text_is_decoded_as_urllib_decodes_it(text):
    assert percent_decoded(text) == unquote(text, errors="surrogateescape")


@given(TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary())
def test_a_form_is_read_as_urllib_reads_it(content):
    text = content.decode("latin-1")
    expected = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
    assert list(form_fields(content)) == expected


@given(st.dictionaries(st.text(), st.text() | st.floats(allow_nan=False) | st.none()))
def test_facts_that_are_encoded_twice_come_back(facts):
    text = json.dumps(facts, ensure_ascii=False)
    body = b"facts=" + quote(quote(text, errors="surrogatepass")).encode()
    ((name, value),) = form_fields(body)
    assert (name, percent_decoded(value)) == ("facts", text)
