"""How each assistant is connected: its snippet, its link, its package. From one manifest."""
