"""The variables of the Puppet code that calls a function."""

from __future__ import annotations

from bunraku.runtime.python_frames import frames_around, puppet_frame
from bunraku.runtime.state import Scope
from bunraku.runtime.variables import visible


def with_locals(scope: Scope) -> Scope:
    """Return the scope of a call with the fast locals of the caller, for functions that read
    variables: the compiler passes them only for functions that it recognises.
    """
    frame = puppet_frame(2)
    if frame is None or id(frame.f_locals.get("scope")) != id(scope):
        return scope
    # $x'1 is an inner $x
    values = {
        name.partition("'")[0]: one.f_locals[name]
        for one in reversed([frame, *frames_around(frame)])
        for name in sorted(one.f_locals)
        if name.startswith("$")
    }
    if not values:
        return scope
    inner: Scope = visible(scope, values)
    return inner
