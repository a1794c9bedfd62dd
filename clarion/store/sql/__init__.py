"""Facts in SQLite or PostgreSQL: plain query functions `f(conn, …)`, the same for both."""
