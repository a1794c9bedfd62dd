"""What was said becomes what is done, and what is said back: one room for every door."""
