"""Shapes of answers that several routers share. They describe; nothing is checked by them but in tests."""
