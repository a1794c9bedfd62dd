"""Telegram: messages and taps in, reminders and replies out."""
