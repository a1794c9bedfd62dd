"""The manifest as values, and what is made from it: snippets, links, the bundle's and the
registry's descriptions.
"""

import base64
import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import clarion

FILE = Path(__file__).with_name("manifest.toml")
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
BUNDLE_VERSION = "0.4"


@dataclass(frozen=True, slots=True)
class AssistantHost:
    """A program that people talk to, and how Clarion is added to it."""

    id: str
    title: dict[str, str]
    kind: str
    """`oauth`: it finds the way by itself; `token`: it is given one; `stdio`: it starts us."""
    where: dict[str, str]
    snippet: str
    link: str = ""

    def filled(self, url: str, user: str) -> str:
        """The exact text to paste. The token is left for the person to put in."""
        return self.snippet.replace("{url}", url).replace("{user}", user)

    def install_link(self, url: str) -> str:
        """One click, where the host has a scheme for it; empty where not."""
        door = {"url": f"{url}/mcp"}
        if self.link == "cursor":
            config = base64.b64encode(json.dumps(door).encode()).decode()
            return f"cursor://anysphere.cursor-deeplink/mcp/install?name=clarion&config={quote(config)}"
        if self.link == "vscode":
            config = json.dumps({"name": "clarion", "type": "http", **door})
            return f"vscode:mcp/install?{quote(config)}"
        return ""


@cache
def manifest() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def assistant_hosts() -> tuple[AssistantHost, ...]:
    return tuple(
        AssistantHost(
            one["id"],
            {"en": one["title"], "zh": one.get("title_zh", one["title"])},
            one["kind"],
            {"en": one["en"], "zh": one["zh"]},
            one["snippet"],
            one.get("link", ""),
        )
        for one in manifest()["host"]
    )


ASKED: dict[str, Any] = {
    "data_dir": {
        "type": "directory",
        "title": "Data directory",
        "description": "Where Clarion keeps its data; that of your server if you have one.",
        "default": "${HOME}/.clarion",
        "required": True,
    },
    "user": {
        "type": "string",
        "title": "User",
        "description": "Whom the assistant speaks for; needless when there is only one.",
        "default": "",
        "required": False,
    },
    "token": {
        "type": "string",
        "title": "Token",
        "description": "From `clarion token create`; empty: one is made.",
        "sensitive": True,
        "default": "",
        "required": False,
    },
}
"""What a host's form asks the person who opens the bundle."""


def bundle_manifest() -> dict[str, Any]:
    """`manifest.json` of the `.mcpb` bundle: started by uv, which fetches what it needs."""
    info = manifest()
    return {
        "manifest_version": BUNDLE_VERSION,
        "name": info["name"],
        "display_name": info["title"],
        "version": clarion.__version__,
        "description": info["description"],
        "long_description": info["long_description"].strip(),
        "author": {"name": "Clarion contributors"},
        "license": "Apache-2.0",
        "keywords": info["keywords"],
        "icon": "icon.png",
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
                "env": {
                    "CLARION_DATA_DIR": "${user_config.data_dir}",
                    "CLARION_TOKEN": "${user_config.token}",
                    "CLARION_USER": "${user_config.user}",
                },
            },
        },
        "user_config": ASKED,
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": ">=3.11"}},
    }


def bundle_project() -> str:
    """`pyproject.toml` of the bundle: what uv installs."""
    info = manifest()
    return (
        f'[project]\nname = "{info["name"]}-bundle"\nversion = "{clarion.__version__}"\n'
        f'requires-python = ">=3.11"\ndependencies = ["{info["package"]}=={clarion.__version__}"]\n'
    )


BUNDLE_SERVER = '''"""Starts `clarion mcp` with what the host's form was filled in with."""

import os
import sys

from clarion.cli import main

for name in ("CLARION_TOKEN", "CLARION_USER"):
    if not os.environ.get(name):
        os.environ.pop(name, None)
user = os.environ.pop("CLARION_USER", "")
sys.argv = ["clarion", "mcp", *(["--user", user] if user else [])]
main()
'''


def registry_entry() -> dict[str, Any]:
    """`server.json` for the registry of MCP servers."""
    info = manifest()
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": info["registry_name"],
        "title": info["title"],
        "description": info["description"],
        "version": clarion.__version__,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": info["package"],
                "version": clarion.__version__,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "environmentVariables": [
                    {
                        "name": "CLARION_DATA_DIR",
                        "description": "Where Clarion keeps its data.",
                        "isRequired": False,
                        "format": "filepath",
                    },
                    {
                        "name": "CLARION_TOKEN",
                        "description": "A token of a running Clarion; without it one is made.",
                        "isRequired": False,
                        "isSecret": True,
                    },
                ],
            }
        ],
        "remotes": [
            {
                "type": "streamable-http",
                "url": "https://{host}/mcp",
                "variables": {
                    "host": {"description": "Where your own Clarion is.", "isRequired": True}
                },
            }
        ],
    }
