"""Clarion and its peers on the same work, side by side: `python -m benchmarks.<name>`."""
