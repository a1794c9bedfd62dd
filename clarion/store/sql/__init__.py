"""Facts in SQLite or PostgreSQL: plain query functions `f(conn, …)`, one code for both."""
