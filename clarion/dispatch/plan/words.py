"""Names of the rules in words for people; unknown names are shown unchanged."""

from clarion.dispatch.model import Need

CHINESE = {
    "low": "轻微",
    "medium": "一般",
    "high": "严重",
    "critical": "危急",
    "fire": "火灾",
    "flood": "洪水",
    "earthquake": "地震",
    "collapse": "坍塌",
    "traffic_accident": "交通事故",
    "chemical_leak": "危化品泄漏",
    "other": "其他",
    "medical": "医疗",
    "firefighting": "灭火",
    "water_rescue": "水上救援",
    "evacuation": "疏散",
    "search": "搜救",
    "heavy_machinery": "重型机械",
    "extrication": "破拆",
    "hazmat": "危化处置",
}


def named(name: str, language: str) -> str:
    return CHINESE.get(name, name) if language == "zh" else name.replace("_", " ")


def wanted(need: Need, language: str) -> str:
    return f"{named(need.capability, language)} × {need.amount}"
