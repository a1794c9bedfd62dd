"""What lies on the disk after people have logged in and tokens were made."""

import stat
from pathlib import Path

from clarion.access.model import TokenKind
from clarion.app.storage import data_directory
from tests.support.doors import ANA, Doors


def kept(folder: Path) -> bytes:
    """Every byte below the data directory but the token that is meant to lie there."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "token"]
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
