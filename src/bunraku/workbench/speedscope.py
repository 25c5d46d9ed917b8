"""A profile as JSON for https://www.speedscope.app."""

from __future__ import annotations

from typing import Any

from bunraku.formats.json import ascii_json_text
from bunraku.workbench.profile import Profile, StackLevel


def speedscope(profile: Profile, name: str) -> dict[str, Any]:
    """Return the profile in speedscope's file format: frames are places with their line."""
    frames: dict[StackLevel, int] = {}
    samples = [
        [frames.setdefault(level, len(frames)) for level in stack] for stack in profile.seconds
    ]
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "bunraku",
        "name": name,
        "activeProfileIndex": 0,
        "shared": {"frames": [frame_of(level) for level in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": name,
                "unit": "seconds",
                "startValue": 0,
                "endValue": profile.total,
                "samples": samples,
                "weights": list(profile.seconds.values()),
            }
        ],
    }


def frame_of(level: StackLevel) -> dict[str, Any]:
    """Return a frame in speedscope's form."""
    found: dict[str, Any] = {"name": level.label}
    if level.file:
        found.update(file=level.file, line=level.line)
    return found


def speedscope_text(profile: Profile, name: str) -> str:
    """Return the speedscope file as text; bytes of names that are not UTF-8 are escaped."""
    return ascii_json_text(speedscope(profile, name)) + "\n"
