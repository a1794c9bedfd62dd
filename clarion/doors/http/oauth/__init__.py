"""Lets people connect assistants by OAuth 2.1. The rules are in `clarion/access`."""
