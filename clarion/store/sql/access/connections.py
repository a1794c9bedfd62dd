"""Queries about connected assistants. Each decision is one UPDATE, so only one caller wins."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from clarion.access.events import TokenMade
from clarion.access.oauth import CodeProof, GrantCode, NewPair, OAuthClient
from clarion.access.tokens import Token, TokenId, scopes_in
from clarion.base.ids import UserId
from clarion.store.sql import events
from clarion.store.sql.access.tokens import (
    ACCESS,
    REFRESH,
    find,
    revoke,
    unconnected,
    values_of,
)
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.access import oauth_clients, oauth_codes, oauth_secrets, tokens


def add_client(conn: Connection, client: OAuthClient, unused_max: int) -> None:
    """A known client is updated with what it now says about itself."""
    values = {
        "id": client.id,
        "name": client.name,
        "redirects": list(client.redirects),
        "method": client.method,
        "secret_hash": client.secret_hash,
        "created_at": client.created_at,
    }
    same = oauth_clients.c.id == client.id
    if not conn.execute(update(oauth_clients).where(same).values(values)).rowcount:
        conn.execute(insert(oauth_clients).values(values))
    latest = select(oauth_clients.c.id).where(unconnected())
    newest = latest.order_by(oauth_clients.c.created_at.desc()).limit(unused_max)
    conn.execute(delete(oauth_clients).where(unconnected(), oauth_clients.c.id.not_in(newest)))


def client(conn: Connection, client_id: str) -> OAuthClient | None:
    query = select(oauth_clients).where(oauth_clients.c.id == client_id)
    row = conn.execute(query).one_or_none()
    if row is None:
        return None
    return OAuthClient(
        id=row.id,
        name=row.name,
        redirects=tuple(row.redirects),
        method=row.method,
        secret_hash=row.secret_hash,
        created_at=row.created_at,
    )


def add_code(conn: Connection, hash_: str, code: GrantCode) -> None:
    conn.execute(
        insert(oauth_codes).values(
            hash=hash_,
            client_id=code.client_id,
            client_name=code.client_name,
            redirect=code.redirect,
            challenge=code.challenge,
            resource=code.resource,
            scopes=" ".join(code.scopes),
            user_id=code.user_id,
            expires_at=code.expires_at,
        )
    )


def redeem(
    conn: Connection, hash_: str, proof: CodeProof, token_id: str, pair: NewPair, now: datetime
) -> Token | None:
    unused = oauth_codes.c.hash == hash_, oauth_codes.c.used_at.is_(None)
    taking = update(oauth_codes).where(*unused).values(used_at=now).returning(*oauth_codes.c)
    row = conn.execute(taking).one_or_none()
    if row is None:
        _end(conn, select(oauth_codes.c.token_id).where(oauth_codes.c.hash == hash_), now)
        return None
    code = _code(row)
    if not proof.fits(code, now):
        return None
    token = Token(
        id=TokenId(token_id),
        kind=code.kind,
        created_at=now,
        user_id=code.user_id,
        name=code.client_name,
        expires_at=pair.refresh_until,
        client_id=code.client_id,
        scopes=code.scopes,
        resource=code.resource,
    )
    conn.execute(insert(tokens).values({**values_of(token), "hash": ""}))
    _keep(conn, token_id, pair)
    same = oauth_codes.c.hash == hash_
    conn.execute(update(oauth_codes).where(same).values(token_id=token_id))
    made = TokenMade(
        subject=token.id, user=token.user_id, token_kind=token.kind.value, name=token.name
    )
    events.append(conn, [made], now)
    return token


def renew(
    conn: Connection, hash_: str, client_id: str, pair: NewPair, now: datetime
) -> Token | None:
    known = oauth_secrets.c.hash == hash_, oauth_secrets.c.purpose == REFRESH
    taking = (
        update(oauth_secrets)
        .where(*known, oauth_secrets.c.used_at.is_(None))
        .values(used_at=now)
        .returning(oauth_secrets.c.token_id)
    )
    token_id = conn.execute(taking).scalar_one_or_none()
    if token_id is None:
        _end(conn, select(oauth_secrets.c.token_id).where(*known), now)
        return None
    kept = find(conn, token_id)
    if kept is None or not kept.token.is_good(now):
        return None
    if kept.token.client_id != client_id:
        revoke(conn, token_id, now)  # another client uses it: it was stolen
        return None
    _keep(conn, token_id, pair)
    later = update(tokens).where(tokens.c.id == token_id).values(expires_at=pair.refresh_until)
    conn.execute(later)
    return kept.token


def token_of(conn: Connection, hash_: str) -> Token | None:
    query = select(oauth_secrets.c.token_id).where(oauth_secrets.c.hash == hash_)
    token_id = conn.execute(query).scalar_one_or_none()
    kept = find(conn, token_id) if token_id else None
    return kept.token if kept else None


def _end(conn: Connection, query: Any, now: datetime) -> None:
    """A secret was used twice, so it may be stolen: end all access that came from it."""
    token_id = conn.execute(query).scalar_one_or_none()
    if token_id is not None:
        revoke(conn, token_id, now)


def _keep(conn: Connection, token_id: str, pair: NewPair) -> None:
    rows = [
        {"hash": hash_, "token_id": token_id, "purpose": purpose, "expires_at": until}
        for hash_, purpose, until in (
            (pair.access_hash, ACCESS, pair.access_until),
            (pair.refresh_hash, REFRESH, pair.refresh_until),
        )
    ]
    conn.execute(insert(oauth_secrets), rows)


def _code(row: Row[Any]) -> GrantCode:
    return GrantCode(
        client_id=row.client_id,
        client_name=row.client_name,
        redirect=row.redirect,
        challenge=row.challenge,
        resource=row.resource,
        scopes=scopes_in(row.scopes),
        user_id=UserId(row.user_id) if row.user_id else None,
        expires_at=row.expires_at,
    )


class SqlConnections:
    """`ConnectionStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add_client(self, client: OAuthClient, unused_max: int) -> None:
        await self._db.write(add_client, client, unused_max)

    async def client(self, client_id: str) -> OAuthClient | None:
        return await self._db.read(client, client_id)

    async def add_code(self, hash_: str, code: GrantCode) -> None:
        await self._db.write(add_code, hash_, code)

    async def redeem(
        self, hash_: str, proof: CodeProof, token_id: TokenId, pair: NewPair, now: datetime
    ) -> Token | None:
        return await self._db.write(redeem, hash_, proof, token_id, pair, now)

    async def renew(self, hash_: str, client_id: str, pair: NewPair, now: datetime) -> Token | None:
        return await self._db.write(renew, hash_, client_id, pair, now)

    async def token_of(self, hash_: str) -> Token | None:
        return await self._db.read(token_of, hash_)
