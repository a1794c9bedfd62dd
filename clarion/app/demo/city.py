"""A small city: teams on standby, and a bad evening for them. Told through the public API."""

from typing import Any

import httpx

TEAMS: tuple[tuple[str, str, float, float, dict[str, int]], ...] = (
    ("fire-1", "消防一队", 30.672, 104.061, {"firefighting": 4, "extrication": 1}),
    ("fire-2", "消防二队", 30.641, 104.102, {"firefighting": 4}),
    ("fire-3", "消防三队", 30.701, 104.018, {"firefighting": 3, "hazmat": 1}),
    ("medic-1", "急救一组", 30.663, 104.075, {"medical": 2}),
    ("medic-2", "急救二组", 30.629, 104.049, {"medical": 2}),
    ("medic-3", "急救三组", 30.688, 104.118, {"medical": 1}),
    ("water-1", "水上救援队", 30.612, 104.088, {"water_rescue": 3, "evacuation": 1}),
    ("search-1", "搜救犬队", 30.655, 104.001, {"search": 4}),
    ("heavy-1", "重型机械队", 30.597, 104.031, {"heavy_machinery": 2}),
    ("hazmat-1", "危化处置队", 30.716, 104.083, {"hazmat": 3}),
    ("guard-1", "疏散保障队", 30.640, 104.027, {"evacuation": 3}),
    ("medic-4", "志愿医疗队", 30.606, 104.113, {"medical": 1, "evacuation": 1}),
)
EVENTS: tuple[dict[str, Any], ...] = (
    {
        "id": "evt-crossing",
        "title": "二环路口追尾",
        "type": "traffic_accident",
        "severity": "medium",
        "place": {"latitude": 30.634, "longitude": 104.063},
    },
    {
        "id": "evt-market",
        "title": "东门市场起火",
        "type": "fire",
        "severity": "high",
        "report": "市场二楼冒烟，有人受伤",
        "place": {"latitude": 30.668, "longitude": 104.092},
    },
    {
        "id": "evt-river",
        "title": "河滨小区内涝",
        "type": "flood",
        "severity": "critical",
        "report": "地下车库进水，十几户被困",
        "place": {"latitude": 30.617, "longitude": 104.104},
    },
)
WAITS_FOR_A_PERSON = {"evt-market"}


async def found(api: httpx.AsyncClient) -> None:
    """Teams and events, and a plan for each: one decided, one to decide, one that falls short."""
    for team_id, name, latitude, longitude, capabilities in TEAMS:
        team = {
            "id": team_id,
            "name": name,
            "place": {"latitude": latitude, "longitude": longitude},
            "capabilities": capabilities,
            "cost": 100 * len(capabilities),
            "status": "unavailable" if team_id == "medic-4" else "standby",
        }
        await said(api, "/ai/teams", team)
    for event in EVENTS:
        plan = {"event": event, "approval": event["id"] in WAITS_FOR_A_PERSON}
        await said(api, "/ai/generate-scheme", plan, prefer="wait=10")


async def said(api: httpx.AsyncClient, path: str, body: Any, prefer: str = "") -> None:
    headers = {"Prefer": prefer} if prefer else {}
    answer = await api.post(path, json=body, headers=headers)
    answer.raise_for_status()
