"""Dispatch in the database: teams, events, schemes, assignments."""
