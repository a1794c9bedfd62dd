"""A package beside Clarion brings a kind of task: it is added, done, and its result read."""

import asyncio
import sys
from pathlib import Path

import httpx
import pytest

from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.settings import Settings

SHOP = """
from clarion.tasks.kinds import task
from clarion.tasks.ports import Result

@task("shop.order")
async def order(claim):
    return Result({"ordered": claim.task.payload["article"]})
"""
ENTRIES = "[clarion.tasks]\norder = shop_kinds:order\nbroken = shop_kinds:nothing\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package, as pip leaves it."""
    (tmp_path / "shop_kinds.py").write_text(SHOP, encoding="utf-8")
    about = tmp_path / "shop-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shop_kinds", raising=False)


@pytest.mark.usefixtures("shop")
async def test_a_kind_of_ones_own_is_done_and_its_result_is_read(tmp_path: Path) -> None:
    async with await build(Settings(data_dir=tmp_path / "data", port=0)) as clarion:
        parts = clarion.parts
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        assert parts.access is not None
        token = (await parts.access.issue(TokenKind.ADMIN)).text
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=f"{clarion.url}/api/v1", headers=headers) as client:
            body = {"kind": "shop.order", "payload": {"article": "tea"}}
            added = await client.post("/tasks", json=body)
            refused = await client.post("/tasks", json={"kind": "reminder.ring"})
            task = added.json()
            while task["status"] != "done":
                task = (await client.get(f"/tasks/{task['id']}")).json()
            health = (await client.get(f"{clarion.url}/health")).json()
        clarion.stop()
        await running

    assert added.status_code == 201
    assert task["result"] == {"ordered": "tea"}
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_kind")
    assert "kind broken (AttributeError" in health["checks"]["parts"]["detail"]
