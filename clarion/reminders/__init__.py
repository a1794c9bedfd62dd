"""A person is told until somebody says yes."""
