"""What one feature sets off in another; one file a flow."""
