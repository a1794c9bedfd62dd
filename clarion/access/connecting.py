"""The verbs of connecting an assistant: register, allow, fetch a token, renew it, disconnect."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from clarion.access.oauth import (
    CHALLENGE,
    CODE_LIFE,
    STATE_LETTERS_MAX,
    AccessRequest,
    CodeProof,
    GrantCode,
    Issued,
    NewPair,
    OAuthClient,
    OAuthRefused,
    is_document,
    leads_to,
    read_client,
)
from clarion.access.ports import ClientDocuments, ConnectionStore
from clarion.access.tokens import (
    OF_A_PERSON,
    USUAL,
    Access,
    Identity,
    Scope,
    hashed,
    matches,
    new_secret,
    new_token_id,
    ordered,
    scopes_in,
    split,
)
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Forbidden
from clarion.base.ids import UserId, new_id

log = logging.getLogger(__name__)

UNUSED_CLIENTS_MAX = 200  # registered but never connected; more means abuse
DOCUMENT_LIFE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Lives:
    """How long secrets are good."""

    access: timedelta = timedelta(hours=1)
    idle: timedelta = timedelta(days=90)
    """An assistant that does not come back for so long has to be connected again."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """How a client says who it is when it fetches a token."""

    client_id: str
    secret: str = ""


class Connecting:
    def __init__(
        self,
        store: ConnectionStore,
        access: Access,
        documents: ClientDocuments,
        clock: Clock,
        lives: Lives,
    ) -> None:
        self._store = store
        self._access = access
        self._documents = documents
        self._clock = clock
        self._lives = lives

    async def register(self, metadata: Mapping[str, Any]) -> tuple[OAuthClient, str]:
        """A client and its secret, which is empty when it asked for none (RFC 7591)."""
        now = self._clock.now()
        client = read_client(metadata, new_id("cli", now), now)
        secret = new_secret() if client.method != "none" else ""
        if secret:
            client = replace(client, secret_hash=hashed(secret))
        await self._store.add_client(client, UNUSED_CLIENTS_MAX)
        log.info("assistant registered", extra={"client": client.id})
        return client, secret

    async def client(self, client_id: str) -> OAuthClient:
        """A registered client, or the one that the document at `client_id` describes."""
        if not is_document(client_id):
            return await self._known(client_id)
        kept = await self._store.client(client_id)
        now = self._clock.now()
        if kept is not None and now - kept.created_at < DOCUMENT_LIFE:
            return kept
        document = await self._documents.fetch(client_id)
        if document.get("client_id") != client_id:
            raise OAuthRefused("invalid_client", "The client's document is about another one.", 401)
        if document.get("token_endpoint_auth_method", "none") != "none":
            raise OAuthRefused("invalid_client", "A client with a document has no secret.", 401)
        found = read_client(document, client_id, now)
        await self._store.add_client(found, UNUSED_CLIENTS_MAX)
        return found

    async def _known(self, client_id: str) -> OAuthClient:
        kept = await self._store.client(client_id)
        if kept is None:
            raise OAuthRefused("invalid_client", "This client is not registered here.", 401)
        return kept

    async def destination(self, client_id: str, redirect: str) -> tuple[OAuthClient, str]:
        """The client, and the address that answers may be sent to.

        Raises OAuthRefused, to be shown to the person and never sent to that address.
        """
        client = await self.client(client_id)
        if not redirect and len(client.redirects) == 1:
            redirect = client.redirects[0]
        if not leads_to(client.redirects, redirect):
            raise OAuthRefused("invalid_request", "That redirect address is not registered.")
        return client, redirect

    def request(
        self, given: Mapping[str, str], client: OAuthClient, redirect: str, base: str
    ) -> AccessRequest:
        """What is asked for. Raises OAuthRefused, to be sent back to the client."""
        if given.get("response_type") != "code":
            raise OAuthRefused("unsupported_response_type", "response_type has to be code.")
        challenge = given.get("code_challenge", "")
        if given.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(challenge):
            raise OAuthRefused("invalid_request", "PKCE with code_challenge_method=S256 is needed.")
        try:
            scopes = scopes_in(given.get("scope", "")) or USUAL
        except ValueError:
            raise OAuthRefused("invalid_scope", f"Scopes are {', '.join(Scope)}.") from None
        if len(given.get("state", "")) > STATE_LETTERS_MAX:
            raise OAuthRefused("invalid_request", "state is too long.")
        return AccessRequest(
            client_id=client.id,
            redirect=redirect,
            scopes=scopes,
            state=given.get("state", ""),
            challenge=challenge,
            resource=resource_of(given.get("resource", ""), base),
        )

    async def allow(
        self,
        asked: AccessRequest,
        client: OAuthClient,
        who: Identity,
        owner: UserId | None,
        scopes: tuple[Scope, ...],
    ) -> str:
        """A person said yes. The code answers for what they allowed, never for more than asked."""
        may = allowable(who, owner)
        granted = ordered(set(scopes) & set(asked.scopes) & set(may))
        if not granted:
            raise BadInput("Nothing was allowed.", hint="Tick what the assistant may do.")
        code = new_secret()
        await self._store.add_code(
            hashed(code),
            GrantCode(
                client_id=client.id,
                client_name=client.name,
                redirect=asked.redirect,
                challenge=asked.challenge,
                resource=asked.resource,
                scopes=granted,
                user_id=owner,
                expires_at=self._clock.now() + CODE_LIFE,
            ),
        )
        return code

    async def redeem(
        self, credentials: Credentials, code: str, redirect: str, verifier: str, resource: str
    ) -> Issued:
        client = await self._authenticated(credentials)
        proof = CodeProof(
            client_id=client.id, redirect=redirect, verifier=verifier, resource=resource
        )
        now = self._clock.now()
        token_id, access, refresh = new_token_id(now), new_secret(), new_secret()
        pair = self._pair(access, refresh)
        token = await self._store.redeem(hashed(code), proof, token_id, pair, now)
        if token is None:
            raise OAuthRefused("invalid_grant", "This code is not known, was used or is too old.")
        log.info("assistant connected", extra={"id": token.id})
        return self._issued(token, access, refresh)

    async def renew(self, credentials: Credentials, refresh: str, scope: str) -> Issued:
        client = await self._authenticated(credentials)
        access, fresh = new_secret(), new_secret()
        pair = self._pair(access, fresh)
        parts = split(refresh)
        found = await self._store.token_of(hashed(parts[1])) if parts else None
        if found is not None and not wanted_within(scope, found.scopes or ()):
            raise OAuthRefused("invalid_scope", "That is more than was allowed.")
        token = None
        if parts is not None:
            now = self._clock.now()
            token = await self._store.renew(hashed(parts[1]), client.id, pair, now)
        if token is None:
            self._access.forget()
            raise OAuthRefused("invalid_grant", "This assistant has to be connected again.")
        return self._issued(token, access, fresh)

    async def disconnect(self, credentials: Credentials, secret: str) -> None:
        """RFC 7009. Unknown tokens and those of other clients are ignored."""
        client = await self._authenticated(credentials)
        parts = split(secret)
        token = await self._store.token_of(hashed(parts[1])) if parts else None
        if token is not None and token.client_id == client.id:
            await self._access.revoke(token.id)

    async def _authenticated(self, credentials: Credentials) -> OAuthClient:
        """Whoever has something to fetch is known since a person looked at it: nobody makes us
        call an address here, and a client whose own site is down can still renew.
        """
        client = await self._known(credentials.client_id)
        if client.method != "none" and not matches(credentials.secret, client.secret_hash):
            raise OAuthRefused("invalid_client", "The client's secret is wrong.", 401)
        return client

    def _pair(self, access: str, refresh: str) -> NewPair:
        now = self._clock.now()
        return NewPair(
            access_hash=hashed(access),
            access_until=now + self._lives.access,
            refresh_hash=hashed(refresh),
            refresh_until=now + self._lives.idle,
        )

    def _issued(self, token: Any, access: str, refresh: str) -> Issued:
        return Issued(
            token=token,
            access=f"{token.id}.{access}",
            refresh=f"{token.id}.{refresh}",
            expires_in=int(self._lives.access.total_seconds()),
        )


def allowable(who: Identity, owner: UserId | None) -> tuple[Scope, ...]:
    """What this person can allow: about themself, or as an admin about one or everybody."""
    if who.client_id is not None:
        raise Forbidden("An assistant cannot connect another one.")
    if owner is None and not who.is_admin:
        raise Forbidden("Only an admin can connect an assistant for everybody.")
    if owner is not None and not who.is_admin and owner != who.user_id:
        raise Forbidden("You can connect an assistant for yourself only.")
    return OF_A_PERSON if owner is not None else tuple(Scope)


def resource_of(asked: str, base: str) -> str:
    """RFC 8707: what the token will be good for. All of Clarion, or its assistants' door."""
    door = f"{base}/mcp"
    if not asked:
        return door
    plain = asked.rstrip("/")
    if plain not in (base, door):
        raise OAuthRefused("invalid_target", f"This server gives tokens for {door} only.")
    return plain


def wanted_within(scope: str, allowed: tuple[Scope, ...]) -> bool:
    try:
        return set(scopes_in(scope)) <= set(allowed)
    except ValueError:
        return False
