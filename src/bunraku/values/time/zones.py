"""Time zones by name and offset, as in Ruby's ``Date``."""

from __future__ import annotations

import re
import time

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values import issues

ABBREVIATIONS = {
    -43200: "y aoe idlw",
    -39600: "x nt nut sst",
    -36000: "w ckt hst ahst hast taht",
    -32400: "v hdt yst akst gamt hadt",
    -30600: "mart",
    -28800: "u pst ydt akdt",
    -25200: "t mst pdt",
    -21600: "s cst mdt east galt",
    -18000: "r act cdt cot ect est pet cist easst",
    -14400: "q ast bot clt edt fkt gyt vet",
    -10800: "p adt art brt gft srt uyt wgt clst fkst pmst pyst rott",
    -9000: "nst",
    -7200: "o at fnt brst pmdt uyst wgst",
    -5400: "ndt",
    -3600: "n cvt egt azot",
    0: "z ut wt gmt utc wet egst",
    3600: "a bst cet fwt met mez swt wat mewt west",
    7200: "b cat eet fle fst gtb cest mest mesz sast wast",
    10800: "c bt eat fet idt msk trt arab eest syot",
    12600: "iran irst",
    14400: "d azt get msd mut ret sct kuyt samt",
    16200: "aft irdt",
    18000: "e mvt pkt tft tjt tmt uzt aqtt azst mawt orat yekt",
    19800: "ist",
    20700: "npt",
    21600: "f btt iot kgt almt omst qyzt vost",
    23400: "cct mmt",
    25200: "g cxt ict wib davt hovt krat novt",
    28800: "h bnt hkt myt pht sgt awst cast chot irkt ulat wadt wita",
    32400: "i jst kst pwt tlt wit awdt yakt",
    34200: "acst",
    36000: "k gst pgt aest chst chut ddut vlat yapt",
    37800: "acdt lhst",
    39600: "l nct nft sbt vut aedt eadt kost lhdt magt pont sakt sret",
    43200: "m fjt mht nrt nzt tvt wft anat fiji gilt idle nfdt nzst pett wakt",
    45900: "chast",
    46800: "tkt tot fjst nzdt phot",
    49500: "chadt",
    50400: "lint tost",
}
OFFSETS = {name: offset for offset, names in ABBREVIATIONS.items() for name in names.split()}
NUMERIC = lazy_pattern(r"(?:gmt|utc?)?([-+])(\d+)(?:([,.:])(\d+)(?::(\d+))?)?\Z", re.IGNORECASE)
SUFFIX = lazy_pattern(r"\s+(?:(standard)|(daylight))\s+time\Z|\s+(dst)\Z", re.IGNORECASE)


def zone_offset(zone: str) -> int | None:
    """Return seconds east of Greenwich of ``+02:00``, ``PST``, ``GMT+2``; None for an unknown name.

    >>> zone_offset("+02:30"), zone_offset("pst"), zone_offset("Europe/Paris")
    (9000, -28800, None)
    """
    if match := NUMERIC.match(zone):
        return numeric_offset(match)
    summer = 0
    if match := SUFFIX.search(zone):
        zone = zone[: match.start()]
        summer = 0 if match[1] else 3600
    offset = OFFSETS.get(" ".join(zone.lower().split()))
    return None if offset is None else offset + summer


def numeric_offset(match: re.Match[str]) -> int | None:
    """Return the offset of signed digits: hours, hours and minutes, or more."""
    sign, digits, separator, fraction, seconds = match.groups()
    factor = -1 if sign == "-" else 1
    if separator == ":":
        hours, minutes = int(digits), int(fraction)
        return factor * (hours * 3600 + minutes * 60 + int(seconds or 0))
    if separator:
        return factor * round(float(f"{digits}.{fraction}") * 3600)
    if len(digits) % 2:
        digits = "0" + digits
    parts = [int(digits[at : at + 2]) for at in range(0, min(len(digits), 6), 2)]
    return factor * sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))


def required_offset(zone: str, at: float | None = None) -> int:
    """Return the offset of a zone, ``current`` for the local one; raise if it is unknown."""
    if zone.lower() == "current":
        return time.localtime(at).tm_gmtoff
    offset = zone_offset(zone)
    if offset is None:
        raise issues.BAD_TIME_ZONE(zone=zone)
    return offset
