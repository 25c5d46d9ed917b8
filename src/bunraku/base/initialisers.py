"""The ``__init__`` of records by the number of their fields, see :mod:`bunraku.base.records`.

Each is compiled with this module and kept in its .pyc file: compiling one at import takes as long as
importing a small module.
"""

from __future__ import annotations

from types import CodeType

from bunraku.base.lazy_typing import Any


def initialisers() -> tuple[CodeType, ...]:
    """Return the code that sets no field, one field, and so on."""

    def set0(self: Any) -> None:
        pass

    def set1(self: Any, field0: Any) -> None:
        self.field0 = field0

    def set2(self: Any, field0: Any, field1: Any) -> None:
        self.field0 = field0
        self.field1 = field1

    def set3(self: Any, field0: Any, field1: Any, field2: Any) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2

    def set4(self: Any, field0: Any, field1: Any, field2: Any, field3: Any) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3

    def set5(self: Any, field0: Any, field1: Any, field2: Any, field3: Any, field4: Any) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4

    def set6(
        self: Any, field0: Any, field1: Any, field2: Any, field3: Any, field4: Any, field5: Any
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5

    def set7(
        self: Any,
        field0: Any,
        field1: Any,
        field2: Any,
        field3: Any,
        field4: Any,
        field5: Any,
        field6: Any,
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5
        self.field6 = field6

    def set8(
        self: Any,
        field0: Any,
        field1: Any,
        field2: Any,
        field3: Any,
        field4: Any,
        field5: Any,
        field6: Any,
        field7: Any,
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5
        self.field6 = field6
        self.field7 = field7

    def set9(
        self: Any,
        field0: Any,
        field1: Any,
        field2: Any,
        field3: Any,
        field4: Any,
        field5: Any,
        field6: Any,
        field7: Any,
        field8: Any,
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5
        self.field6 = field6
        self.field7 = field7
        self.field8 = field8

    def set10(
        self: Any,
        field0: Any,
        field1: Any,
        field2: Any,
        field3: Any,
        field4: Any,
        field5: Any,
        field6: Any,
        field7: Any,
        field8: Any,
        field9: Any,
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5
        self.field6 = field6
        self.field7 = field7
        self.field8 = field8
        self.field9 = field9

    def set11(
        self: Any,
        field0: Any,
        field1: Any,
        field2: Any,
        field3: Any,
        field4: Any,
        field5: Any,
        field6: Any,
        field7: Any,
        field8: Any,
        field9: Any,
        field10: Any,
    ) -> None:
        self.field0 = field0
        self.field1 = field1
        self.field2 = field2
        self.field3 = field3
        self.field4 = field4
        self.field5 = field5
        self.field6 = field6
        self.field7 = field7
        self.field8 = field8
        self.field9 = field9
        self.field10 = field10

    ordered = (set0, set1, set2, set3, set4, set5, set6, set7, set8, set9, set10, set11)
    return tuple([function.__code__ for function in ordered])


INITIALISERS = initialisers()
