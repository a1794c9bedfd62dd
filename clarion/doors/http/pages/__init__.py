"""What people open in a browser: the console, sign-in, links of contacts."""
