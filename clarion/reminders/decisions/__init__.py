"""What follows from what: pure functions from a locked reminder to a decision."""
