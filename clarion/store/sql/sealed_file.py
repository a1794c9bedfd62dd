"""A file encrypted with a password, written and read piece by piece.

A mark and a salt, then pieces: each its length and AES-GCM with its number, the last one marked
as such. A piece that was changed, moved or cut off is noticed.
"""

import hashlib
import io
import os
import struct
from pathlib import Path
from typing import IO, Any

MARK = b"CLARION SEALED 1\n"
SALT_BYTES = 16
PIECE_BYTES = 1_048_576
SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 67_108_864}  # a tenth of a second, 32 MB


class WrongPassword(OSError):
    """The password is wrong or the file is damaged: the two look the same."""

    def __init__(self) -> None:
        super().__init__("it is damaged, or the password is another")


def create(path: Path, password: str) -> IO[bytes]:
    """For writing; plain without a password."""
    if not password:
        return path.open("wb")
    return _Writer(path.open("wb"), password)  # type: ignore[return-value]  # as gzip uses it


def read(path: Path, password: str) -> IO[bytes]:
    """For reading; a plain file is read without a password. Raises WrongPassword."""
    file = path.open("rb")
    if file.read(len(MARK)) != MARK:
        file.seek(0)
        return file
    if not password:
        file.close()
        raise OSError("it is sealed: give its password with --password-file")
    return io.BufferedReader(_Reader(file, password))


def _cipher(password: str, salt: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.scrypt(password.encode(), salt=salt, dklen=32, **SCRYPT))


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class _Writer(io.RawIOBase):
    def __init__(self, file: IO[bytes], password: str) -> None:
        salt = os.urandom(SALT_BYTES)
        self._file = file
        self._cipher = _cipher(password, salt)
        self._waiting = bytearray()
        self._number = 0
        file.write(MARK + salt)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting += data
        while len(self._waiting) > PIECE_BYTES:
            self._put(bytes(self._waiting[:PIECE_BYTES]), last=False)
            del self._waiting[:PIECE_BYTES]
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._put(bytes(self._waiting), last=True)
            self._file.close()
        super().close()

    def _put(self, piece: bytes, *, last: bool) -> None:
        sealed = self._cipher.encrypt(_nonce(self._number, last=last), piece, None)
        self._file.write(struct.pack("!I", len(sealed)) + sealed)
        self._number += 1


class _Reader(io.RawIOBase):
    def __init__(self, file: IO[bytes], password: str) -> None:
        self._file = file
        self._cipher = _cipher(password, file.read(SALT_BYTES))
        self._ready = b""
        self._number = 0
        self._over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self._over:
            self._ready = self._next()
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        self._file.close()
        super().close()

    def _next(self) -> bytes:
        from cryptography.exceptions import InvalidTag

        head = self._file.read(4)
        size = struct.unpack("!I", head)[0] if len(head) == 4 else 0
        sealed = self._file.read(min(size, 2 * PIECE_BYTES))
        for last in (False, True):
            try:
                piece: bytes = self._cipher.decrypt(_nonce(self._number, last=last), sealed, None)
            except (InvalidTag, ValueError):
                continue
            self._number += 1
            self._over = last
            return piece
        raise WrongPassword
