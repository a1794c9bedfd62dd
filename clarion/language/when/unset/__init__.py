"""Times in a sentence that set nothing: they name, tell, ask or turn down."""
