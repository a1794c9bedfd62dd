"""What Redis does beside the database: it speeds things up, and all its data may be lost."""
