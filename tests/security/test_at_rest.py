"""What lies on the disk after people have logged in and tokens were made."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text

from clarion.access.tokens import TokenKind
from clarion.app.storage import bring_up_to_date, data_directory
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.engine.database import Database
from clarion.store.sql.sealing import Keyring, WrongKey, keyring
from clarion.store.sql.tables.webhooks import webhooks
from tests.support.clock import ManualClock
from tests.support.doors import ANA, Doors, open_doors


def kept(folder: Path) -> bytes:
    """Every byte below the data directory but the token and the key that are meant to lie there."""
    own = ("key", "token")
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return b"".join(path.read_bytes() for path in files)


async def test_no_token_and_no_login_code_can_be_read_from_the_disk(
    doors: Doors, tmp_path: Path
) -> None:
    made = await doors.access.issue(TokenKind.USER, user_id=ANA)
    async with doors.client() as client:
        await client.get("/api/v1/me", headers={"Authorization": f"Bearer {made.text}"})

    disk = kept(tmp_path)

    assert made.token.id.encode() in disk
    for token in (made.text, *doors.tokens.values()):
        assert token.encode() not in disk
        assert token.rsplit(".", 1)[-1].encode() not in disk


async def test_only_the_owner_may_read_what_is_kept(doors: Doors) -> None:
    made = data_directory(doors.parts.settings.data_dir / "made")

    assert stat.S_IMODE(made.stat().st_mode) == 0o700


async def test_files_are_private_whatever_the_directory(tmp_path: Path, clock: ManualClock) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    (home / "clarion.db").touch(mode=0o644)
    (home / "clarion.db").chmod(0o644)

    async with open_doors(home, clock, by_hand=True) as opened:
        await opened.people.ensure_user(ANA)
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in home.iterdir()}

    assert {"clarion.db", "clarion.db-wal"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_units_keep_what_they_write_to_themselves() -> None:
    units = sorted((Path(__file__).parents[2] / "deploy" / "systemd").glob("*.service"))

    assert len(units) == 2
    for unit in units:
        assert {"StateDirectoryMode=0700", "UMask=0077"} <= set(unit.read_text().splitlines())


async def test_secrets_in_the_database_are_sealed(doors: Doors, tmp_path: Path) -> None:
    async with doors.client("ana") as ana:
        made = (await ana.post("/api/v1/webhooks", json={"url": "https://example.com/"})).json()
        again = await ana.get(f"/api/v1/webhooks/{made['id']}")

    signed_with = await doors.parts.database.read(secret_of, made["id"])
    disk = kept(tmp_path)

    assert again.is_success
    assert signed_with == made["secret"]
    assert made["secret"].encode() not in disk
    assert (await doors.parts.database.write(secret, "links")).hex().encode() not in disk


async def test_what_was_plain_is_sealed_at_the_next_start(tmp_path: Path, sqlite: Database) -> None:
    def write(conn: Connection) -> None:
        conn.execute(text("INSERT INTO secrets (name, value) VALUES ('old', 'abcd')"))

    def raw(conn: Connection) -> str:
        return str(conn.execute(text("SELECT value FROM secrets WHERE name = 'old'")).scalar())

    await sqlite.write(write)
    keyring.use("a key of this test")
    await bring_up_to_date(sqlite)

    assert (await sqlite.read(raw)).startswith("sealed1:")
    assert await sqlite.write(secret, "old") == bytes.fromhex("abcd")


def test_another_key_opens_nothing() -> None:
    ours, theirs = Keyring(), Keyring()
    ours.use("one key")
    theirs.use("another key")

    sealed = ours.seal("whsec_1")

    assert ours.open(sealed) == "whsec_1"
    assert ours.seal("whsec_1") != sealed
    with pytest.raises(WrongKey):
        theirs.open(sealed)


def secret_of(conn: Connection, hook_id: str) -> str:
    return str(conn.execute(select(webhooks.c.secret).where(webhooks.c.id == hook_id)).scalar())
