"""Joins what lets people connect assistants by themselves: OAuth, and the list of who is."""

from clarion.access.audit import AuditTrail
from clarion.access.connecting import Connecting, Lives
from clarion.access.service import Access
from clarion.app.parts import Parts
from clarion.doors.http.connect.routes import host_routes
from clarion.doors.http.oauth.connected import assistant_routes
from clarion.doors.http.oauth.consent import Consent, consent_routes
from clarion.doors.http.oauth.documents import HttpDocuments
from clarion.doors.http.oauth.endpoints import endpoint_routes
from clarion.doors.http.oauth.metadata import metadata_routes
from clarion.exits.reach import Reach
from clarion.people.service import People
from clarion.store.sql.access.connections import SqlConnections
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.audit import SqlAudit


async def add_assistants(parts: Parts, access: Access, trail: AuditTrail, people: People) -> None:
    settings = parts.settings
    connecting = Connecting(
        SqlConnections(parts.database),
        access,
        HttpDocuments(Reach(private_allowed=settings.private_targets)),
        parts.clock,
        Lives(access=settings.assistant_token_life, idle=settings.assistant_idle_max),
    )
    key = await parts.database.write(secret, "consent")
    consent = Consent(connecting, people, key, settings.public_url)
    parts.routers += [
        metadata_routes(settings.public_url),
        consent_routes(consent),
        endpoint_routes(connecting, parts.clock, settings.failed_tries),
        host_routes(settings.public_url),
        assistant_routes(access, SqlAudit(parts.database), trail),
    ]
