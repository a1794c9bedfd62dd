"""What Redis does for speed: nothing in it is the truth, and all of it may be lost."""
