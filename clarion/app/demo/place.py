"""Where the demo lives: beside the real data, and marked, so that nothing else is removed."""

import shutil
from dataclasses import replace
from pathlib import Path

from clarion.base.config import BadSettings
from clarion.settings import Settings

MARK = "this-is-a-demo"


def demo_settings(settings: Settings) -> Settings:
    """The same machine with nothing of its own: another directory, no database, no services."""
    own = settings.data_dir
    return replace(
        settings,
        data_dir=own.with_name(f"{own.name}-demo"),
        database_url="",
        redis_url="",
        telegram_token="",
        mqtt_url="",
        llm_url="",
        sqlite_synchronous="normal",
        task_slots=4,
        task_reserved_slots=1,
        task_buffer_max=1,
        language="zh",
    )


def remove_demo(folder: Path) -> bool:
    """False when there was none. A directory that is not marked as a demo is left alone."""
    if not folder.exists():
        return False
    if not (folder / MARK).exists():
        raise BadSettings(
            f"{folder} was not made by `clarion demo`.", hint="Remove it yourself if you are sure."
        )
    shutil.rmtree(folder)
    return True
