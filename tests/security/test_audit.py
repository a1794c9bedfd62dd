"""The audit of pinned packages, against a small database that speaks OSV's protocol."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from scripts.audit import kept, main, pins, weak
from tests.support.http import serving


def osv(**known: str) -> FastAPI:
    """Knows one weakness of each package that is named."""
    app = FastAPI()

    @app.post("/v1/querybatch")
    async def query(request: Request) -> dict[str, Any]:
        asked = (await request.json())["queries"]
        return {
            "results": [
                {"vulns": [{"id": known[name]}]}
                if (name := one["package"]["name"]) in known
                else {}
                for one in asked
            ]
        }

    return app


def test_every_pin_is_asked_about() -> None:
    found = dict(pins())

    assert len(found) > 50
    assert "fastapi" in found
    assert all(version[0].isdigit() for version in found.values())


async def test_a_weak_package_is_named_and_the_others_are_not() -> None:
    asked = [("good", "1.0"), ("old", "0.1"), *((f"p{n}", "1") for n in range(600))]
    async with serving(osv(old="GHSA-1", p599="PYSEC-2")) as url:
        found = await asyncio.to_thread(weak, asked, url)

    assert found == {("old", "0.1"): ["GHSA-1"], ("p599", "1"): ["PYSEC-2"]}


async def test_a_database_that_refuses_is_no_clean_bill() -> None:
    async with serving(FastAPI()) as url:
        with pytest.raises(httpx.HTTPError):
            await asyncio.to_thread(weak, [("x", "1")], url)


async def test_without_a_network_the_last_answer_counts(tmp_path: Path) -> None:
    path = tmp_path / "weak.json"
    async with serving(osv(fastapi="GHSA-1")) as url:
        asked = await asyncio.to_thread(main, "--save", url, path)
    away = await asyncio.to_thread(main, "", "http://127.0.0.1:9", path)
    version = dict(pins())["fastapi"]
    found, unknown, _ = kept([("fastapi", version), ("new", "1")], path)

    assert (asked, away) == (1, 1)
    assert found == {("fastapi", version): ["GHSA-1"]}
    assert unknown == [("new", "1")]


async def test_without_a_network_and_an_answer_nothing_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "weak.json"

    assert await asyncio.to_thread(main, "", "http://127.0.0.1:9", path) == 2
