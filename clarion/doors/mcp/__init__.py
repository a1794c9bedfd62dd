"""The assistants' door: MCP tools, resources and prompts, for both eras of the protocol.

The SDK takes a second to import, so only `app` imports this package, and only to serve.
"""
