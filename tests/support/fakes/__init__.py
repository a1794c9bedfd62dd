"""Stand-ins for what is outside: they keep the contract of the port and write down what came."""
