"""Who may say what where: rules, commands, forwarding."""
