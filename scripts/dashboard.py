"""Writes the Grafana dashboard: `python -m scripts.dashboard`. A test compares the two."""

import json
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "deploy" / "grafana" / "clarion.json"
SOURCE = {"type": "prometheus", "uid": "${source}"}

# title, unit, [(expression, legend)], threshold that is drawn in red (or None)
PANELS: list[tuple[str, str, list[tuple[str, str]], float | None]] = [
    ("Pending reminders", "short", [("max(reminder_pending)", "pending")], 10_000),
    ("Rings that reached a device", "percentunit", [("min(trigger_success_rate)", "share")], 0.95),
    ("Confirmed", "percentunit", [("min(confirm_rate)", "share")], 0.8),
    ("Rings a reminder needed", "short", [("max(retry_count)", "most")], 3),
    (
        "Lateness of rings",
        "s",
        [
            ("max(trigger_latency)", "p95, last hour"),
            (
                "histogram_quantile(0.99, sum by (le)"
                " (rate(clarion_trigger_latency_seconds_bucket[5m])))",
                "p99, 5 min",
            ),
        ],
        10,
    ),
    ("Dead tasks", "short", [("max(dead_queue_size)", "dead")], 100),
    (
        "Facts of rings",
        "ops",
        [("sum by (fact) (rate(clarion_rings_total[5m]))", "{{fact}}")],
        None,
    ),
    (
        "How reminders end",
        "ops",
        [("sum by (how) (rate(clarion_reminders_ended_total[5m]))", "{{how}}")],
        None,
    ),
    ("Waiting tasks", "short", [("max by (level) (clarion_tasks_waiting)", "{{level}}")], None),
    (
        "Longest wait",
        "s",
        [("max by (level) (clarion_tasks_oldest_seconds)", "{{level}}")],
        6_000,
    ),
    ("Tasks", "ops", [("sum by (outcome) (rate(clarion_tasks_total[5m]))", "{{outcome}}")], None),
    ("Slots", "short", [("sum by (lane, state) (clarion_slots)", "{{lane}} {{state}}")], None),
    (
        "Requests, p99",
        "s",
        [
            (
                "histogram_quantile(0.99, sum by (le, route)"
                " (rate(clarion_http_request_seconds_bucket[5m])))",
                "{{route}}",
            )
        ],
        None,
    ),
    (
        "Callers in a commit",
        "short",
        [
            (
                "histogram_quantile(0.5, sum by (le) (rate(clarion_commit_callers_bucket[5m])))",
                "median",
            )
        ],
        None,
    ),
    (
        "Holds on teams",
        "ops",
        [
            ("sum(rate(ai_resource_lock_acquired_total[5m]))", "granted"),
            ("sum(rate(ai_resource_lock_failed_total[5m]))", "refused"),
            ("sum(rate(ai_resource_lock_timeout_total[5m]))", "ran out"),
            ("sum(rate(ai_redis_fallback_total[5m]))", "by the database"),
        ],
        None,
    ),
    ("Degraded", "bool", [("max(clarion_degraded)", "degraded")], 1),
]


def dashboard() -> dict[str, Any]:
    return {
        "uid": "clarion",
        "title": "Clarion",
        "tags": ["clarion"],
        "timezone": "browser",
        "schemaVersion": 39,
        "refresh": "15s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [
                {
                    "name": "source",
                    "label": "Prometheus",
                    "type": "datasource",
                    "query": "prometheus",
                }
            ]
        },
        "panels": [panel(number, *each) for number, each in enumerate(PANELS)],
    }


def panel(
    number: int, title: str, unit: str, queries: list[tuple[str, str]], red: float | None
) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if red is not None:
        steps.append({"color": "red", "value": red})
    return {
        "id": number + 1,
        "title": title,
        "type": "timeseries",
        "datasource": SOURCE,
        "gridPos": {"x": 8 * (number % 3), "y": 7 * (number // 3), "w": 8, "h": 7},
        "fieldConfig": {
            "defaults": {
                "unit": unit,
                "min": 0,
                "thresholds": {"mode": "absolute", "steps": steps},
            },
            "overrides": [],
        },
        "targets": [
            {"refId": chr(65 + place), "expr": expression, "legendFormat": legend}
            for place, (expression, legend) in enumerate(queries)
        ],
    }


def written() -> str:
    return json.dumps(dashboard(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
