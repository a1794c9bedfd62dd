"""The assistants' door is made late, and must not take the house down with it."""

import asyncio
from pathlib import Path

import httpx
import pytest

from clarion.app import mcp
from clarion.app.build import build
from clarion.settings import load


async def test_a_door_that_cannot_be_made_silences_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp, "SLOW", ("clarion.nowhere",))
    settings = load({"CLARION_DATA_DIR": str(tmp_path), "CLARION_PORT": "0"})

    async with await build(settings) as clarion:
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        await clarion.first_login()
        token = (tmp_path / "token").read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=clarion.url, headers=headers) as client:
            refused = await client.post("/mcp", json={})
            healthy = await client.get("/health/ready")
        clarion.stop()
        await running

    assert refused.status_code == 503
    assert healthy.status_code == 200
