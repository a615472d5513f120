"""Other stores behind one small interface, so that one command prints their rows too. Never dependencies."""
