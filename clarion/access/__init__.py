"""Who is asking, and what they may see: tokens, one-time logins, secret addresses."""
