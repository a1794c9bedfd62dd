"""Secrets at rest: columns encrypted with a key that is kept outside the database.

A column of type `Sealed` is written as `sealed1:…` and read as it was. Whoever has a copy of
the database, but not the key, can neither sign for us nor call anybody in our name.
"""

import base64
import hashlib
import os
from typing import Any

from sqlalchemy import Connection, Text, select, type_coerce, update
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from clarion.base.errors import Conflict

MARK = "sealed1:"
NONCE_BYTES = 12


class WrongKey(Conflict):
    code = "wrong_secret_key"

    def __init__(self) -> None:
        super().__init__(
            "The secrets in the database were sealed with another key.",
            hint="Set the CLARION_SECRET_KEY of before, or put its file `key` back.",
        )


class Keyring:
    """The keys of this process: the last one given seals, each may open."""

    def __init__(self) -> None:
        self._keys: list[bytes] = []

    def use(self, text: str) -> None:
        """Without keys, new values are stored as plain text."""
        key = hashlib.sha256(b"clarion sealing " + text.encode()).digest()
        if key in self._keys:
            self._keys.remove(key)
        self._keys.append(key)

    @property
    def is_empty(self) -> bool:
        return not self._keys

    def seal(self, text: str) -> str:
        if self.is_empty or not text:
            return text
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(self._keys[-1]).encrypt(nonce, text.encode(), None)
        return MARK + base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, text: str) -> str:
        """Plain text from before there was a key is returned unchanged."""
        if not text.startswith(MARK):
            return text
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        whole = base64.urlsafe_b64decode(text.removeprefix(MARK))
        for key in reversed(self._keys):
            try:
                opened = AESGCM(key).decrypt(whole[:NONCE_BYTES], whole[NONCE_BYTES:], None)
            except InvalidTag:
                continue
            return opened.decode()
        raise WrongKey


keyring = Keyring()


class Sealed(TypeDecorator[str]):
    """Text that only a process with the key can read."""

    impl = Text
    cache_ok = True

    @property
    def python_type(self) -> type[str]:
        return str

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else keyring.seal(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else keyring.open(value)


def seal_what_is_plain(conn: Connection, tables: Any) -> int:
    """Encrypt what was written before there was a key. Returns how many values."""
    if keyring.is_empty:
        return 0
    count = 0
    for table in tables:
        key = list(table.primary_key.columns)
        for column in (one for one in table.columns if isinstance(one.type, Sealed)):
            raw = type_coerce(column, Text)
            plain = raw.not_like(f"{MARK}%"), raw != ""
            for row in conn.execute(select(*key, raw).where(*plain)).all():
                same = [one == value for one, value in zip(key, row, strict=False)]
                conn.execute(update(table).where(*same).values({column.name: row[-1]}))
                count += 1
    return count
