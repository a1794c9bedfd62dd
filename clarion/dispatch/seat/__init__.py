"""What a dispatcher looks at beside the plans: cover, past days, what if."""
