"""People are asked, in an order, until one of them answers."""
