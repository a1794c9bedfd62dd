"""What Prometheus sees of us."""
