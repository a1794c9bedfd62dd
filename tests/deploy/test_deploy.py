"""What the files in deploy/ say about Clarion is true of it."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from clarion.cli import COMMANDS
from clarion.settings import Settings

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
NAMES = {f"CLARION_{field.name.upper()}" for field in fields(Settings)}
TEXTS = [DEPLOY / "Dockerfile", DEPLOY / "compose.yml", *sorted(DEPLOY.glob("systemd/*"))]
OTHERS = {"CLARION_DB_PASSWORD"}  # the compose file's own


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text("utf-8"))
    return dict(found["services"])


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(r"CLARION_[A-Z_]+", path.read_text("utf-8")))

    assert named <= NAMES | OTHERS


def test_every_container_of_ours_runs_a_command_that_exists() -> None:
    ours = {name: one["command"] for name, one in services().items() if "build" in one}

    assert set(ours) == {"migrate", "clarion-1", "clarion-2", "worker-1", "worker-2"}
    assert {command[0] for command in ours.values()} <= set(COMMANDS)


def test_prometheus_asks_the_servers_by_their_names() -> None:
    text = (DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8")
    (job,) = yaml.safe_load(text)["scrape_configs"]

    asked = {target.partition(":")[0] for target in job["static_configs"][0]["targets"]}

    assert asked <= set(services())


def test_redis_may_not_forget_under_pressure() -> None:
    command = services()["redis"]["command"]

    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
