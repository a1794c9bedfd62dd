"""No team is given to two events."""
