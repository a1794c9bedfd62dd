"""What a 401 tells a client: where it finds out how to be let in (RFC 9728)."""

from starlette.requests import HTTPConnection

RESOURCE_PATH = "/.well-known/oauth-protected-resource"
DOOR = "/mcp"


def base_of(connection: HTTPConnection, public_url: str) -> str:
    """Our own address as the caller knows it. Whose name that may be, `Hosts` has checked."""
    if public_url:
        return public_url.rstrip("/")
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


def challenge(connection: HTTPConnection, public_url: str, error: str, scope: str) -> str:
    """What a 401 or 403 says to a client that can connect by itself."""
    path = f"{RESOURCE_PATH}{DOOR}" if connection.scope["path"] == DOOR else RESOURCE_PATH
    where = f"{base_of(connection, public_url)}{path}"
    parts = [f'resource_metadata="{where}"', f'scope="{scope}"']
    if error:
        parts.insert(0, f'error="{error}"')
    return f"Bearer {', '.join(parts)}"
