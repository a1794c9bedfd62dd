"""The talk with one device, without a wire: what it says in turn and what it answers."""
