"""Draw how many times as fast as real Puppet each run of ``run.py`` found bunraku to be.

    history.py

Reads ``benchmarks/results/*.json`` and writes ``docs/performance-history.svg``.
"""

from __future__ import annotations

import json
import math
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CHART = HERE.parent / "docs" / "performance-history.svg"
COLOURS = ["#1b6ca8", "#c0392b", "#27ae60", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#2c3e50"]
WIDE, HIGH, LEFT, TOP, RIGHT = 900, 380, 50, 20, 330
LOWEST, HIGHEST = 1.0, 200.0


def runs() -> list[dict[str, Any]]:
    """All results, the oldest first."""
    return [json.loads(path.read_bytes()) for path in sorted((HERE / "results").glob("*.json"))]


def lines(results: list[dict[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """For each work, the runs that measured it and the ratio each found."""
    found: dict[str, list[tuple[int, float]]] = {}
    for at, result in enumerate(results):
        for row in result["rows"]:
            name = str(row["work"]).split(":")[0].split(",")[0].strip("`")
            charted = row.get("warm") or str(row["work"]).endswith("warm")
            starts = "--version" in row["work"] or "validate" in row["work"]
            parses = str(row["work"]).startswith("parse and check ")
            if row.get("ratio") and (charted or starts or parses):
                name = "parse and check" if parses else name.replace("`", "")
                found.setdefault(name, []).append((at, float(row["ratio"])))
    return found


def height(ratio: float) -> float:
    """Where a ratio lies; the scale is logarithmic."""
    part = math.log(min(max(ratio, LOWEST), HIGHEST) / LOWEST) / math.log(HIGHEST / LOWEST)
    return round(HIGH - part * (HIGH - TOP), 1)


def chart(results: list[dict[str, Any]]) -> str:
    """The chart as SVG."""
    step = (WIDE - LEFT - RIGHT) / max(1, len(results) - 1)
    view = f'viewBox="0 0 {WIDE} {HIGH + 40}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {view}>',
        "<title>How many times as fast as real Puppet</title>",
    ]
    for ratio in (1, 2, 5, 10, 25, 50, 100, 200):
        y = height(ratio)
        parts.append(f'<path d="M{LEFT} {y}H{WIDE - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{ratio}×</text>')
    for at, result in enumerate(results):
        x = round(LEFT + at * step, 1)
        date = escape(str(result["machine"]["date"])[5:10])
        parts.append(f'<text x="{x}" y="{HIGH + 18}" text-anchor="middle">{date}</text>')
    for number, (name, points) in enumerate(lines(results).items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [(round(LEFT + at * step, 1), height(ratio)) for at, ratio in points]
        path = " ".join(f"{x},{y}" for x, y in placed)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in placed]
        y = TOP + 20 * number + 10
        parts.append(f'<circle cx="{WIDE - RIGHT + 30}" cy="{y - 4}" r="5" fill="{colour}"/>')
        told = f"{name}: {points[-1][1]:.1f}×"
        parts.append(f'<text x="{WIDE - RIGHT + 42}" y="{y}">{escape(told)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    CHART.write_text(chart(runs()), encoding="utf-8")
