"""Webhooks: signed events for other programs, repeated until they are accepted."""
