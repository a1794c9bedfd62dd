"""The alert rules fire when they should and not before; the dashboard asks for what there is."""

import re
import subprocess
from pathlib import Path

import pytest

from clarion.doors.metrics.instruments import Instruments
from scripts import dashboard
from tests.support.services import program

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy" / "prometheus"
METRIC = re.compile(
    r"\b(?:clarion_\w+|ai_\w+|reminder_pending|trigger_\w+|confirm_rate|retry_count|dead_queue_size)\b"
)


@pytest.mark.parametrize(
    "arguments", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")], ids=str
)
def test_promtool_agrees(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [program("promtool"), *arguments], cwd=RULES, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dashboard_is_the_one_that_the_script_writes() -> None:
    assert dashboard.TARGET.read_text(encoding="utf-8") == dashboard.written()


@pytest.mark.parametrize(
    "path", [dashboard.TARGET, RULES / "alerts.yml"], ids=lambda path: path.name
)
def test_only_metrics_that_exist_are_asked_for(path: Path) -> None:
    there = {
        sample.name for family in Instruments().registry.collect() for sample in family.samples
    } | {
        f"{f.name}{end}"
        for f in Instruments().registry.collect()
        for end in ("", "_total", "_bucket")
    }
    asked = set(METRIC.findall(path.read_text(encoding="utf-8")))

    assert asked - there == set()
    assert len(asked) > 5
