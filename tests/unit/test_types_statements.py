"""Every statement of the text on types has its case in ``tests/language/s2_types.pp``."""

from __future__ import annotations

from support.language import cases


def test_each_statement_has_a_case():
    named = {case.name.split()[0] for case in cases() if case.file == "s2_types"}
    assert named == {f"S2-{number}" for number in range(1, 82)}
