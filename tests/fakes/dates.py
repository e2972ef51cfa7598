"""Dates in the forms vendors write them. Every function takes None for "no date"."""

from __future__ import annotations

from datetime import datetime, timedelta


def iso_day(moment: datetime | None) -> str | None:
    return moment.strftime("%Y-%m-%d") if moment else None


def iso_local(moment: datetime | None) -> str | None:
    """`2026-11-02T08:15:00`, with no offset."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S") if moment else None


def iso_ms(moment: datetime | None) -> str | None:
    """`2026-11-02T08:15:00.000Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z") if moment else None


def long_day(moment: datetime) -> str:
    """`Monday, November 02, 2026`."""
    return moment.strftime("%A, %B %d, %Y")


def short_day(moment: datetime) -> str:
    """`Nov 2, 2026`."""
    return f"{moment.strftime('%b')} {moment.day}, {moment.year}"


def ago(moment: datetime, clock: datetime) -> str:
    """`3 hours ago`, in the largest unit that fits."""
    elapsed = clock - moment
    for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        if elapsed >= timedelta(days=length):
            return _counted(elapsed.days // length, unit)
    minutes = max(1, int(elapsed.total_seconds() // 60))
    return _counted(minutes // 60, "hour") if minutes >= 60 else _counted(minutes, "minute")


def human(moment: datetime | None, clock: datetime) -> str | None:
    """Relative within a month, else the short day, as result pages show it."""
    if moment is None:
        return None
    return ago(moment, clock) if clock - moment < timedelta(days=30) else short_day(moment)


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'} ago"
