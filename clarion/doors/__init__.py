"""The ways in: HTTP, MCP, devices, chats, and the messages that go out."""
