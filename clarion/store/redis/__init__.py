"""What Redis does beside the database: nothing in it is the truth, and all of it may be lost."""
