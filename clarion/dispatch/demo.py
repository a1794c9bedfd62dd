"""A city to try dispatch in: forty teams and a handful of events. Pure data, always the same."""

from datetime import datetime, timedelta

from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Need,
    Place,
    Severity,
    Team,
    TeamId,
    TeamStatus,
)

CENTRE = Place(31.2304, 121.4737)  # 人民广场, Shanghai
NUMERALS = "一二三四五六七八九十"
# Spreads any number of points evenly over a square, without random numbers.
NORTH, EAST = 0.7548776662, 0.5698402910

# Name, number, capabilities, speed, cost.
KINDS: tuple[tuple[str, str, int, dict[str, int], float, int], ...] = (
    ("fire", "消防", 10, {"firefighting": 2, "extrication": 1}, 55, 30),
    ("medic", "急救", 8, {"medical": 2}, 65, 20),
    ("search", "搜救", 6, {"search": 2, "medical": 1}, 50, 35),
    ("water", "水上救援", 5, {"water_rescue": 2, "search": 1}, 45, 40),
    ("hazmat", "危化", 4, {"hazmat": 2, "evacuation": 1}, 50, 60),
    ("heavy", "工程机械", 4, {"heavy_machinery": 1, "extrication": 2}, 35, 80),
    ("support", "疏散", 3, {"evacuation": 3}, 55, 15),
)


def teams() -> tuple[Team, ...]:
    made: list[Team] = []
    for kind, word, count, capabilities, speed, cost in KINDS:
        for number in range(1, count + 1):
            name = f"{word}{NUMERALS[number - 1]}队"
            made.append(
                Team(
                    id=TeamId(f"team-{kind}-{number:02}"),
                    name=name,
                    place=spread(len(made)),
                    capabilities=capabilities | ({"medical": 1} if number == 1 else {}),
                    speed_kmh=speed,
                    ready_seconds=60 + 30 * (number % 4),
                    cost=cost + 5 * (number % 3),
                    status=TeamStatus.UNAVAILABLE if number == 7 else TeamStatus.STANDBY,
                    reason="休整" if number == 7 else "",
                )
            )
    return tuple(made)


def spread(number: int) -> Place:
    """The next point of an even pattern, about 25 km around the centre."""
    north = (number * NORTH) % 1.0 - 0.5
    east = (number * EAST) % 1.0 - 0.5
    return Place(CENTRE.latitude + 0.45 * north, CENTRE.longitude + 0.5 * east)


def events(now: datetime) -> tuple[DispatchEvent, ...]:
    """Five, from a faint to a leak that needs more than the city has."""

    def at(number: int, ago: int) -> dict[str, object]:
        return {"place": spread(100 + number), "reported_at": now - timedelta(minutes=ago)}

    facts: tuple[dict[str, object], ...] = (
        at(1, 0)
        | {"type": "fire", "severity": Severity.HIGH, "title": "住宅楼起火", "report": "六楼起火"},
        at(2, 2) | {"type": "traffic_accident", "severity": Severity.MEDIUM, "title": "高架追尾"},
        at(3, 5) | {"type": "", "severity": Severity.MEDIUM, "report": "地下车库积水，两人被困"},
        at(4, 8) | {"type": "medical", "severity": Severity.LOW, "title": "老人昏迷"},
        at(5, 1)
        | {
            "type": "chemical_leak",
            "severity": Severity.CRITICAL,
            "title": "化工园区泄漏",
            "needs": (Need("hazmat", 12, 3), Need("medical", 4, 2), Need("evacuation", 6)),
        },
    )
    return tuple(
        DispatchEvent(id=EventId(f"event-demo-{number}"), **one)  # type: ignore[arg-type]
        for number, one in enumerate(facts, 1)
    )
