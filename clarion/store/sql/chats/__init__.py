"""Chats in the database: inbox, outbox, rules, lanes."""
