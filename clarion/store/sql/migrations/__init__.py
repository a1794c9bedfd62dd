"""Alembic's folder: one file a change of layout, never edited after a release."""
