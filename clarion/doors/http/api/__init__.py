"""The HTTP API for programs: one file for each noun."""
