from typing import Any as Any
from typing import ClassVar as ClassVar
from typing import Final as Final
from typing import Literal as Literal
from typing import Protocol as Protocol
from typing import TextIO as TextIO
from typing import TypeVar as TypeVar
from typing import dataclass_transform as dataclass_transform

TYPE_CHECKING: bool
