"""Routes about the queue: tasks, and who carries out which kind of them."""
