"""What programs are offered over HTTP: a file a noun."""
