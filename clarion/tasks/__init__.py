"""Work waits in order, and waiting counts."""
