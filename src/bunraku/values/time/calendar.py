"""Dates of the Gregorian calendar as numbers of days; it has no first and no last year here."""

from __future__ import annotations


def days_from_civil(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date.

    >>> days_from_civil(2000, 3, 1)
    11017
    """
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Return the year, month and day of a number of days after 1970-01-01.

    >>> civil_from_days(11017)
    (2000, 3, 1)
    """
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year_of_era + era * 400 + (month <= 2), month, day


def iso_week(days: int) -> tuple[int, int]:
    """Return the ISO 8601 year and week number of a date.

    >>> iso_week(days_from_civil(2016, 1, 1))
    (2015, 53)
    """
    thursday = days - (days + 3) % 7 + 3
    week_year = civil_from_days(thursday)[0]
    return week_year, (thursday - days_from_civil(week_year, 1, 1)) // 7 + 1
