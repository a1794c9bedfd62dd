"""What only some hosts can do: a card with buttons, and questions that they wait for themselves."""
