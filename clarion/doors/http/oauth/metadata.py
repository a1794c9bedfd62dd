"""Metadata by which an assistant finds our OAuth endpoints: RFC 9728 and RFC 8414."""

from typing import Any

from fastapi import APIRouter, Request, Response

from clarion.access.oauth import METHODS
from clarion.access.tokens import USUAL, Scope
from clarion.doors.http.auth import DOOR, RESOURCE_PATH, base_of
from clarion.doors.http.conventions import answer_json

SERVER_PATH = "/.well-known/oauth-authorization-server"
SHORT = {"Cache-Control": "public, max-age=300"}


def metadata_routes(public_url: str) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get(RESOURCE_PATH)
    async def whole(request: Request) -> Response:
        return answer_json(resource(base_of(request, public_url), ""), headers=SHORT)

    @router.get(f"{RESOURCE_PATH}{DOOR}")
    async def door(request: Request) -> Response:
        return answer_json(resource(base_of(request, public_url), DOOR), headers=SHORT)

    @router.get(SERVER_PATH)
    async def server(request: Request) -> Response:
        return answer_json(server_metadata(base_of(request, public_url)), headers=SHORT)

    return router


def resource(base: str, path: str) -> dict[str, Any]:
    return {
        "resource": f"{base}{path}",
        "resource_name": "Clarion",
        "authorization_servers": [base],
        # Only the most useful scopes: clients ask for all that are listed here.
        "scopes_supported": list(USUAL),
        "bearer_methods_supported": ["header"],
    }


def server_metadata(base: str) -> dict[str, Any]:
    return {
        "issuer": base,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "registration_endpoint": f"{base}/oauth/register",
        "revocation_endpoint": f"{base}/oauth/revoke",
        "scopes_supported": list(Scope),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": list(METHODS),
        "revocation_endpoint_auth_methods_supported": list(METHODS),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }
