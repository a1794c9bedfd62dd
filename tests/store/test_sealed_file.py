"""A back-up with a password is read with that password alone, and only if it is whole."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from clarion.store.sql import sealed_file
from clarion.store.sql.backup import BadBackup, dump, load
from clarion.store.sql.engine.database import Database
from clarion.store.sql.sealed_file import PIECE_BYTES, WrongPassword


def quiet(_table: str, _rows: int) -> None:
    """Nobody watches."""


def sealed(path: Path, words: bytes) -> Path:
    with sealed_file.create(path, "open sesame") as file:
        file.write(words)
    return path


@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])
def test_what_was_sealed_is_read_again(tmp_path: Path, size: int) -> None:
    words = bytes(range(256)) * (size // 256 + 1)
    path = sealed(tmp_path / "file", words[:size])

    with sealed_file.read(path, "open sesame") as file:
        assert file.read() == words[:size]


@pytest.mark.parametrize("harm", ["another password", "cut off", "changed", "a piece left out"])
def test_anything_else_is_noticed(tmp_path: Path, harm: str) -> None:
    path = sealed(tmp_path / "file", b"x" * (2 * PIECE_BYTES + 5))
    whole = path.read_bytes()
    piece, head = PIECE_BYTES + 20, len(sealed_file.MARK) + sealed_file.SALT_BYTES
    harmed = {
        "another password": whole,
        "cut off": whole[: head + 2 * piece],
        "changed": whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
        "a piece left out": whole[:head] + whole[head + piece :],
    }[harm]
    path.write_bytes(harmed)

    password = "guess" if harm == "another password" else "open sesame"
    with pytest.raises(WrongPassword), sealed_file.read(path, password) as file:
        file.read()


async def test_a_back_up_with_a_password_tells_nothing_without(
    tmp_path: Path, sqlite: Database
) -> None:
    def write(conn: Connection) -> None:
        conn.execute(text("INSERT INTO secrets (name, value) VALUES ('x', 'whsec_visible')"))

    def empty(conn: Connection) -> None:
        conn.execute(text("DELETE FROM secrets"))

    file = tmp_path / "home.backup"
    await sqlite.write(write)
    made = await sqlite.read(dump, file, quiet, "open sesame")
    await sqlite.write(empty)

    assert file.read_bytes().startswith(sealed_file.MARK)
    for guess in ("", "guess"):
        with pytest.raises(BadBackup):
            await sqlite.write(load, file, quiet, guess)
    assert await sqlite.write(load, file, quiet, "open sesame") == made
