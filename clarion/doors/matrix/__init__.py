"""Matrix: what is said in rooms in, reminders and replies out."""
