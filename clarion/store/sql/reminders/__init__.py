"""Reminders and series in the database."""
