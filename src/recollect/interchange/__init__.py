"""Export and import: our own document, and the archives of other products."""
