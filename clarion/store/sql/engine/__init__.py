"""SQLite and PostgreSQL: connections, group commit, migrations, backups."""
