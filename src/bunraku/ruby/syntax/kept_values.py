"""What Ruby code keeps in classes, constants and global variables for longer than a compile."""

from __future__ import annotations

State = tuple[str, str, str, str | None]
"""A kind, the class or module, a name, and the code of the first value if there is one."""
