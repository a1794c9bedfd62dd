"""Tasks in the database: rows, claims, views."""
