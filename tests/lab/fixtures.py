"""What the conformance suite wants a server to have besides its own: tools, prompts, resources.

They are put into our own door, so that the suite looks through everything that stands before it:
tokens, scopes, names, the audit, refusals. What Clarion does not offer at all has no fixture here
and stands in `EXPECTED_FAILURES`.
"""

import base64
import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Message, UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
).decode()
WAV = base64.b64encode(
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\0\0\0\0"
).decode()
PICTURE = ImageContent(type="image", data=PNG, mime_type="image/png")
STATE = "seen before"

EXPECTED_FAILURES = """\
server:
  # Not offered: hosts complete, log, sample and name roots for themselves.
  - completion-complete
  - logging-set-level
  - tools-call-with-logging
  - tools-call-sampling
  - input-required-result-basic-sampling
  - input-required-result-basic-list-roots
  - input-required-result-multiple-input-requests
  - input-required-result-capability-check
  # All of its checks pass; it warns of lists that never change, and ours do not.
  - server-stateless
  # Nobody may follow an address that is not theirs, and test://watched-resource is nobody's.
  - resources-subscribe
  - resources-unsubscribe
  # Our questions are one word about a time; forms of every kind are the SDK's.
  - elicitation-sep1034-defaults
  - elicitation-sep1330-enums
"""


class Person(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def attached(uri: str, mime: str, words: str) -> EmbeddedResource:
    inner = TextResourceContents(uri=uri, mime_type=mime, text=words)
    return EmbeddedResource(type="resource", resource=inner)


def asking(key: str, message: str, field: str, kind: str = "string", **more: Any) -> Any:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    params = ElicitRequestFormParams(message=message, requested_schema=schema)
    return InputRequiredResult(input_requests={key: ElicitRequest(params=params)}, **more)


def add_fixtures(mcp: MCPServer) -> None:
    add_contents(mcp)
    add_dialogs(mcp)
    add_prompts(mcp)
    add_resources(mcp)


def add_contents(mcp: MCPServer) -> None:
    mixed = attached("test://mixed-content-resource", "application/json", '{"test":"data"}')
    embedded = attached("test://embedded-resource", "text/plain", "This is an embedded resource.")
    contents: dict[str, list[Any]] = {
        "test_simple_text": [text("This is a simple text response for testing.")],
        "test_image_content": [PICTURE],
        "test_audio_content": [AudioContent(type="audio", data=WAV, mime_type="audio/wav")],
        "test_embedded_resource": [embedded],
        "test_multiple_content_types": [text("Multiple content types test:"), PICTURE, mixed],
    }
    for name, content in contents.items():

        def told(content: list[Any] = content) -> Any:
            async def tool() -> CallToolResult:
                return CallToolResult(content=content)

            return tool

        mcp.add_tool(told(), name=name, description="A fixture.")

    @mcp.tool(description="A fixture.")
    async def test_error_handling() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    @mcp.tool(description="A fixture.")
    async def test_missing_capability(ctx: Context) -> CallToolResult:
        if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
            lacking = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This needs sampling.", lacking)
        return CallToolResult(content=[text("done")])

    @mcp.tool(description="A fixture.")
    async def test_tool_with_progress(ctx: Context) -> CallToolResult:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100)
        return CallToolResult(content=[text("done")])


def add_dialogs(mcp: MCPServer) -> None:
    @mcp.tool(description="A fixture.")
    async def test_elicitation(message: str, ctx: Context) -> CallToolResult:
        told = await ctx.elicit(message, Person)
        return CallToolResult(content=[text(f"User response: {told.action}")])

    @mcp.tool(description="A fixture.")
    async def test_input_required_result_elicitation(ctx: Context) -> Any:
        given: Any = (ctx.input_responses or {}).get("user_name")
        if given is None:
            return asking("user_name", "What is your name?", "name")
        return CallToolResult(content=[text(f"Hello, {given.content['name']}!")])

    for name in ("request_state", "tampered_state"):

        @mcp.tool(name=f"test_input_required_result_{name}", description="A fixture.")
        async def stateful(ctx: Context) -> Any:
            if ctx.request_state != STATE:
                return asking("confirm", "Please confirm", "ok", "boolean", request_state=STATE)
            return CallToolResult(content=[text("state-ok")])

    @mcp.tool(description="A fixture.")
    async def test_input_required_result_multi_round(ctx: Context) -> Any:
        if ctx.request_state is None:
            return asking("step1", "Step 1: What is your name?", "name", request_state="1")
        if ctx.request_state == "1":
            return asking("step2", "Step 2: What colour?", "color", request_state="2")
        return CallToolResult(content=[text("done")])


def add_prompts(mcp: MCPServer) -> None:
    @mcp.prompt(description="A fixture.")
    async def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @mcp.prompt(description="A fixture.")
    async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @mcp.prompt(description="A fixture.")
    async def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803
        inner = attached(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(inner), UserMessage("Please process the embedded resource above.")]

    @mcp.prompt(description="A fixture.")
    async def test_prompt_with_image() -> list[Message]:
        return [UserMessage(PICTURE), UserMessage("Please analyze the image above.")]

    @mcp.prompt(description="A fixture.")
    async def test_input_required_result_prompt(ctx: Context) -> Any:
        given: Any = (ctx.input_responses or {}).get("user_context")
        if given is None:
            return asking("user_context", "What context should the prompt use?", "context")
        return f"In the context of {given.content['context']}"


def add_resources(mcp: MCPServer) -> None:
    @mcp.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:
        return "This is the content of the static text resource."

    @mcp.resource("test://static-binary", mime_type="image/png")
    async def static_binary() -> bytes:
        return base64.b64decode(PNG)

    @mcp.resource("test://template/{id}/data", mime_type="application/json")
    async def templated(id: str) -> str:  # noqa: A002
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
