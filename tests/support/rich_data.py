"""A value as a parameter of a resource, and its form in the catalog."""

from __future__ import annotations

from typing import Any


def request(value: str) -> dict[str, Any]:
    """The batch request that puts a value into a catalog."""
    code = f"$value = {value}\nnotify {{ 'n': message => $value }}\n"
    return {"id": value, "code": code, "settings": {"strict": "error"}}


def parameters(answer: Any) -> tuple[str, Any, Any]:
    """The status, the parameters and the names of those that are secret."""
    if answer["status"] != "ok":
        return answer["status"], None, None
    (resource,) = answer["resources"]
    return "ok", resource["parameters"], resource.get("sensitive_parameters")
